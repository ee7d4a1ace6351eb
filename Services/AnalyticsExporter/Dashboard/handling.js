// One alarm: who has it, what was said about it, and what this contact may do to it. The router decides; what it says is shown.

import { cellOf, isOpen, severityOf } from "./alarms.js";
import { timeText } from "./clock.js";
import { placeOf } from "./places.js";
import { LoggedOut, act, fetchJSON } from "./server.js";
import { capital, counted, word } from "./words.js";

const $ = (id) => document.getElementById(id);
/** How often a task that is not decided yet is asked for, and how often at most. */
const pause = 1000, looks = 30;
/** For how long an alarm is taken or shelved, in minutes. */
const spans = [30, 60, 240, 480, 1440, 10080];

let alarm = null, session = null, describe = () => "", returnTo = () => {}, form = null, isBusy = false, shownHistory = "", colleagues = [];

/** `describe(alarm)`: what it is, in words; `left(id)`: called when an alarm is left, to put the focus elsewhere. */
export function openHandling(contact, words, left) {
  session = contact;
  describe = words;
  returnTo = left;
}

export const chosenAlarm = () => alarm?.id ?? null;

/** Shows an alarm; `isFocused` if somebody asked for it. */
export function showAlarm(chosen, isFocused) {
  const isOther = alarm?.id !== chosen.id;
  alarm = chosen;
  if (isOther) {
    closeForm();
    say("");
    shownHistory = "";
    $("history").open = false;
  }
  draw();
  if (!isFocused) return;
  $("alarm-title").focus({ preventScroll: true });
  $("alarm").scrollIntoView({ block: "nearest" });
}

export function leaveAlarm() {
  if (!alarm) return;
  const left = alarm.id, hadFocus = $("alarm").contains(document.activeElement);
  alarm = form = null;
  $("alarm").hidden = true;
  $("alarm-form").hidden = true;
  $("alarm-form").replaceChildren();
  if (hadFocus) returnTo(left);
}

function make(name, properties, ...children) {
  const made = Object.assign(document.createElement(name), properties);
  made.append(...children);
  return made;
}

const at = (text) => timeText(Date.parse(text));

/** Who has it, and until when. */
function standing() {
  const lines = [];
  const { owner, acknowledgedUntil, offeredTo, offeredBy, offerNote, shelvedUntil, shelvedBy, shelvedReason } = alarm;
  if (owner) lines.push(acknowledgedUntil ? `${owner} ${word("hasItUntil")} ${at(acknowledgedUntil)}` : `${owner} ${word("hadIt")}`);
  else if (isOpen(alarm)) lines.push(word("nobodyHasIt"));
  if (offeredTo) lines.push(`${offeredBy} ${word("offersItTo")} ${offeredTo}${offerNote ? `: ${offerNote}` : ""}`);
  if (shelvedUntil) lines.push(`${word("shelvedUntil")} ${at(shelvedUntil)} (${shelvedBy}): ${shelvedReason}`);
  const { plannedReason, plannedUntil, called } = alarm;
  if (plannedReason) lines.push(`${word("plannedWork")}${plannedUntil ? ` ${word("until")} ${at(plannedUntil)}` : ""}: ${plannedReason}`);
  if (called) lines.push(`${word("called")} ${called.join(", ")}`);
  if (alarm.clearUserId) lines.push(`${word("clearedBy")} ${alarm.clearUserId}`);
  return lines;
}

/** Acts that make sense now. Which of them are allowed is the router's to say. */
function acts() {
  if (session.role === "viewer") return [];
  const me = session.contact, { owner, offeredTo, offeredBy, shelvedUntil } = alarm;
  if (!isOpen(alarm)) return ["comment"];
  const may = [];
  if (offeredTo === me) may.push("accept", "decline");
  else if (offeredBy === me) may.push("decline");
  if (!owner) may.push("acknowledge");
  if (owner === me) may.push("unacknowledge");
  if (!owner || owner === me) may.push("handover");
  return [...may, "comment", shelvedUntil ? "unshelve" : "shelve", "clear"];
}

export function draw() {
  $("alarm").hidden = !alarm;
  if (!alarm) return;
  $("alarm").dataset.severity = severityOf(alarm);
  $("alarm-title").textContent = `${capital(word(severityOf(alarm)))} · ${describe(alarm)}`;
  $("alarm-place").textContent = cellOf(alarm) ? placeOf(cellOf(alarm)) : "";
  $("alarm-standing").replaceChildren(...standing().map((line) => make("li", { textContent: line })));
  const said = alarm.comment ?? [];
  $("alarm-comments").replaceChildren(...said.map(({ userId, time, comment }) =>
    make("li", {}, make("b", { textContent: `${userId} · ${at(time)}` }), make("span", { textContent: comment }))));
  drawActs();
  if ($("history").open) showHistory();
}

/** The buttons stay the same elements while the acts do, so that focus survives. */
function drawActs() {
  const wanted = acts(), box = $("alarm-acts");
  if (form && !wanted.includes(form)) closeForm();
  if ([...box.children].map(({ dataset }) => dataset.act).join() !== wanted.join()) {
    const focused = box.contains(document.activeElement) ? document.activeElement.dataset.act : null;
    box.replaceChildren(...wanted.map((name) => {
      const button = make("button", { type: "button" });
      button.dataset.act = name;
      button.addEventListener("click", () => begin(name));
      return button;
    }));
    if (focused) (box.querySelector(`[data-act="${focused}"]`) ?? $("alarm-title")).focus({ preventScroll: true });
  }
  for (const button of box.children) {
    const { act: name } = button.dataset;
    button.textContent = word(name === "decline" && alarm.offeredBy === session.contact ? "act.withdraw" : `act.${name}`);
    // A disabled button would lose the focus.
    button.setAttribute("aria-disabled", `${isBusy}`);
    if (name in fields) button.setAttribute("aria-expanded", `${form === name}`);
    else button.removeAttribute("aria-expanded");
  }
}

/** In the language of now, and of whatever the visitor changes to. */
function worded(name, key, properties = {}) {
  const made = make(name, { ...properties, textContent: word(key) });
  made.dataset.word = key;
  return made;
}
const labelled = (input) => make("label", {}, worded("span", `field.${input.name}`), input);
const text = (name, isNeeded) => () => labelled(make("input", { name, required: isNeeded, maxLength: 1000 }));
const span = (minutes) => () => {
  const select = make("select", { name: "for_minutes" });
  for (const each of spans) select.append(new Option(spanText(each), each, each === minutes, each === minutes));
  return labelled(select);
};
const colleague = () => {
  const select = make("select", { name: "to", required: true });
  for (const each of colleagues) select.append(new Option(each, each));
  return labelled(select);
};
/** What is asked before an act; of acts that are not here nothing is. */
const fields = {
  acknowledge: [span(480)], accept: [span(480)], handover: [colleague, text("note", false)],
  comment: [text("text", true)], shelve: [text("reason", true), span(60)], clear: [],
};

function spanText(minutes) {
  if (minutes < 60) return counted(minutes, "minutes");
  return minutes < 1440 ? counted(minutes / 60, "hours") : counted(minutes / 1440, "days");
}

async function begin(name) {
  if (isBusy) return;
  say("");
  if (form === name) return closeForm();
  if (!(name in fields)) return send(name, {});
  if (name === "handover" && !await findColleagues()) return;
  form = name;
  const asked = fields[name].map((field) => field());
  const ask = name === "clear" ? [worded("p", "clearSure")] : [];
  $("alarm-form").replaceChildren(...ask, ...asked, make("span", { className: "buttons" },
    worded("button", `act.${name}`, { type: "submit", className: "primary" }),
    worded("button", "cancel", { type: "button", onclick: closeForm })));
  $("alarm-form").hidden = false;
  drawActs();
  $("alarm-form").querySelector("input, select, button").focus();
}

/** Asks to whom an alarm can be handed over now; whether there is anybody. */
async function findColleagues() {
  const { id } = alarm;
  try {
    const { contact, contacts } = await fetchJSON("v1/session");
    colleagues = contacts.filter((each) => each !== contact);
    if (colleagues.length === 0) say(word("nobodyElse"), true);
  } catch (error) {
    colleagues = [];
    if (alarm?.id === id) say(trouble(error), true);
  }
  return alarm?.id === id && colleagues.length > 0;
}

const trouble = (error) => (error instanceof LoggedOut ? word("sessionOver") : error.message || word("offlineNow"));

function closeForm() {
  if (!form) return;
  const name = form, hadFocus = $("alarm-form").contains(document.activeElement);
  form = null;
  $("alarm-form").hidden = true;
  $("alarm-form").replaceChildren();
  drawActs();
  if (hadFocus) ($("alarm-acts").querySelector(`[data-act="${name}"]`) ?? $("alarm-title")).focus({ preventScroll: true });
}

function say(text, isError = false) {
  $("alarm-answer").textContent = text;
  $("alarm-answer").classList.toggle("error", isError);
}

/** Hands an act to the server and waits for the router's decision. */
async function send(name, members) {
  const { id, handlingVersion } = alarm;
  isBusy = true;
  drawActs();
  say(word("waiting"));
  try {
    let task = await act(id, name, { ...members, version: handlingVersion ?? 0 });
    for (let look = 0; task.state === "pending" && look < looks; look += 1) {
      await new Promise((resume) => { setTimeout(resume, pause); });
      task = await fetchJSON(`v1/tasks/${task.id}`);
    }
    if (alarm?.id !== id) return;
    if (task.state === "done") closeForm();
    say(answer(task), task.state !== "done");
    shownHistory = "";
    if ($("history").open) showHistory();
  } catch (error) {
    if (alarm?.id !== id) return;
    say(trouble(error), true);
  } finally {
    isBusy = false;
    if (alarm) drawActs();
  }
}

/** What became of a task, in words. */
function answer({ act: name, state, code, reason }) {
  if (state === "pending") return word("undecided");
  if (state === "done") return `${word(`act.${name}`)}: ${word("done")}`;
  const known = word(`failed.${code}`);
  return `${word(`act.${name}`)}: ${known === `failed.${code}` ? reason : known}`;
}

/** How it went: severities, and who did what. Asked for once, and again when the alarm has become another. */
async function showHistory(isAsked = false) {
  const { id } = alarm, stamp = `${id} ${alarm.handlingVersion} ${alarm.alarmChangedTime} ${severityOf(alarm)} ${document.documentElement.lang}`;
  if (stamp === shownHistory) return;
  shownHistory = stamp;
  try {
    const { states, acts: done } = await fetchJSON(`v1/alarms/${id}/history`);
    if (alarm?.id !== id) return;
    const lines = [
      ...states.map(({ at: time, severity, state }) => [time, capital(word(state === "cleared" ? "cleared" : severity))]),
      ...done.map((task) => [task.decided ?? task.created, actText(task)]),
    ].sort(([one], [two]) => Date.parse(one) - Date.parse(two));
    $("history-lines").replaceChildren(...lines.map(([time, line]) =>
      make("li", {}, make("time", { textContent: at(time), dateTime: time }), make("span", { textContent: line }))));
    if (isAsked) $("history").scrollIntoView({ block: "nearest" });
  } catch (error) {
    shownHistory = "";
    if (alarm?.id === id && !(error instanceof LoggedOut)) say(trouble(error), true);
  }
}

function actText(task) {
  const parts = [`${task.contact}: ${word(`act.${task.act}`)}`];
  if (task.to) parts.push(`→ ${task.to}`);
  if (task.until) parts.push(`${word("until")} ${at(task.until)}`);
  if (task.text) parts.push(`“${task.text}”`);
  if (task.state !== "done") parts.push(`(${answer(task)})`);
  return parts.join(" ");
}

$("alarm-form").addEventListener("submit", (event) => {
  event.preventDefault();
  if (!form || isBusy) return;
  const members = Object.fromEntries([...new FormData(event.target)].filter(([, value]) => value !== ""));
  if (members.for_minutes) members.for_minutes = Number(members.for_minutes);
  send(form, members);
});
$("alarm-close").addEventListener("click", leaveAlarm);
$("alarm").addEventListener("keydown", (event) => {
  if (event.key !== "Escape") return;
  event.stopPropagation();
  if (form) closeForm();
  else leaveAlarm();
});
$("history").addEventListener("toggle", () => { if (alarm && $("history").open) showHistory(true); });
