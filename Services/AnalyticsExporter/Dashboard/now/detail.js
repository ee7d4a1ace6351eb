// Beside the list: one alarm with who has it, what was said, its history and its evidence; or several that are acted on together.

import { alarmOf, cellOf, isOpen, severityOf } from "../alarms/alarms.js";
import { what } from "../alarms/texts.js";
import { link } from "../support/address.js";
import { timeText } from "../support/clock.js";
import { $, h, put } from "../support/dom.js";
import { customPeriod } from "../support/pickers.js";
import { placeOf } from "../support/places.js";
import { capital, counted, word } from "../support/words.js";
import { actsFor, actsForAll, asks, formOf, isDone, membersOf, nameOf, perform, summary, trouble } from "./acts.js";
import { Evidence, metricOf, spanOf } from "./evidence.js";
import { drawHistory, forgetHistory } from "./history.js";

const at = (text) => timeText(Date.parse(text));
let session = null, alarms = [], form = null, isBusy = false, leave = () => {}, evidence = null;

/** `left()`: called when somebody closes it. */
export function makeDetail(contact, left) {
  session = contact;
  leave = left;
  alarms = [];
  form = null;
  evidence = new Evidence();
  const root = h("section", { id: "alarm", hidden: true, "aria-labelledby": "alarm-title" },
    h("div", { class: "head" }, h("h2", { id: "alarm-title", tabIndex: -1 }),
      h("button", { id: "alarm-close", type: "button", class: "quiet", wordLabel: "close", on: { click: () => leave() } }, "×")),
    h("p", { id: "alarm-place", class: "hint" }), h("ul", { id: "alarm-standing" }),
    h("div", { id: "alarm-acts", role: "group", wordLabel: "acts" }),
    h("form", { id: "alarm-form", hidden: true, on: { submit: submitted } }), h("p", { id: "alarm-answer", role: "status" }),
    h("p", { id: "alarm-links" }), evidence.root, h("ol", { id: "alarm-comments" }),
    h("details", { id: "history", open: true, on: { toggle: () => { if ($("history").open) showHistory(); } } }, h("summary", { word: "history" }), h("ol", { id: "history-lines" })));
  root.addEventListener("keydown", (event) => {
    if (event.key !== "Escape") return;
    event.stopPropagation();
    if (form) closeForm(); else leave();
  });
  return root;
}

export const shownAlarms = () => alarms.map(({ id }) => id);

/** Shows alarms that there are: one with everything, several with what can be done to all. */
export function showDetail(ids) {
  const found = ids.map(alarmOf).filter(Boolean), isOther = found.map(({ id }) => id).join() !== shownAlarms().join();
  alarms = found;
  if (isOther) {
    closeForm();
    say("");
    forgetHistory();
  }
  draw();
}

function draw() {
  $("alarm").hidden = alarms.length === 0;
  if (alarms.length === 0) return evidence.clear();
  const [alarm] = alarms, isOne = alarms.length === 1;
  $("alarm").dataset.severity = isOne ? severityOf(alarm) : "";
  put($("alarm-title"), isOne ? `${capital(word(severityOf(alarm)))} · ${what(alarm)}` : counted(alarms.length, "alarmsChosen"));
  put($("alarm-place"), isOne ? (cellOf(alarm) ? placeOf(cellOf(alarm)) : "") : "");
  $("alarm-standing").replaceChildren(...(isOne ? standing(alarm) : alarms.map(what)).map((line) => h("li", {}, line)));
  const said = isOne ? alarm.comment ?? [] : [];
  $("alarm-comments").replaceChildren(...said.map(({ userId, time, comment }) => h("li", {}, h("b", {}, `${userId} · ${at(time)}`), h("span", {}, comment))));
  $("history").hidden = !isOne;
  drawLinks(isOne ? alarm : null);
  drawActs();
  if (!isOne) return evidence.clear();
  evidence.show(alarm);
  if ($("history").open) showHistory();
}

/** Who has it, and until when. */
function standing(alarm) {
  const { owner, acknowledgedUntil, offeredTo, offeredBy, offerNote, shelvedUntil, shelvedBy, shelvedReason } = alarm, lines = [];
  if (owner) lines.push(acknowledgedUntil ? `${owner} ${word("hasItUntil")} ${at(acknowledgedUntil)}` : `${owner} ${word("hadIt")}`);
  else if (isOpen(alarm)) lines.push(word("nobodyHasIt"));
  if (offeredTo) lines.push(`${offeredBy} ${word("offersItTo")} ${offeredTo}${offerNote ? `: ${offerNote}` : ""}`);
  if (shelvedUntil) lines.push(`${word("shelvedUntil")} ${at(shelvedUntil)} (${shelvedBy}): ${shelvedReason}`);
  const { plannedReason, plannedUntil, called, suppressedBy } = alarm;
  if (plannedReason) lines.push(`${word("plannedWork")}${plannedUntil ? ` ${word("until")} ${at(plannedUntil)}` : ""}: ${plannedReason}`);
  if (suppressedBy && alarmOf(suppressedBy)) lines.push(`${word("causedBy")} ${what(alarmOf(suppressedBy))}`);
  if (called) lines.push(`${word("called")} ${called.join(", ")}`);
  if (alarm.clearUserId) lines.push(`${word("clearedBy")} ${alarm.clearUserId}`);
  if (alarm.useful || alarm.notUseful) lines.push(`${word("act.useful")}: ${alarm.useful ?? 0} · ${word("act.useless")}: ${alarm.notUseful ?? 0}`);
  return lines;
}

/** Where else to look at the same network, place and time. */
function drawLinks(alarm) {
  const box = $("alarm-links");
  if (!alarm || !cellOf(alarm)) return box.replaceChildren();
  const { from, to } = spanOf(alarm), shared = { metric: metricOf(alarm), plmn: alarm.plmn === "unknown" ? null : alarm.plmn, ...customPeriod(from, to) };
  box.replaceChildren(h("a", { href: link("map", { ...shared, cells: cellOf(alarm) }), word: "showOnMap" }),
    h("a", { href: link("trends", { ...shared, place: `cell:${cellOf(alarm)}` }), word: "showTrend" }));
}

/** The buttons stay the same elements while the acts do, so that focus survives. */
function drawActs() {
  const wanted = mayAll(), box = $("alarm-acts");
  if (form && !wanted.includes(form)) closeForm();
  if ([...box.children].map(({ dataset }) => dataset.act).join() !== wanted.join()) {
    const focused = box.contains(document.activeElement) ? document.activeElement.dataset.act : null;
    box.replaceChildren(...wanted.map((name) => h("button", { type: "button", data: { act: name }, on: { click: () => begin(name) } })));
    if (focused) (box.querySelector(`[data-act="${focused}"]`) ?? $("alarm-title")).focus({ preventScroll: true });
  }
  for (const button of box.children) {
    const { act: name } = button.dataset;
    put(button, nameOf(name, alarms, session));
    // A disabled button would lose the focus.
    button.setAttribute("aria-disabled", `${isBusy}`);
    if (asks(name)) button.setAttribute("aria-expanded", `${form === name}`);
  }
}

/** By a key an alarm is taken at once, for as long as the form offers first. */
const atOnce = { acknowledge: { for_minutes: 480 } };

/** Begins an act by its key; whether it makes sense for what is shown. */
export function beginByKey(name) {
  const members = atOnce[name];
  if (!members || isBusy || !mayAll().includes(name)) return begin(name);
  send(name, members);
  return true;
}

const mayAll = () => (alarms.length === 1 ? actsFor(alarms[0], session) : actsForAll(alarms, session));

/** Begins an act by its button; whether it makes sense for what is shown. */
function begin(name) {
  if (!mayAll().includes(name)) return false;
  if (!isBusy) open(name);
  return true;
}

async function open(name) {
  const ids = shownAlarms().join();
  say("");
  if (form === name) return closeForm();
  if (!asks(name)) return send(name, {});
  try {
    const parts = await formOf(name, closeForm);
    if (shownAlarms().join() !== ids) return;
    if (parts === null) return say(word("nobodyElse"), true);
    form = name;
    $("alarm-form").replaceChildren(...parts);
  } catch (error) {
    if (shownAlarms().join() === ids) say(trouble(error), true);
    return;
  }
  $("alarm-form").hidden = false;
  drawActs();
  $("alarm-form").querySelector("input, select, button").focus();
}

/** Closes the form of an act; whether there was one. */
export function closeForm() {
  if (!form || !$("alarm-form")) return false;
  const name = form, hadFocus = $("alarm-form").contains(document.activeElement);
  form = null;
  $("alarm-form").hidden = true;
  $("alarm-form").replaceChildren();
  drawActs();
  if (hadFocus) ($("alarm-acts").querySelector(`[data-act="${name}"]`) ?? $("alarm-title")).focus({ preventScroll: true });
  return true;
}

function say(text, isError = false) {
  put($("alarm-answer"), text);
  $("alarm-answer").classList.toggle("error", isError);
}

/** Only those of several for which an act makes sense are acted on. */
async function send(name, members) {
  const ids = alarms.filter((alarm) => actsFor(alarm, session).includes(name)).map(({ id }) => id), shown = shownAlarms().join();
  isBusy = true;
  drawActs();
  say(word("waiting"));
  const results = await perform(ids, name, members);
  isBusy = false;
  if (!$("alarm") || shownAlarms().join() !== shown) return;
  const areDone = results.every(isDone);
  if (areDone) closeForm();
  say(summary(name, results), !areDone);
  forgetHistory();
  drawActs();
  if (alarms.length === 1 && $("history").open) showHistory();
}

function submitted(event) {
  event.preventDefault();
  if (form && !isBusy) send(form, membersOf(event.target));
}

function showHistory() {
  if (alarms.length === 1) drawHistory($("history-lines"), alarms[0], (error) => say(trouble(error), true), () => shownAlarms()[0]);
}
