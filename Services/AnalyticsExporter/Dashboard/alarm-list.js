// The list of alarms: one entry for all alarms of an operator, a rule and a town; entries stay the same elements while
// their text changes, so that focus and what is unfolded survive.

import { alarmOf, cellOf, changedAt, counts, groups, isOpen, isOwn, isPlanned, isShelved, owners, severities, severityOf } from "./alarms.js";
import { serverNow, timeText } from "./clock.js";
import { chosenAlarm, leaveAlarm, showAlarm } from "./handling.js";
import { placeOf } from "./places.js";
import { ago, capital, counted, countedSeverity, number, word } from "./words.js";

const $ = (id) => document.getElementById(id);
const shown = 100, members = 50;
const entries = new Map(), hidden = new Set();
const divider = element("li", "divider");
let operators = new Map(), onShow = () => {}, isFollowing = false, me = "";

/** `names`: operators by PLMN; `contact`: who looks; `show(quadkeys)`: called when somebody wants to see where. */
export function openAlarmList(names, contact, show) {
  operators = names;
  me = contact;
  onShow = show;
}

/** Alarms by how they stand. Shelved ones are hidden from everything but what asks for them. */
const states = {
  "": (alarm) => !isShelved(alarm),
  nobodys: (alarm) => isOpen(alarm) && !alarm.owner && !isShelved(alarm),
  taken: (alarm) => isOpen(alarm) && Boolean(alarm.owner) && !isShelved(alarm),
  offered: (alarm) => alarm.offeredTo === me && !isShelved(alarm),
  shelved: isShelved,
  over: (alarm) => !isOpen(alarm),
};
const isWanted = (alarm) =>
  states[$("alarm-state").value](alarm) && (!$("alarm-owner").value || alarm.owner === $("alarm-owner").value);

const operator = (plmn) => operators.get(plmn) ?? (plmn === "unknown" || !plmn ? word("unknownOperator") : plmn);
const problem = (alarm) => {
  const key = `rule.${`${alarm.rule}`.replace(/^(storm\.)?(urgent|built-in)\./, "own.")}`, known = word(key);
  return known === key ? (alarm.specificProblem ?? alarm.probableCause ?? "") : known;
};
export const what = (alarm) => `${isOwn(alarm) ? "Nkul" : operator(alarm.plmn)} · ${problem(alarm)}`;

/** What a screen reader says of a new alarm. */
export const announcement = (alarm) =>
  `${capital(word(severityOf(alarm)))}: ${what(alarm)}${isOwn(alarm) ? "" : `, ${placeOf(cellOf(alarm))}`}`;

/** Groups that are shown: those of severities that are not switched off. */
export const visibleGroups = () => groups(isWanted).filter((group) => !hidden.has(group.severity));

function element(name, className, text) {
  const made = document.createElement(name);
  if (className) made.className = className;
  if (text !== undefined) made.textContent = text;
  return made;
}

const put = (node, text) => { if (node.textContent !== text) node.textContent = text; };

function newEntry(key) {
  const item = element("li", isFollowing ? "new" : ""), open = element("button", "alarm");
  open.type = "button";
  const part = (name, className) => open.appendChild(element(name, className));
  const entry = { item, severity: part("strong"), time: part("time"), what: part("span", "what"),
    where: part("span", "hint"), more: element("details"), summary: element("summary"), list: element("ul"),
    cells: [], members: [] };
  entry.more.append(entry.summary, entry.list);
  item.append(open, entry.more);
  // An element that is moved in the list would play its arrival again.
  item.addEventListener("animationend", () => item.classList.remove("new"));
  open.addEventListener("click", () => {
    select(entry, entry.cells);
    if (entry.members.length === 1) showAlarm(entry.members[0], true);
    else entry.more.open = true;
  });
  entry.more.addEventListener("toggle", () => fillMembers(entry));
  entries.set(key, entry);
  return entry;
}

/** Shows where, and in the list whose place it is. */
function select(entry, quadkeys) {
  for (const other of entries.values()) other.item.classList.toggle("chosen", other === entry);
  onShow(quadkeys);
}

function fillMembers(entry) {
  if (!entry.more.open) return entry.list.replaceChildren();
  const focused = document.activeElement?.dataset?.alarm;
  entry.list.replaceChildren(...entry.members.slice(0, members).map((alarm) => {
    const row = element("li"), button = element("button", "", placeOf(cellOf(alarm)));
    button.type = "button";
    button.dataset.alarm = alarm.id;
    button.title = cellOf(alarm);
    button.addEventListener("click", () => {
      select(entry, [cellOf(alarm)].filter(Boolean));
      showAlarm(alarmOf(alarm.id) ?? alarm, true);
    });
    const news = [counted(alarm.records ?? 1, "reports"), timeText(changedAt(alarm)), alarm.owner].filter(Boolean);
    row.append(button, element("span", "hint", news.join(" · ")));
    return row;
  }));
  const left = entry.members.length - members;
  if (left > 0) entry.list.append(element("li", "hint", `+ ${number(left)}`));
  if (focused) entry.list.querySelector(`[data-alarm="${CSS.escape(focused)}"]`)?.focus();
}

function fill(entry, group) {
  const { item } = entry, alone = group.members.length === 1, first = group.members[0];
  const reports = group.members.reduce((sum, alarm) => sum + (alarm.records ?? 1), 0);
  item.dataset.severity = group.severity;
  item.classList.toggle("quiet", group.isQuiet);
  put(entry.severity, capital(word(group.severity)));
  entry.time.dateTime = new Date(group.changed).toISOString();
  entry.time.dataset.at = group.changed;
  put(entry.what, what(first));
  const children = group.members.reduce((sum, alarm) => sum + (alarm.children ?? 0), 0);
  const where = isOwn(first) ? [counted(reports, "erasuresLate")]
    : [alone ? placeOf(cellOf(first)) : group.area, counted(reports, "reports")];
  if (children > 0) where.push(counted(children, "places"));
  if (group.members.some(isPlanned)) where.push(word("planned"));
  if (group.members.some(({ flapping, state }) => flapping && state !== "cleared")) where.push(word("flapping"));
  const whose = [...new Set(group.members.map(({ owner }) => owner).filter(Boolean))];
  if (whose.length > 0) where.push(`${word("owner")}\u00a0${whose.join(", ")}`);
  put(entry.where, [...where, `${word("since")}\u00a0${timeText(group.since)}`].join(" · "));
  entry.more.hidden = alone;
  put(entry.summary, counted(group.members.length, "places"));
  entry.members = group.members;
  entry.cells = group.members.map(cellOf).filter(Boolean);
  if (entry.more.open) fillMembers(entry);
}

export function drawAlarms() {
  const list = $("alarm-list"), visible = visibleGroups().slice(0, shown);
  const keys = new Set(visible.map(({ key }) => key));
  for (const [key, entry] of entries) if (!keys.has(key)) { entry.item.remove(); entries.delete(key); }
  const focused = document.activeElement;
  const items = visible.map((group) => {
    const entry = entries.get(group.key) ?? newEntry(group.key);
    fill(entry, group);
    return entry.item;
  });
  const quiet = visible.findIndex(({ isQuiet }) => isQuiet);
  divider.remove();
  put(divider, word("quiet"));
  if (quiet >= 0) items.splice(quiet, 0, divider);
  items.forEach((item, index) => {
    if (list.children[index] !== item) list.insertBefore(item, list.children[index] ?? null);
  });
  isFollowing = entries.size > 0;
  if (focused !== document.activeElement && list.contains(focused)) focused.focus({ preventScroll: true });
  drawSeverities();
  drawFilters();
  $("no-alarms").hidden = visible.length > 0;
  $("no-alarms").textContent = word(Object.values(counts(() => true)).some((count) => count > 0) ? "allHidden" : "noAlarms");
  refreshTimes();
  const chosen = alarmOf(chosenAlarm());
  if (chosen) showAlarm(chosen, false);
  else leaveAlarm();
}

/** The filters by state and by who has it, in the language of now; what was chosen stays, also if nobody has that any more. */
function drawFilters() {
  const has = $("alarm-owner"), names = owners();
  if (has.value && !names.includes(has.value)) names.push(has.value);
  options($("alarm-state"), Object.keys(states).map((name) => [name, word(name ? `state.${name}` : "all")]));
  options(has, [["", word("anybody")], ...names.map((name) => [name, name === me ? `${name} (${word("you")})` : name])]);
}

/** Changes nothing where nothing changed: an open list would close. */
function options(select, entries) {
  if (entries.length === select.options.length
    && entries.every(([value, text], index) => select.options[index].value === value && select.options[index].text === text)) return;
  const kept = select.value;
  select.replaceChildren(...entries.map(([value, text]) => new Option(text, value)));
  select.value = kept;
}

for (const id of ["alarm-state", "alarm-owner"]) {
  $(id).addEventListener("change", () => {
    drawAlarms();
    document.dispatchEvent(new CustomEvent("severities"));
  });
}

/** The focus goes back to the alarm that was left. */
export function returnTo(id) {
  const entry = [...entries.values()].find(({ members }) => members.some((alarm) => alarm.id === id));
  entry?.item.querySelector(entry.more.open ? `[data-alarm="${CSS.escape(id)}"]` : "button.alarm")?.focus();
}

/** One switch a severity that there is, with its count. */
function drawSeverities() {
  const found = counts(isWanted), box = $("severities");
  for (const severity of severities) {
    let button = box.querySelector(`[data-severity="${severity}"]`);
    if (!button) {
      button = box.appendChild(element("button"));
      button.type = "button";
      button.dataset.severity = severity;
      button.addEventListener("click", () => {
        if (!hidden.delete(severity)) hidden.add(severity);
        drawAlarms();
        document.dispatchEvent(new CustomEvent("severities"));
      });
    }
    button.hidden = found[severity] === 0 && !hidden.has(severity);
    button.setAttribute("aria-pressed", `${!hidden.has(severity)}`);
    put(button, countedSeverity(found[severity], severity));
  }
}

export function refreshTimes() {
  for (const time of document.querySelectorAll("#alarm-list time")) {
    put(time, ago(Math.max(0, serverNow() - Number(time.dataset.at))));
    time.title = timeText(Number(time.dataset.at));
  }
}

export function clearAlarmList() {
  for (const entry of entries.values()) entry.item.remove();
  divider.remove();
  isFollowing = false;
  entries.clear();
  hidden.clear();
  leaveAlarm();
  for (const id of ["alarm-state", "alarm-owner"]) $(id).value = "";
}
