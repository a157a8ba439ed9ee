// Stepping through a game: see ARCHITECTURE.md. The server draws every step, link and key.
const byId = (id) => document.getElementById(id);
const all = (selector, within = document) => [...within.querySelectorAll(selector)];
const replay = byId("replay");
const { base, keep } = replay.dataset;
const query = keep.replace("&", "?");
const stage = byId("stage").dataset;
const root = document.documentElement.dataset;
const films = {};
const frames = {};
const still = matchMedia("(prefers-reduced-motion)");
const slider = document.querySelector("#scrub [type=range]");
const play = byId("play");
const views = byId("views");

let shown = Number(stage.step);
let wanted = shown;
let better = "better" in stage;
let busy = false;
let timer = 0;
let rest = 0;
let held = 0;
let slowly = false;
let waiting = [];

const at = (step) => `?step=${step}${keep}`;
const cellOf = (step) => document.querySelector(`.c-moves a[href="${at(step)}"]`);

// Draws may be left out.
function next(by) {
  let step = wanted + by;
  while (root.draws === "off" && cellOf(step)?.querySelector(".is-quiet")) step += Math.sign(by);
  return step;
}

async function go(step, best = false) {
  better = best;
  wanted = Math.min(slider.max, Math.max(0, step));
  if (busy) return showPlace();
  busy = true;
  try {
    while (shown !== wanted || "better" in stage !== better) await load(wanted, better);
    byId("failure").textContent = "";
  } catch {
    byId("failure").innerHTML = `Step ${wanted} could not be loaded. <a href="${at(wanted)}">Try again</a>`;
    stop();
    wanted = shown;
    showPlace();
  }
  busy = false;
}

async function load(step, best) {
  const html = (!best && frames[step]) || (await get(`${base}frames/${step}/${best ? "best/" : ""}${query}`));
  show(html);
  const { deal } = stage;
  if (byId("deal").dataset.deal !== deal) {
    for (const part of [await get(`${base}deals/${deal}/${query}`), html]) draw(parse(part));
    settle();
    scrollToMove();
  }
  film(deal);
}

async function get(url) {
  byId("stage").ariaBusy = "true";
  showPlace();
  const answer = await fetch(url).finally(() => (byId("stage").ariaBusy = null));
  if (answer.status !== 200) throw answer;
  return answer.text();
}

function film(deal) {
  if (films[deal] || !("film" in replay.dataset)) return;
  films[deal] = fetch(`${base}films/${deal}/${query}`)
    .then((answer) => answer.json())
    .then((found) => Object.assign(frames, found))
    .catch(() => delete films[deal]);
}

function parse(html) {
  const template = document.createElement("template");
  template.innerHTML = html;
  return template.content;
}

function draw(page) {
  const focused = document.activeElement;
  for (const part of all("[data-part]", page)) morph(byId(part.id), part);
  if (!focused.isConnected) play.focus({ preventScroll: true });
}

// Makes a node like another: what is alike stays, what has an id moves to its new place.
function morph(node, model) {
  if (node.isEqualNode(model)) return;
  if (!model.attributes) return (node.data = model.data);
  for (const name of [...node.getAttributeNames(), ...model.getAttributeNames()]) {
    const value = model.getAttribute(name);
    if (value === null) node.removeAttribute(name);
    else if (node.getAttribute(name) !== value) node.setAttribute(name, value);
  }
  const children = [...model.childNodes];
  let here = node.firstChild;
  for (const child of children) {
    const same = child.id ? byId(child.id) : here?.nodeName === child.nodeName && !here.id && here;
    if (same && same === here) here = here.nextSibling;
    else node.insertBefore(same || child, here);
    if (same) morph(same, child);
  }
  for (const gone of [...node.childNodes].slice(children.length)) gone.remove();
}

// All is written before places are read, and read before cards are moved: one layout a step.
function show(html) {
  const page = parse(html);
  for (const move of waiting) move.cancel();
  waiting = [];
  const sides = slowly || !still.matches ? [document, page] : [];
  const cards = sides.flatMap((side) => all(".c-felt :is(.is-new,.is-moved)", side));
  const before = new Map(cards.map(({ id }) => [id, byId(id)?.getBoundingClientRect()]));
  draw(page);
  settle();
  const hand = slowly && document.querySelector(".c-hand").getBoundingClientRect();
  const moves = [];
  for (const [id, place] of before) {
    const card = byId(id);
    const from = place ?? hand;
    if (!card || !from) continue;
    const to = card.getBoundingClientRect();
    const translate = `${from.left - to.left}px ${from.top - to.top}px`;
    if (translate !== "0px 0px") moves.push([card, translate]);
  }
  scrollToMove();
  const duration = still.matches ? 1 : slowly ? 450 : 180;
  for (const [card, translate] of moves) {
    const move = card.animate([{ translate }, { translate: "0 0" }], { duration, easing: "ease-out" });
    if (!slowly) continue;
    move.pause();
    waiting.push(move);
  }
}

function settle() {
  shown = Number(stage.step);
  showPlace();
  slider.setAttribute("aria-valuetext", stage.place);
  document.querySelector("#deal [aria-current=step]")?.removeAttribute("aria-current");
  cellOf(shown)?.setAttribute("aria-current", "step");
  showPlay();
  clearTimeout(rest);
  rest = setTimeout(tell, 250);
}

function tell() {
  history.replaceState(history.state, "", `${at(shown)}${"better" in stage ? "&show=best" : ""}`);
  document.title = document.title.replace(/^[^·]*/, `${stage.place} `);
  if (!timer) byId("narration").textContent = stage.told;
}

function scrollToMove() {
  for (const box of all(".c-moves, .c-deals")) {
    const cell = box.querySelector("[aria-current]")?.getBoundingClientRect();
    if (cell) box.scrollTop += cell.top - box.getBoundingClientRect().top - box.clientHeight / 2;
  }
}

function showPlace() {
  slider.value = byId("bar").value = byId("pos").textContent = wanted;
}

function run(act, pause) {
  timer = setInterval(act, pause / byId("speed").value);
  act();
  showPlay();
}

function stop() {
  clearInterval(timer);
  timer = 0;
  showPlay();
}

const showPlay = () => play.setAttribute("aria-pressed", timer > 0);

const acts = {
  play() {
    if (timer) return stop();
    let begun = false;
    run(() => {
      if (busy) return;
      if (document.hidden || (begun && "ends" in stage)) return stop();
      go(begun || wanted < slider.max ? next(1) : 0);
      begun = true;
    }, 1400);
  },
  async how() {
    if (waiting.length) return waiting.shift().play();
    const step = shown;
    await go(step - 1);
    slowly = true;
    await go(step);
    slowly = false;
    run(() => {
      const move = waiting.shift();
      if (!move) return stop();
      byId("narration").textContent = move.effect.target.ariaLabel;
      move.play();
    }, 700);
  },
  async copy({ lastElementChild: label }) {
    tell();
    label.textContent = "Copy the address";
    await navigator.clipboard?.writeText(location.href).then(() => (label.textContent = "Copied"));
  },
};

function flip(button) {
  const on = button.getAttribute("aria-pressed") !== "true";
  button.setAttribute("aria-pressed", on);
  root[button.id] = on ? "on" : "off";
}

function jump(step, best) {
  stop();
  go(step, best);
}

// Each key stands at the control that it presses.
document.addEventListener("keydown", (event) => {
  const { key, target } = event;
  if (root.keys === "off" || event.ctrlKey || event.altKey || event.metaKey) return;
  if (document.querySelector("dialog[open]")) return;
  if (target === slider ? /^(Arrow|Home|End)/.test(key) : target.closest("input, select, textarea")?.checkVisibility()) return;
  if (key === " " && target.closest("a, button, summary, [tabindex]")) return;
  const name = (event.shiftKey ? "Shift+" : "") + (key === " " ? "Space" : key);
  const control = document.querySelector(`[aria-keyshortcuts~="${CSS.escape(name)}"]`);
  if (!control) return;
  event.preventDefault();
  if (event.repeat && event.timeStamp - held < 100) return;
  held = event.timeStamp;
  control.click();
});

document.addEventListener("click", (event) => {
  const control = event.target.closest("button, a, .c-chart");
  if (!control || event.ctrlKey || event.metaKey || event.shiftKey) return;
  const { by, open, flips, first, turns } = control.dataset;
  if (open) byId(open).showModal();
  else if (flips === "") flip(control);
  else if (turns) {
    const box = control.querySelector("[viewBox]").getBoundingClientRect();
    const share = Math.min(1, (event.clientX - box.left) / box.width);
    jump(Math.max(first, Math.max(0, first - 1) + Math.round(share * turns)));
  } else if (control.matches('#replay a[href^="?step="]')) {
    event.preventDefault();
    const asked = new URLSearchParams(control.search);
    jump(by ? next(Number(by)) : Number(asked.get("step")), asked.has("show"));
  } else acts[control.id]?.(control);
});

slider.addEventListener("input", () => jump(Number(slider.value)));
byId("go").addEventListener("submit", ({ target: { step } }) => step && jump(Number(step.value)));
byId("speed").addEventListener("change", ({ target }) => {
  target.blur();
  stop();
});
views?.addEventListener("change", () => views.requestSubmit());
root.more = "off";
scrollToMove();
setTimeout(film, 200, stage.deal);

// A running game has grown: who looks back is told.
document.body.addEventListener("progress", async function grow() {
  const asked = wanted;
  const following = asked == slider.max;
  const html = await get(location.pathname + (following ? query : location.search));
  if (busy || wanted !== asked) return grow();
  const page = parse(html);
  if (!page.getElementById("news")) {
    if (following) location.reload();
    else byId("news").innerHTML = "The game is over. <a href='?'>Replay it</a>";
  } else if (page.getElementById("scrub").dataset.last >= Number(slider.max)) {
    show(html);
    wanted = shown;
    showPlace();
  }
});
