// Theme and deck at once, times in the reader's own zone, menus that close.
const root = document.documentElement;

for (const button of document.querySelectorAll("#look button")) {
  button.addEventListener("click", (event) => {
    event.preventDefault();
    const { name, value } = button;
    root.dataset[name] = value;
    const secure = location.protocol === "https:" ? ";secure" : "";
    document.cookie = `${name}=${value};path=/;max-age=31622400;samesite=lax${secure}`;
    for (const other of button.parentElement.children) {
      other.setAttribute("aria-pressed", other === button);
    }
  });
}

const forms = {
  full: { day: "numeric", month: "short", year: "numeric", hour: "2-digit", minute: "2-digit" },
  day: { day: "numeric", month: "short", year: "numeric" },
  clock: { hour: "2-digit", minute: "2-digit" },
};

function localise(part) {
  for (const time of part.querySelectorAll("time[data-form]")) {
    const form = { ...forms[time.dataset.form], hourCycle: "h23" };
    time.textContent = new Date(time.dateTime).toLocaleString("en-GB", form);
  }
}
localise(document);
document.addEventListener("htmx:afterSwap", (event) => localise(event.detail.elt.parentNode ?? document));

document.addEventListener("click", (event) => {
  for (const menu of document.querySelectorAll(".c-menu[open]")) {
    if (!menu.contains(event.target)) menu.open = false;
  }
});
document.addEventListener("keydown", (event) => {
  if (event.key !== "Escape") return;
  for (const menu of document.querySelectorAll(".c-menu[open]")) {
    menu.open = false;
    menu.querySelector("summary").focus();
  }
});

document.querySelector(".c-tabs [aria-current]")?.scrollIntoView({ block: "nearest", inline: "center" });
