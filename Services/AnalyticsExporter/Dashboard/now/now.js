// What is wrong, since when, who has it, what to do next.

import { alarmOf } from "../alarms/alarms.js";
import { go, parameter, set } from "../support/address.js";
import { $, h } from "../support/dom.js";
import { loadRegions } from "../support/regions.js";
import { beginByKey, closeForm, makeDetail, showDetail } from "./detail.js";
import { clearFilters, drawFilters, focusSearch, isFiltered, makeFilters, wanted } from "./filters.js";
import { clearList, currentAlarm, drawList, focusRow, makeList, moveFocus, refreshTimes, tickAll, tickedAlarms, toggleFold, toggleTick, untick } from "./list.js";
import { drawLacks, makeLacks } from "./lacks.js";

let root = null, lacks = null;
const isOpenView = () => root !== null;

function open(stage, session) {
  lacks = makeLacks();
  const list = makeList({ chosen: (id) => choose(id), ticked: draw, again: draw });
  root = h("div", { id: "now" },
    h("div", { class: "page-head" }, h("h2", { word: "view.now" }), h("span", { class: "tools" }, h("button", { id: "clear-filters", type: "button", word: "clearFilters", hidden: true, on: { click: clearFilters } }),
        h("a", { id: "wall-link", class: "button", href: "#/now?state=open&wall=1", word: "wall" }))),
    lacks, makeFilters(session), h("div", { class: "columns" }, list, makeDetail(session, leave)));
  stage.append(root);
  loadRegions().then(() => { if (isOpenView()) draw(); }).catch(() => {});
}

/** The alarm is part of the address: a link to it opens it. */
function choose(id) {
  untickQuietly();
  set({ alarm: id });
  $("alarm-title")?.focus({ preventScroll: true });
  if (innerWidth <= 1000) $("alarm").scrollIntoView({ block: "start" });
}

function untickQuietly() { if (tickedAlarms().length > 0) untick(); }

function leave() {
  const left = parameter("alarm");
  if (tickedAlarms().length > 0) return untick();
  set({ alarm: null });
  focusRow(left);
}

function draw() {
  if (!root) return;
  const chosen = parameter("alarm"), ticked = tickedAlarms();
  drawFilters();
  const roots = drawList(wanted(), chosen, isFiltered());
  $("clear-filters").hidden = !isFiltered();
  showDetail(ticked.length > 0 ? ticked : chosen ? [chosen] : []);
  root.classList.toggle("has-detail", ticked.length > 0 || Boolean(chosen && alarmOf(chosen)));
  drawLacks(lacks);
  root.dataset.alarms = roots.length;
}

/** An act by its key: on what is ticked, else on the alarm that has the focus. */
function actByKey(...names) {
  if (tickedAlarms().length === 0) {
    const id = currentAlarm(parameter("alarm"));
    if (!id) return false;
    if (id !== parameter("alarm")) set({ alarm: id });
  }
  return names.some(beginByKey);
}

const onCurrent = (does) => () => {
  const id = currentAlarm(parameter("alarm"));
  if (!id) return false;
  does(id);
  return true;
};

export const now = {
  name: "now",
  open,
  show: draw,
  changed: draw,
  translated: draw,
  tick() { refreshTimes(); if (root) drawLacks(lacks); },
  close() { clearList(); root = null; },
  keys: [
    { key: "j ArrowDown", word: "key.down", act: () => moveFocus(1, parameter("alarm")) },
    { key: "k ArrowUp", word: "key.up", act: () => moveFocus(-1, parameter("alarm")) },
    { key: "o", word: "key.open", act: onCurrent(choose) },
    { key: "f", word: "key.fold", act: onCurrent(toggleFold) },
    { key: "x", word: "key.tick", act: onCurrent(toggleTick) },
    { key: "*", word: "key.tickAll", act: () => tickAll() },
    { key: "/", word: "search", act: () => focusSearch() },
    { key: "t", word: "act.acknowledge", act: () => actByKey("acknowledge", "unacknowledge") },
    { key: "h", word: "act.handover", act: () => actByKey("handover") },
    { key: "a", word: "act.accept", act: () => actByKey("accept") },
    { key: "d", word: "act.decline", act: () => actByKey("decline") },
    { key: "c", word: "act.comment", act: () => actByKey("comment") },
    { key: "s", word: "act.shelve", act: () => actByKey("shelve", "unshelve") },
    { key: "e", word: "act.clear", act: () => actByKey("clear") },
    { key: "u", word: "act.useful", act: () => actByKey("useful") },
    { key: "n", word: "act.useless", act: () => actByKey("useless") },
    { key: "w", word: "wall", act: () => go("now", { state: "open", wall: 1 }) },
    { key: "Escape", word: "close", act: () => { if (closeForm()) return true; if (tickedAlarms().length === 0 && !parameter("alarm")) return false; leave(); return true; } },
  ],
};
