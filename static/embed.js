// A replay in a frame of another site: it steps, and tells its parent of steps, height and end.
const byId = (id) => document.getElementById(id);
const { base, query, last } = byId("main").dataset;
const asked = query.replace("&", "?");
const frames = {}; // by step
let wanted = byId("stage").dataset.step;
let timer = 0;

const post = (message) => parent.postMessage(message, "*");

function told() {
  const { step } = byId("stage").dataset;
  post({ type: "step", step: Number(step), last: Number(last) });
  if (step === last) post({ type: "end" });
}

async function frameOf(step) {
  if (frames[step]) return frames[step];
  const answer = await fetch(`${base}frames/${step}/${asked}`);
  if (answer.status !== 200) throw answer;
  return answer.text();
}

async function go(link) {
  const step = new URLSearchParams(link.search).get("step");
  wanted = step;
  const template = document.createElement("template");
  try {
    template.innerHTML = await frameOf(step);
  } catch {
    return location.assign(link.href); // as without scripts
  }
  if (wanted !== step) return; // overtaken
  const pressed = document.activeElement.getAttribute("aria-keyshortcuts");
  for (const id of ["stage", "transport"]) byId(id)?.replaceWith(template.content.getElementById(id));
  if (pressed) document.querySelector(`[aria-keyshortcuts="${CSS.escape(pressed)}"]`)?.focus();
  if (timer && "ends" in byId("stage").dataset) stop();
  else showPlay();
  byId("narration").textContent = timer ? "" : byId("stage").dataset.told;
  told();
}

const showPlay = () => byId("play")?.setAttribute("aria-pressed", timer > 0);
const forward = () => go(document.querySelector("[data-by='1']"));

function stop() {
  clearInterval(timer);
  timer = 0;
  showPlay();
}

document.addEventListener("click", (event) => {
  const control = event.target.closest("#transport :is(a, button)");
  if (!control || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  const was = timer;
  stop();
  if (control.id !== "play") return go(control);
  if (was) return;
  timer = setInterval(forward, 1400);
  forward();
});

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.altKey || event.metaKey) return;
  if (event.key === " " && event.target.closest("a, button")) return;
  const key = (event.shiftKey ? "Shift+" : "") + (event.key === " " ? "Space" : event.key);
  const control = document.querySelector(`#transport [aria-keyshortcuts="${CSS.escape(key)}"]`);
  if (!control) return;
  event.preventDefault();
  control.click();
});

new ResizeObserver(() => post({ type: "resize", height: byId("main").offsetHeight })).observe(byId("main"));
told();
const { deal } = byId("stage").dataset;
fetch(`${base}films/${deal}/${asked}`)
  .then((answer) => answer.json())
  .then((film) => Object.assign(frames, film))
  .catch(() => {}); // then each step is asked for
