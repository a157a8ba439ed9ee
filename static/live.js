// A stream says that something grew; the page then asks for it. Without one it asks now and then.
const POLL_MS = 5000;
const main = document.querySelector("[data-stream]");
const button = document.getElementById("pause");
const stale = document.getElementById("stale");
let source;
let since = "";
let paused = false;

const grew = () => document.body.dispatchEvent(new Event("progress"));
const over = () => !main.querySelector("[data-live]");

function listen() {
  source?.close();
  source = null;
  if (paused || document.hidden || over()) return;
  source = new EventSource(main.dataset.stream + since);
  source.addEventListener("progress", ({ data }) => {
    since = `?since=${data}`;
    grew();
  });
}

setInterval(() => {
  if (source && source.readyState !== EventSource.OPEN && !over()) grew();
}, POLL_MS);

button?.addEventListener("click", () => {
  paused = !paused;
  button.setAttribute("aria-pressed", paused);
  listen();
});
document.addEventListener("visibilitychange", listen);
document.addEventListener("htmx:afterRequest", ({ target, detail }) => {
  if (stale && target.closest("[data-live]")) stale.hidden = detail.successful;
});
listen();
