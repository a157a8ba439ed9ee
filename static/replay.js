// Stepping through a game. The server draws every step; this keeps everything else in step with it.
const replay = document.getElementById("replay");
const { base, keep } = replay.dataset; // where frames are; what every address keeps
const query = keep.replace("&", "?");
const filmed = "film" in replay.dataset;
const films = {}; // by deal, the frames that are here or on their way
const frames = {}; // by step
const still = matchMedia("(prefers-reduced-motion: reduce)");
const mistakes = replay.dataset.mistakes.split(" ").filter(Boolean).map(Number);
const byId = (id) => document.getElementById(id);
const slider = document.querySelector("#scrub [type=range]");
const bar = document.querySelector("#scrub progress");
const play = byId("play");
const speed = byId("speed");
const views = byId("views");
const news = byId("news");

let shown = Number(byId("stage").dataset.step); // the step on the page
let wanted = shown; // the step asked for last
let better = "better" in byId("stage").dataset; // not what was played
let last; // grows while the game runs
let deals;
let slowly = false;
let busy = false;
let timer = 0;
let speech = 0;

function measure({ last: step, deals: firsts }) {
  last = Number(step);
  deals = firsts.split(" ").map(Number);
  slider.max = bar.max = last;
}
measure(replay.dataset);

const lap = () => Number(byId("stage").dataset.lap);
const clamp = (step) => Math.min(last, Math.max(0, step));
const dealOf = (step) => deals.findLastIndex((first) => first <= step);

const goes = {
  first: () => 0,
  "lap-back": () => wanted - lap(),
  back: () => wanted - 1,
  forward: () => wanted + 1,
  "lap-forward": () => wanted + lap(),
  last: () => last,
  mistake: () => mistakes.find((step) => step > wanted) ?? wanted,
  "mistake-back": () => mistakes.findLast((step) => step < wanted) ?? wanted,
  "deal-back": () => deals[dealOf(wanted - 1)] ?? 0,
  "deal-forward": () => deals[dealOf(wanted) + 1] ?? last,
};

async function go(step, best = false) {
  better = best;
  wanted = clamp(step);
  showControls();
  if (busy) return; // the running request goes on with what is wanted then
  busy = true;
  byId("stage").ariaBusy = "true";
  try {
    while (shown !== wanted || "better" in byId("stage").dataset !== better) await load(wanted);
    byId("failure").textContent = "";
  } catch {
    byId("failure").innerHTML = `Step ${wanted} could not be loaded. <a href="?step=${wanted}${keep}">Try again</a>`;
    stop();
    wanted = shown;
    showControls();
  } finally {
    busy = false;
    byId("stage").ariaBusy = null;
  }
}

async function load(step) {
  const best = better;
  const before = placesOfCards();
  const frame = best ? null : frames[step];
  if (frame) htmx.swap("#stage", frame, { swapStyle: "outerHTML" });
  else await fetchInto(`${base}frames/${step}/${best ? "best/" : ""}${query}`, "#stage");
  const stage = byId("stage").dataset;
  if (stage.step !== String(step) || "better" in stage !== best) throw new Error("no frame");
  shown = step;
  moveCards(before);
  const { deal, turn } = stage;
  if (byId("deal").dataset.deal !== deal) await showDeal(deal);
  history.replaceState(history.state, "", `?step=${step}${keep}${best ? "&show=best" : ""}`);
  markMove();
  moveCursor(Number(turn));
  announce();
  film(deal);
}

// All frames of a deal come at once.
function film(deal) {
  if (!filmed || films[deal]) return;
  films[deal] = true;
  fetch(`${base}films/${deal}/${query}`)
    .then((answer) => answer.json())
    .then((found) => Object.assign(frames, found))
    .catch(() => delete films[deal]);
}

function placesOfCards() {
  const places = new Map();
  for (const card of document.querySelectorAll(".c-felt .c-card[id]")) places.set(card.id, card.getBoundingClientRect());
  return places;
}

// Cards glide from where they lay, together or one by one.
function moveCards(before) {
  if (still.matches) return;
  const hand = document.querySelector(".c-hand").getBoundingClientRect();
  let moved = 0;
  for (const card of document.querySelectorAll(".c-felt .c-card[id]")) {
    const from = before.get(card.id) ?? (slowly && hand);
    if (!from) continue;
    const to = card.getBoundingClientRect();
    const [x, y] = [from.left - to.left, from.top - to.top];
    if (!x && !y) continue;
    const marked = slowly && card.matches(".is-new, .is-moved");
    const delay = marked ? 500 * moved++ : 0;
    const start = { translate: `${x}px ${y}px`, zIndex: marked ? 9 : "" };
    card.animate([start, { translate: "0 0" }], { duration: marked ? 450 : 180, delay, easing: "ease-out", fill: "backwards" });
  }
}

async function showHow() {
  const step = shown;
  stop();
  if (step === 0) return;
  await go(step - 1);
  slowly = true;
  await go(step);
  slowly = false;
}

async function showDeal(deal) {
  const focused = byId("deal").contains(document.activeElement);
  await fetchInto(`${base}deals/${deal}/${query}`, "#deal");
  if (focused) document.querySelector(".c-deals [aria-current]").focus();
}

const fetchInto = (url, target) => htmx.ajax("GET", url, { target, swap: "outerHTML" });

function showControls() {
  slider.value = bar.value = wanted;
  byId("pos").textContent = wanted;
  if (news) {
    news.hidden = wanted === last;
    news.querySelector("span").textContent = last - wanted;
    news.querySelector("a").href = `?step=${last}${keep}`;
  }
  for (const link of document.querySelectorAll("#transport [data-go]")) {
    link.href = `?step=${clamp(goes[link.dataset.go]())}${keep}`;
  }
}

function markMove() {
  const { place } = byId("stage").dataset;
  slider.setAttribute("aria-valuetext", place);
  document.title = document.title.replace(/^[^·]*/, `${place} `);
  document.querySelector("#deal [aria-current=step]")?.removeAttribute("aria-current");
  const cell = document.querySelector(`.c-moves a[href="?step=${shown}${keep}"]`);
  cell?.setAttribute("aria-current", "step");
  scrollToMove();
}

function scrollToMove() {
  for (const box of document.querySelectorAll(".c-moves, .c-deals")) {
    const cell = box.querySelector("[aria-current]")?.getBoundingClientRect();
    if (cell) box.scrollTop += cell.top - box.getBoundingClientRect().top - box.clientHeight / 2;
  }
}

function moveCursor(turn) {
  const chart = byId("chart");
  const x = `${(100 * turn) / Math.max(1, chart.dataset.turns)}%`;
  const [line, flag] = chart.querySelectorAll(".is-now, .is-flag");
  for (const name of ["x1", "x2"]) line.setAttribute(name, x);
  flag.setAttribute("x", x);
  flag.textContent = turn;
}

function announce() {
  clearTimeout(speech);
  if (timer) return;
  speech = setTimeout(() => {
    const told = document.querySelector(".c-narr p").cloneNode(true);
    for (const glyph of told.querySelectorAll("[aria-hidden]")) glyph.remove();
    byId("narration").textContent = told.textContent.trim();
  }, 250);
}

function stop() {
  clearInterval(timer);
  timer = 0;
  showPlay();
}

function start() {
  if (wanted === last) wanted = -1;
  const deal = dealOf(wanted + 1); // it stops where the deal ends
  const next = () => {
    if (document.hidden || wanted === last || dealOf(wanted + 1) !== deal) stop();
    else if (!busy) go(wanted + 1);
  };
  timer = setInterval(next, 1400 / speed.value);
  next();
  showPlay();
}

function showPlay() {
  play.classList.toggle("is-playing", timer !== 0);
  play.setAttribute("aria-label", timer ? "Pause (space)" : "Play (space)");
}

function toggle() {
  if (timer) stop();
  else start();
}

async function copy() {
  const label = document.querySelector("#copy span");
  try {
    await navigator.clipboard.writeText(location.origin + location.pathname + location.search);
    label.textContent = "Copied";
  } catch {
    label.textContent = "Copy the address";
  }
  setTimeout(() => (label.textContent = "Copy link"), 2000);
}

function changes() {
  const off = replay.dataset.changes === "off";
  replay.dataset.changes = off ? "on" : "off";
  byId("changes").setAttribute("aria-pressed", off);
}

function nextView() {
  const select = views?.elements.as;
  if (!select) return;
  select.selectedIndex = (select.selectedIndex + 1) % select.length;
  showView();
}

function showView() {
  views.elements.step.value = shown;
  views.requestSubmit();
}

const open = (id) => byId(id).showModal();
const keys = {
  ArrowLeft: "back", ArrowRight: "forward", "[": "lap-back", "]": "lap-forward", Home: "first", End: "last",
  m: "mistake", "Shift+M": "mistake-back", b: () => byId("best")?.click(),
  "Shift+ArrowLeft": "deal-back", "Shift+ArrowRight": "deal-forward",
  ".": showHow, p: nextView, g: () => open("go"), "?": () => open("keys"), "Shift+?": () => open("keys"), c: copy, d: changes, " ": toggle,
};
let held = 0;

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.altKey || event.metaKey || document.querySelector("dialog[open]")) return;
  const sliding = event.target === slider;
  if (sliding && /^(Arrow|Home|End)/.test(event.key)) return; // it does as much by itself
  const typing = event.target.closest("input, select, textarea, [contenteditable]");
  if (!sliding && typing?.checkVisibility()) return; // a dialog that has closed keeps the focus for a moment
  if (event.key === " " && event.target.closest("a, button, summary, [tabindex]")) return;
  const act = keys[(event.shiftKey ? "Shift+" : "") + event.key];
  if (!act) return;
  event.preventDefault();
  if (event.repeat && event.timeStamp - held < 100) return; // at most ten steps a second
  held = event.timeStamp;
  if (typeof act === "function") return act();
  stop();
  go(goes[act]());
});

replay.addEventListener("click", (event) => {
  const link = event.target.closest('a[href^="?step="]');
  if (link && !event.ctrlKey && !event.metaKey && !event.shiftKey && event.button === 0) {
    event.preventDefault();
    stop();
    const asked = new URLSearchParams(link.search);
    go(Number(asked.get("step")), asked.has("show"));
    return;
  }
  const area = event.target.closest(".c-chart svg");
  if (!area) return;
  const box = byId("chart").querySelector("svg[viewBox]").getBoundingClientRect();
  const share = (event.clientX - box.left) / box.width;
  const { first, turns } = byId("chart").dataset;
  if (share >= 0 && share <= 1) go(Math.max(1, Number(first)) - 1 + Math.max(first > 0, Math.round(share * turns)));
});

slider.addEventListener("input", () => { stop(); go(Number(slider.value)); });
byId("scrub").addEventListener("submit", (event) => event.preventDefault());
byId("go").querySelector(".c-form").addEventListener("submit", (event) => {
  event.preventDefault();
  byId("go").close();
  stop();
  go(Number(event.target.elements.step.value));
});
play.addEventListener("click", toggle);
speed.addEventListener("change", () => {
  speed.blur(); // keys are for the replay again
  if (timer) { stop(); start(); }
});
byId("copy").addEventListener("click", copy);
byId("changes").addEventListener("click", changes);
byId("how").addEventListener("click", showHow);
views?.elements.as.addEventListener("change", showView);
byId("keys-open").addEventListener("click", () => open("keys"));
document.addEventListener("visibilitychange", () => { if (document.hidden) stop(); });
scrollToMove();
(window.requestIdleCallback ?? setTimeout)(() => film(byId("stage").dataset.deal));

// A running game has grown: who stands at its last step follows, who looks back is told.
document.body.addEventListener("progress", async () => {
  const answer = await fetch(location.pathname + query);
  const grown = new DOMParser().parseFromString(await answer.text(), "text/html");
  const there = (id) => grown.getElementById(id);
  const following = wanted === last;
  const { dataset } = there("replay");
  if (dataset.last < last) return; // overtaken
  if (following && !("live" in dataset)) return location.reload();
  measure(dataset);
  if (byId("deal").dataset.deal === there("deal").dataset.deal) {
    for (const id of ["deal", "chart"]) byId(id).replaceWith(there(id));
  }
  if (following) await go(last);
  showControls();
  markMove();
  moveCursor(byId("stage").dataset.turn);
});
