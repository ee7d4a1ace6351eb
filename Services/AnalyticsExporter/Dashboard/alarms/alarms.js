// The alarms of this server: a snapshot, then server-sent events from where it ended, while somebody is logged in.

import { serverNow } from "../support/clock.js";
import { areaOf } from "../support/places.js";
import { LoggedOut, checkSession, fetchJSON } from "../support/server.js";

export const severities = ["critical", "major", "minor", "warning", "indeterminate", "cleared"];
/** Alarms that have not changed for so long are shown as quiet. */
const quietAfter = 3600000;
const soon = 2000, later = 10000;

const alarms = new Map();
let source = null, lastEvent = "", retry = null, patience = soon, listener = null;

export const severityOf = (alarm) => {
  const named = alarm.state === "cleared" ? "cleared" : alarm.perceivedSeverity;
  return severities.includes(named) ? named : "indeterminate";
};
const time = (text) => Date.parse(text) || 0;
export const raisedAt = (alarm) => time(alarm.alarmRaisedTime ?? alarm.alarmReportingTime);
export const changedAt = (alarm) => time(alarm.alarmChangedTime) || raisedAt(alarm);
export const cellOf = (alarm) => alarm.cell || "";
/** An alarm of no network: something that the home itself owes. */
export const isOwn = (alarm) => ["erasure.late", "rewards.float"].includes(alarm.rule);
export const isOpen = (alarm) => alarm.state !== "cleared";
export const isShelved = (alarm) => Boolean(alarm.shelvedUntil);
/** One of which another tells: the parent of its storm, or its cause. */
const isSpokenFor = (alarm) =>
  (alarm.parentAlarm ?? []).some(({ id }) => alarms.has(id)) || alarms.has(alarm.suppressedBy);
/** One that was raised during planned work. */
export const isPlanned = (alarm) => Boolean(alarm.plannedBy);
/** Shelved, or raised during planned work: listed, and not announced. */
const isQuiet = (alarm) => isShelved(alarm) || isPlanned(alarm);
const rank = (alarm) => severities.indexOf(severityOf(alarm));

/**
 * Begins to follow the alarms.
 *
 * `listen` has `changed()`, `raised(alarm)` for one that is new, worse or cleared, `stream(state)` with "live" or
 * "reconnecting", and `loggedOut()`.
 */
export async function openAlarms(listen) {
  closeAlarms();
  listener = listen;
  try {
    await takeSnapshot();
    connect();
  } catch (error) { comeBack(error); }
}

export function closeAlarms() {
  clearTimeout(retry);
  source?.close();
  source = listener = null;
  alarms.clear();
  // Who logs in next may be another, and begins with a list of its own.
  lastEvent = "";
}

async function takeSnapshot() {
  const mine = listener, found = [];
  let first = null, next = "";
  do {
    const page = await fetchJSON(`v1/alarms${next && `?cursor=${next}`}`);
    if (mine !== listener) return;
    found.push(...page.alarms);
    first ??= page.last_event_id;
    next = page.next ?? "";
  } while (next);
  alarms.clear();
  for (const alarm of found) alarms.set(alarm.id, alarm);
  // What changed since the first page was made comes by the stream.
  lastEvent = `${first}`;
  listener.changed();
}

function connect() {
  if (!listener) return;
  source = new EventSource(`v1/alarms/stream?last_event_id=${lastEvent}`);
  source.onopen = () => { patience = soon; listener?.stream("live"); };
  source.onerror = () => comeBack();
  source.addEventListener("alarm", (event) => { lastEvent = event.lastEventId; take(JSON.parse(event.data)); });
  source.addEventListener("deleted", (event) => {
    lastEvent = event.lastEventId;
    alarms.delete(JSON.parse(event.data).id);
    listener?.changed();
  });
  source.addEventListener("reset", () => openAlarms(listener));
}

/** A browser that reconnects by itself would log an error when the session is over; so it is asked for first. */
function comeBack(error) {
  source?.close();
  source = null;
  if (!listener) return;
  if (error instanceof LoggedOut) return listener.loggedOut();
  listener.stream("reconnecting");
  clearTimeout(retry);
  retry = setTimeout(async () => {
    try {
      await checkSession();
      if (lastEvent === "") await takeSnapshot();
      connect();
    } catch (again) { comeBack(again); }
  }, patience);
  patience = Math.min(later, patience * 1.5);
}

function take(alarm) {
  const before = alarms.get(alarm.id), wasHidden = before && isSpokenFor(before);
  alarms.set(alarm.id, alarm);
  const isOver = severityOf(alarm) === "cleared" && before && severityOf(before) !== "cleared";
  const isNew = !before || ((wasHidden || isQuiet(before)) && severityOf(alarm) !== "cleared");
  const isNews = isNew || isOver || rank(alarm) < rank(before);
  if (isNews && !isSpokenFor(alarm) && !isQuiet(alarm)) listener?.raised(alarm);
  listener?.changed();
}

/** The alarm of an id, as it is now; undefined if it is gone. */
export const alarmOf = (id) => alarms.get(id);

/** Who has an alarm, by name. */
export const owners = () =>
  [...new Set([...alarms.values()].map(({ owner }) => owner).filter(Boolean))].sort((one, two) => one.localeCompare(two));

/** Which alarm tells of this one: the parent of its storm, or its cause; undefined if it speaks for itself. */
const speakerOf = (alarm) => (alarm.parentAlarm ?? []).map(({ id }) => id).find((id) => alarms.has(id))
  ?? (alarms.has(alarm.suppressedBy) ? alarm.suppressedBy : undefined);

export const allAlarms = () => alarms.values();
/** Without news for an hour, or over. */
export const isQuietNow = (alarm) =>
  severityOf(alarm) === "cleared" || (serverNow() - changedAt(alarm) > quietAfter && !isOwn(alarm));

/**
 * Wanted alarms as a list of roots, each `{alarm, children}`: parents before children. Of a root that is not wanted itself
 * a wanted child is enough. Those that changed in the last hour come first, then the worst, then the latest.
 */
export function tree(isWanted) {
  const below = new Map(), found = [];
  for (const alarm of alarms.values()) {
    const speaker = speakerOf(alarm);
    if (speaker === undefined || !isWanted(alarm)) continue;
    if (!below.has(speaker)) below.set(speaker, []);
    below.get(speaker).push(alarm);
  }
  /** Symptoms of a child of a storm are listed with the storm. */
  const all = (id, depth = 0) => (below.get(id) ?? []).flatMap((alarm) => [alarm, ...(depth < 3 ? all(alarm.id, depth + 1) : [])]);
  for (const alarm of alarms.values()) {
    if (speakerOf(alarm) !== undefined) continue;
    const children = all(alarm.id);
    if (isWanted(alarm) || children.length > 0) found.push({ alarm, children, isQuiet: isQuietNow(alarm), rank: rank(alarm), at: changedAt(alarm) });
  }
  for (const root of found) root.children.sort((a, b) => rank(a) - rank(b) || changedAt(b) - changedAt(a));
  return found.sort((a, b) => a.isQuiet - b.isQuiet || a.rank - b.rank || b.at - a.at);
}

/** Wanted alarms of one operator, one rule and one town as one, without those of which others tell: those that changed in the last hour first, then the worst. */
export function groups(isWanted) {
  const found = new Map();
  for (const alarm of alarms.values()) {
    if (isSpokenFor(alarm) || !isWanted(alarm)) continue;
    const key = [alarm.plmn, alarm.rule, severityOf(alarm), areaOf(cellOf(alarm))].join("|");
    if (!found.has(key)) found.set(key, { key, severity: severityOf(alarm), area: areaOf(cellOf(alarm)), members: [] });
    found.get(key).members.push(alarm);
  }
  for (const group of found.values()) {
    group.members.sort((a, b) => changedAt(b) - changedAt(a));
    group.changed = changedAt(group.members[0]);
    group.since = Math.min(...group.members.map(raisedAt));
    const isOld = serverNow() - group.changed > quietAfter && !isOwn(group.members[0]);
    group.isQuiet = group.severity === "cleared" || isOld;
  }
  const place = (group) => severities.indexOf(group.severity);
  return [...found.values()].sort((a, b) => a.isQuiet - b.isQuiet || place(a) - place(b) || b.changed - a.changed);
}
