// What contacts do to alarms, one or many: forms, and what the router made of it.

import { alarmOf, isOpen } from "../alarms/alarms.js";
import { h } from "../support/dom.js";
import { LoggedOut, act, fetchJSON } from "../support/server.js";
import { counted, number, word } from "../support/words.js";

/** How often a task that is not decided yet is asked for, and how often at most; how many alarms are acted on at once. */
const pause = 1000, looks = 30, atOnce = 4;
/** For how long an alarm is taken or shelved, in minutes. */
const spans = [30, 60, 240, 480, 1440, 10080];
/** What an act is called in the API, where that is another name. */
const calls = { useful: ["usefulness", { useful: true }], useless: ["usefulness", { useful: false }] };

/** Acts that make sense now for one alarm. Which of them are allowed is the router's to say. */
export function actsFor(alarm, session) {
  if (session.role === "viewer") return [];
  const me = session.contact, { owner, offeredTo, offeredBy, shelvedUntil } = alarm;
  if (!isOpen(alarm)) return ["comment", "useful", "useless"];
  const may = [];
  if (offeredTo === me) may.push("accept", "decline");
  else if (offeredBy === me) may.push("decline");
  if (!owner) may.push("acknowledge");
  if (owner === me) may.push("unacknowledge");
  if (!owner || owner === me) may.push("handover");
  return [...may, "comment", shelvedUntil ? "unshelve" : "shelve", "clear", "useful", "useless"];
}

/** Acts that make sense for at least one of several, in the order of the first. */
export const actsForAll = (alarms, session) => {
  const found = alarms.map((alarm) => actsFor(alarm, session));
  const order = ["accept", "decline", "acknowledge", "unacknowledge", "handover", "comment", "shelve", "unshelve", "clear", "useful", "useless"];
  return order.filter((name) => found.some((each) => each.includes(name)));
};

export const nameOf = (name, alarms, session) => word(name === "decline" && alarms.every(({ offeredBy }) => offeredBy === session.contact) ? "act.withdraw" : `act.${name}`);

const labelled = (input) => h("label", {}, h("span", { word: `field.${input.name}` }), input);
const text = (name, isNeeded) => () => labelled(h("input", { name, required: isNeeded, maxLength: 1000, autocomplete: "off" }));
const span = (minutes) => () => {
  const select = h("select", { name: "for_minutes" });
  for (const each of spans) select.append(new Option(spanText(each), each, each === minutes, each === minutes));
  return labelled(select);
};
const colleague = (names) => {
  const select = h("select", { name: "to", required: true });
  for (const each of names) select.append(new Option(each, each));
  return labelled(select);
};
/** What is asked before an act; of acts that are not here nothing is. */
const fields = {
  acknowledge: [span(480)], accept: [span(480)], handover: [colleague, text("note", false)],
  comment: [text("text", true)], shelve: [text("reason", true), span(60)], clear: [],
};
export const asks = (name) => name in fields;

function spanText(minutes) {
  if (minutes < 60) return counted(minutes, "minutes");
  return minutes < 1440 ? counted(minutes / 60, "hours") : counted(minutes / 1440, "days");
}

/** The parts of an act's form. */
export async function formOf(name, cancel) {
  const names = name === "handover" ? await colleagues() : [];
  if (name === "handover" && names.length === 0) return null;
  const ask = name === "clear" ? [h("p", { word: "clearSure" })] : [];
  return [...ask, ...fields[name].map((field) => field(names)), h("span", { class: "buttons" },
    h("button", { type: "submit", class: "primary", word: `act.${name}` }),
    h("button", { type: "button", word: "cancel", on: { click: cancel } }))];
}

/** To whom an alarm can be handed over now. */
async function colleagues() {
  const { contact, contacts } = await fetchJSON("v1/session");
  return contacts.filter((each) => each !== contact);
}

/** What was written into a form. */
export function membersOf(form) {
  const members = Object.fromEntries([...new FormData(form)].filter(([, value]) => value !== ""));
  if (members.for_minutes) members.for_minutes = Number(members.for_minutes);
  return members;
}

/** Hands an act to the server for each alarm and waits for the router's decisions; tasks and errors in the order of `ids`. */
export async function perform(ids, name, members) {
  const results = new Array(ids.length);
  let next = 0;
  await Promise.all(Array.from({ length: Math.min(atOnce, ids.length) }, async () => {
    while (next < ids.length) {
      const at = next++;
      results[at] = await performOne(ids[at], name, members).catch((error) => error);
    }
  }));
  const over = results.find((each) => each instanceof LoggedOut);
  if (over) document.dispatchEvent(new CustomEvent("session-over"));
  return results;
}

async function performOne(id, name, members) {
  const [call, more] = calls[name] ?? [name, {}];
  let task = await act(id, call, { ...members, ...more, version: alarmOf(id)?.handlingVersion ?? 0 });
  for (let look = 0; task.state === "pending" && look < looks; look += 1) {
    await new Promise((resume) => { setTimeout(resume, pause); });
    task = await fetchJSON(`v1/tasks/${task.id}`);
  }
  return task;
}

export const trouble = (error) => (error instanceof LoggedOut ? word("sessionOver") : error.message || word("offlineNow"));
export const isDone = (result) => result?.state === "done";

/** What became of a task, in words. */
export function answer({ act: name, state, code, reason }) {
  if (state === "pending") return word("undecided");
  if (state === "done") return `${word(`act.${name}`)}: ${word("done")}`;
  const known = word(`failed.${code}`);
  return `${word(`act.${name}`)}: ${known === `failed.${code}` ? reason : known}`;
}

/** What became of many, in words: how many are done, and why the others are not. */
export function summary(name, results) {
  if (results.length === 1) return results[0] instanceof Error ? trouble(results[0]) : answer(results[0]);
  const done = results.filter(isDone).length, reasons = new Set(results.filter((each) => !isDone(each)).map((each) => (each instanceof Error ? trouble(each) : answer(each))));
  return [`${word(`act.${name}`)}: ${number(done)} / ${number(results.length)} ${word("done")}`, ...reasons].join(" · ");
}
