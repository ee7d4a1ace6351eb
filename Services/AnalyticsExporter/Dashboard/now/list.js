// The list of alarms: a row for each, children below their parent. Rows stay the same elements while their text changes, so
// that focus and what is unfolded survive.

import { changedAt, isOpen, isPlanned, isShelved, raisedAt, severityOf, tree } from "../alarms/alarms.js";
import { what, where } from "../alarms/texts.js";
import { serverNow, timeText, today } from "../support/clock.js";
import { $, h, put } from "../support/dom.js";
import { ago, capital, counted, number, word } from "../support/words.js";

/** Rows that are drawn at once; more on request. */
const step = 100;
const rows = new Map(), unfolded = new Set(), ticked = new Set();
let list = null, more = null, none = null, listen = null, shown = step, isFollowing = false, order = [];
const divider = h("li", { class: "divider" });

/** `listener`: `chosen(id)`, `ticked()`. */
export function makeList(listener) {
  listen = listener;
  list = h("ol", { id: "alarm-list", "aria-label": "" });
  more = h("button", { type: "button", id: "more", hidden: true, on: { click: () => { shown += step; listen.again(); } } });
  none = h("p", { id: "no-alarms", class: "empty-list", hidden: true });
  [isFollowing, shown] = [false, step];
  return h("div", { class: "list-box" }, list, none, more);
}

export function clearList() {
  rows.clear();
  ticked.clear();
  unfolded.clear();
  order = [];
}

/** Ids of alarms that are ticked and still there. */
export const tickedAlarms = () => [...ticked];
export function untick() {
  ticked.clear();
  for (const row of rows.values()) row.tick.checked = false;
  listen.ticked();
}
export function tickAll() {
  for (const id of order) { ticked.add(id); rows.get(id).tick.checked = true; }
  listen.ticked();
}

export function toggleTick(id) {
  const row = rows.get(id);
  if (!row) return;
  if (!ticked.delete(id)) ticked.add(id);
  row.tick.checked = ticked.has(id);
  listen.ticked();
}

function newRow(alarm) {
  const tick = h("input", { type: "checkbox", on: { change: () => toggleTick(alarm.id) } });
  const fold = h("button", { type: "button", class: "fold quiet", on: { click: () => toggleFold(alarm.id) } });
  const part = (name, className) => h(name, { class: className });
  const row = { tick, fold, severity: part("strong", "severity"), what: part("span", "what"), where: part("span", "where"),
    chips: part("span", "chips"), since: part("span", "since"), time: part("time", "ago") };
  row.button = h("button", { type: "button", class: "alarm", data: { alarm: alarm.id }, on: { click: () => listen.chosen(alarm.id) } },
    row.severity, row.what, row.where, row.chips, row.since, row.time);
  row.item = h("li", { class: isFollowing ? "new" : "", on: { animationend: () => row.item.classList.remove("new") } },
    h("label", { class: "tick" }, tick), row.button, fold);
  rows.set(alarm.id, row);
  return row;
}

export function toggleFold(id) {
  if (!unfolded.delete(id)) unfolded.add(id);
  listen.again();
}

/** Alarms of rules tell the lower end of a band (`docs/rules.md`). */
const isCounted = (alarm) => alarm.rule?.startsWith("urgent");

/** What is to be known of it at once, each as a mark of its own. */
function chipsOf(alarm, children) {
  const found = [];
  if (alarm.offeredTo) found.push(["offered", `→ ${alarm.offeredTo}`]);
  if (alarm.owner) found.push(["owner", `${word("owner")}\u00a0${alarm.owner}`]);
  else if (isOpen(alarm)) found.push(["nobody", word("state.nobodys")]);
  if (isShelved(alarm)) found.push(["calm", word("state.shelved")]);
  if (isPlanned(alarm)) found.push(["calm", word("planned")]);
  if (alarm.flapping && isOpen(alarm)) found.push(["calm", word("flapping")]);
  const below = Math.max(alarm.children ?? 0, children.length);
  if (below > 0) found.push(["calm", counted(below, "alarmsBelow")]);
  if (alarm.devices > 0) found.push(["calm", `${isCounted(alarm) ? "" : "≥ "}${counted(alarm.devices, "devices")}`]);
  if ((alarm.comment ?? []).length > 0) found.push(["calm", counted(alarm.comment.length, "comments")]);
  return found;
}

/** Fills a row, if anything of it is another than before: alarms that change are other objects. */
function fill(row, alarm, children, isChild, chosen) {
  const seen = [isChild, alarm.id === chosen, ticked.has(alarm.id), unfolded.has(alarm.id), children.length, document.documentElement.lang, today()].join();
  if (row.alarm === alarm && row.seen === seen) return;
  Object.assign(row, { alarm, seen });
  const { item } = row, severity = severityOf(alarm);
  item.dataset.severity = severity;
  item.classList.toggle("child", isChild);
  item.classList.toggle("chosen", alarm.id === chosen);
  item.classList.toggle("mine", Boolean(alarm.owner));
  if (alarm.id === chosen) row.button.setAttribute("aria-current", "true"); else row.button.removeAttribute("aria-current");
  put(row.severity, capital(word(severity)));
  put(row.what, what(alarm));
  put(row.where, where(alarm));
  row.tick.ariaLabel = `${word("tick")}: ${what(alarm)}`;
  row.tick.checked = ticked.has(alarm.id);
  row.chips.replaceChildren(...chipsOf(alarm, children).map(([name, text]) => h("span", { class: `tag ${name}` }, text)));
  put(row.since, `${word("since")}\u00a0${timeText(raisedAt(alarm))}`);
  row.time.dateTime = new Date(changedAt(alarm)).toISOString();
  row.time.title = timeText(changedAt(alarm));
  row.fold.hidden = children.length === 0;
  row.fold.setAttribute("aria-expanded", `${unfolded.has(alarm.id)}`);
  put(row.fold, number(children.length));
  row.fold.ariaLabel = `${word("fold")}: ${counted(children.length, "alarmsBelow")}`;
}

/** Draws what is wanted; `chosen`: the alarm that is looked at. */
export function drawList(isWanted, chosen, isFiltered) {
  const roots = tree(isWanted), lines = [];
  for (const root of roots) {
    lines.push({ ...root, isChild: false });
    if (unfolded.has(root.alarm.id)) for (const alarm of root.children) lines.push({ alarm, children: [], isChild: true, isQuiet: root.isQuiet });
  }
  const visible = lines.slice(0, shown), focused = document.activeElement;
  const kept = new Set(visible.map(({ alarm }) => alarm.id)), there = new Set(roots.flatMap(({ alarm, children }) => [alarm.id, ...children.map(({ id }) => id)]));
  for (const [id, row] of rows) if (!kept.has(id)) { row.item.remove(); rows.delete(id); }
  for (const id of ticked) if (!there.has(id)) ticked.delete(id);
  const items = visible.map(({ alarm, children, isChild, isQuiet }) => {
    const row = rows.get(alarm.id) ?? newRow(alarm);
    fill(row, alarm, children, isChild, chosen);
    row.item.classList.toggle("quiet", isQuiet);
    return row.item;
  });
  const quiet = visible.findIndex(({ isQuiet }) => isQuiet);
  divider.remove();
  put(divider, word("quiet"));
  if (quiet >= 0) items.splice(quiet, 0, divider);
  items.forEach((item, index) => { if (list.children[index] !== item) list.insertBefore(item, list.children[index] ?? null); });
  list.ariaLabel = word("alarms");
  order = visible.map(({ alarm }) => alarm.id);
  isFollowing = true;
  if (focused !== document.activeElement && list.contains(focused)) focused.focus({ preventScroll: true });
  more.hidden = lines.length <= shown;
  put(more, `${word("showMore")} (${number(lines.length - shown)})`);
  none.hidden = visible.length > 0;
  put(none, word(isFiltered ? "allHidden" : "noAlarms"));
  refreshTimes();
  return roots;
}

export function refreshTimes() {
  for (const { time, alarm } of rows.values()) put(time, ago(Math.max(0, serverNow() - changedAt(alarm))));
}

/** The alarm that has the focus, or else the one that is chosen. */
export const currentAlarm = (chosen) => document.activeElement?.closest?.("#alarm-list > li")?.querySelector(".alarm")?.dataset.alarm ?? chosen;

/** Moves the focus by rows; whether there was one to go to. */
export function moveFocus(by, chosen) {
  const at = order.indexOf(currentAlarm(chosen)), next = Math.max(0, Math.min(order.length - 1, at + by));
  if (order.length === 0) return false;
  focusRow(order[at < 0 ? 0 : next]);
  return true;
}

export function focusRow(id) {
  const button = rows.get(id)?.button ?? $("alarm-list")?.querySelector("button.alarm");
  button?.focus();
}
