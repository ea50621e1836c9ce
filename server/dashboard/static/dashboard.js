// Keys for those who do not use a mouse, and fresh figures for a page that stays open.
// No page needs it: without it every link and form works.
"use strict";

const EVERY = 20000; // milliseconds between two looks at the store
const main = () => document.querySelector("main");
const ROW = ".list tbody tr, .item";
const OPENS = ":is(.list tbody tr, .item) :is(a, summary)";
const rows = () => [...document.querySelectorAll(ROW)];
let chosen = "";
let shown = main().innerHTML;

function choose(step) {
  const all = rows();
  if (!all.length) return;
  const at = all.findIndex((row) => row.id === chosen);
  const next = Math.min(all.length - 1, Math.max(0, at < 0 ? 0 : at + step));
  show(all[next]);
}

function show(row) {
  mark(row);
  row.scrollIntoView({ block: "nearest" });
}

function mark(row) {
  rows().forEach((each) => each.classList.remove("chosen"));
  row.classList.add("chosen");
  chosen = row.id;
  const opens = row.querySelector(OPENS);
  if (opens) opens.focus({ preventScroll: true });
}

function current() {
  return rows().find((row) => row.id === chosen);
}

// Each key with what it needs on a page to work there.
const keys = {
  "/": ["#q", (search) => search.focus()],
  j: [ROW, () => choose(1)],
  k: [ROW, () => choose(-1)],
  o: [OPENS, press],
  y: ['[data-key="y"]', press],
  n: ['[data-key="n"]', press],
};

function press(_, needed) {
  const within = rows().length ? current() : document;
  const button = within && within.querySelector(needed);
  if (button) button.click();
}

// The foot of a page names the keys that work on it.
function nameKeys() {
  const names = [...document.querySelectorAll(".keys span")];
  for (const each of names)
    each.hidden = !document.querySelector(keys[each.querySelector("kbd").textContent][0]);
  document.querySelector(".keys").hidden = names.every((each) => each.hidden);
}

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.target.closest("input, textarea, select")) {
    if (event.key === "Escape") event.target.blur();
    return;
  }
  const [needed, act] = keys[event.key] || [];
  const found = needed && document.querySelector(needed);
  if (!found) return;
  event.preventDefault();
  act(found, needed);
});

// If text was typed and not sent, the browser asks before it leaves the page, unless Cancel is used.
let leaving = false;
const FIELDS =
  "form[method=post] :is(textarea, input:not([type=hidden], [type=checkbox], [autocomplete=off]))";

function typed() {
  const fields = [...main().querySelectorAll(FIELDS)];
  const lines = (text) => text.replace(/[\r\n]/g, ""); // a field may change line ends
  const unsent = (field) => lines(field.value) !== lines(field.defaultValue);
  return fields.some(
    (field) => (unsent(field) || field.closest(".typed")) && !field.form.dataset.sent
  );
}

window.addEventListener("beforeunload", (event) => {
  if (!typed() || leaving) return;
  event.preventDefault();
  // Whoever stays on the page can send the form again.
  const again = () => document.querySelectorAll("form").forEach((form) => delete form.dataset.sent);
  setTimeout(again);
});
document.addEventListener("click", (event) => {
  leaving = Boolean(event.target.closest(".cancel"));
});

// A form that changes something is sent once. After a row was settled, the next one is chosen.
document.addEventListener("submit", (event) => {
  if (event.target.dataset.sent) return event.preventDefault();
  if (event.target.method === "post") event.target.dataset.sent = "yes";
  const at = rows().indexOf(event.target.closest(ROW));
  if (at >= 0) sessionStorage.setItem("place", JSON.stringify([location.pathname, at]));
});

const [path, at] = JSON.parse(sessionStorage.getItem("place") || "[]");
sessionStorage.removeItem("place");
if (path === location.pathname && rows().length) show(rows()[Math.min(at, rows().length - 1)]);

// A page that the browser has kept as it was may be of long ago.
window.addEventListener("pageshow", (event) => event.persisted && !typed() && location.reload());

// What acts on all that are ticked waits until it can. Without script the server says so.
function allow() {
  const ticked = [...document.querySelectorAll(".item input:checked")];
  const can = (action) => ticked.every((each) => each.dataset.actions.split(" ").includes(action));
  for (const each of document.querySelectorAll("#several button"))
    each.disabled = !ticked.length || !can(each.value);
}

document.addEventListener("change", allow);
allow();
nameKeys();

// A page in use is left alone: nothing that somebody types or has unfolded is replaced.
function inUse() {
  return Boolean(
    document.hidden ||
      main().querySelector("details[open], input:checked") ||
      typed() ||
      main().contains(document.activeElement.closest("input, textarea"))
  );
}

async function refresh() {
  if (inUse()) return;
  const answer = await fetch(location.href).catch(() => null);
  if (!answer || !answer.ok || inUse()) return;
  const fresh = new DOMParser().parseFromString(await answer.text(), "text/html");
  const text = fresh.querySelector("main").innerHTML;
  if (text === shown) return;
  shown = text;
  main().replaceWith(fresh.querySelector("main"));
  document.querySelector("nav").replaceWith(fresh.querySelector("nav"));
  allow();
  nameKeys();
  const row = current();
  if (row) mark(row);
}

setInterval(refresh, EVERY);
document.addEventListener("visibilitychange", refresh);
