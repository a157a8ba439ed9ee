// Theme, deck and keys at once, times in the reader's own zone, menus that close.
const root = document.documentElement;

for (const button of document.querySelectorAll("#look button")) {
  button.addEventListener("click", (event) => {
    event.preventDefault();
    const { name, value } = button;
    root.dataset[name] = value;
    const secure = location.protocol === "https:" ? ";secure" : "";
    document.cookie = `${name}=${value};path=/;max-age=31622400;samesite=lax${secure}`;
    for (const other of button.parentElement.children) other.setAttribute("aria-pressed", other === button);
  });
}

const day = { dateStyle: "medium" };
const clock = { timeStyle: "short" };
const forms = { day, clock, full: { ...day, ...clock } };

function localise(part) {
  for (const time of part.querySelectorAll("time[data-form]")) {
    time.textContent = new Date(time.dateTime).toLocaleString("en-GB", forms[time.dataset.form]);
  }
}
localise(document);
document.addEventListener("htmx:afterSwap", (event) => localise(event.detail.elt.parentNode ?? document));

for (const kind of ["click", "keydown"]) {
  document.addEventListener(kind, ({ key, target }) => {
    for (const menu of document.querySelectorAll(".c-menu[open]")) {
      if (key ? key !== "Escape" : menu.contains(target)) continue;
      menu.open = false;
      if (key) menu.querySelector("summary").focus();
    }
  });
}

document.querySelector(".c-tabs [aria-current]")?.scrollIntoView({ block: "nearest", inline: "center" });
