// Keys for those who do not use a mouse, and fresh figures for a page that stays open.
// No page needs it: without it every link and form works.
"use strict";

const EVERY = 20000; // milliseconds between two looks at the store
const main = () => document.querySelector("main");
const rows = () => [...document.querySelectorAll(".list tbody tr, .item")];
let chosen = "";
let shown = main().innerHTML;

function choose(step) {
  const all = rows();
  if (!all.length) return;
  const at = all.findIndex((row) => row.id === chosen);
  const next = Math.min(all.length - 1, Math.max(0, at < 0 ? 0 : at + step));
  mark(all[next]);
  all[next].scrollIntoView({ block: "nearest" });
}

function mark(row) {
  rows().forEach((each) => each.classList.remove("chosen"));
  row.classList.add("chosen");
  chosen = row.id;
  const link = row.querySelector("a");
  if (link) link.focus({ preventScroll: true });
}

function current() {
  return rows().find((row) => row.id === chosen);
}

const keys = {
  "/": () => {
    const search = document.querySelector("#q");
    if (search) search.focus();
    return Boolean(search);
  },
  j: () => choose(1),
  k: () => choose(-1),
  o: () => {
    const row = current();
    const link = row && row.querySelector("a");
    if (link) link.click();
  },
  y: () => press("y"),
  n: () => press("n"),
};

function press(key) {
  const within = rows().length ? current() : document;
  const button = within && within.querySelector(`[data-key="${key}"]`);
  if (button) button.click();
}

document.querySelector(".keys").hidden = false;

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.target.closest("input, textarea, select")) {
    if (event.key === "Escape") event.target.blur();
    return;
  }
  if (keys[event.key] && keys[event.key]() !== false) event.preventDefault();
});

// What acts on all that are ticked waits until one is. Without script the server says so.
function allow() {
  const ticked = document.querySelector(".item input:checked");
  document.querySelectorAll("#several button").forEach((each) => (each.disabled = !ticked));
}

document.addEventListener("change", allow);
allow();

// A page in use is left alone: nothing that somebody types or has unfolded is replaced.
function inUse() {
  return Boolean(
    document.hidden ||
      main().querySelector("details[open], input:checked") ||
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
  const row = current();
  if (row) mark(row);
}

setInterval(refresh, EVERY);
document.addEventListener("visibilitychange", refresh);
