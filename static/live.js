// Live parts of a page. A stream says that something grew; htmx then asks for the parts that show
// it. Without a stream they are asked for every few seconds; paused and hidden pages are left alone.
const POLL_MS = 5000;
const main = document.querySelector("[data-stream]");
const button = document.getElementById("pause");
const stale = document.getElementById("stale");
let source = null;
let since = ""; // what was heard last
let paused = false;

const grew = () => htmx.trigger(document.body, "progress");
const over = () => !main.querySelector("[data-live]");

function listen() {
  source?.close();
  source = null;
  if (paused || document.hidden || over()) return;
  source = new EventSource(main.dataset.stream + since);
  source.addEventListener("progress", (event) => {
    since = `?since=${event.data}`;
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
document.addEventListener("htmx:beforeRequest", (event) => {
  if (event.target.closest("[data-live]") && (paused || document.hidden)) event.preventDefault();
});
document.addEventListener("htmx:afterRequest", (event) => {
  if (!event.target.closest("[data-live]")) return;
  if (stale) stale.hidden = event.detail.successful;
  if (over()) listen();
});
listen();
