// The live list of alarms: a snapshot, then server-sent events that the browser resumes by itself.

import { ago, counted, word } from "./words.js";

const order = ["critical", "major", "minor", "warning", "indeterminate", "cleared"];
const alarms = new Map();
let source = null, clockOffset = 0;

const severity = (alarm) => (alarm.state === "cleared" ? "cleared" : alarm.perceivedSeverity ?? "indeterminate");
const changed = (alarm) => Date.parse(alarm.alarmChangedTime ?? alarm.alarmRaisedTime ?? alarm.alarmReportingTime) || 0;

export async function openAlarms(fetchJSON, serverNow) {
  clockOffset = serverNow - Date.now();
  const snapshot = await fetchJSON("v1/alarms");
  alarms.clear();
  for (const alarm of snapshot.alarms) alarms.set(alarm.id, alarm);
  draw();
  closeAlarms();
  source = new EventSource(`v1/alarms/stream?last_event_id=${snapshot.last_event_id}`);
  source.onopen = () => say("live");
  source.onerror = () => say("reconnecting");
  source.addEventListener("alarm", (event) => {
    const alarm = JSON.parse(event.data);
    alarms.set(alarm.id, alarm);
    draw();
  });
  source.addEventListener("deleted", (event) => { alarms.delete(JSON.parse(event.data).id); draw(); });
  source.addEventListener("reset", () => openAlarms(fetchJSON, Date.now() + clockOffset));
}

export function closeAlarms() {
  source?.close();
  source = null;
}

function say(state) {
  const chip = document.getElementById("stream");
  chip.textContent = word(state);
  chip.dataset.state = state;
}

function entry(alarm) {
  const item = document.createElement("li");
  item.dataset.severity = severity(alarm);
  const title = document.createElement("strong");
  title.textContent = word(severity(alarm));
  const what = document.createElement("span");
  what.className = "what";
  what.textContent = [alarm.specificProblem ?? alarm.rule ?? alarm.probableCause, alarm.plmnName ?? alarm.plmn]
    .filter(Boolean).join(" · ");
  const more = document.createElement("span");
  more.className = "hint";
  const devices = alarm.devices ?? alarm.affectedDevices;
  const cell = alarm.cell || alarm.quadkey;
  more.textContent = [cell && `${word("cell").toLowerCase()} ${cell}`,
    devices && counted(devices, "devices")].filter(Boolean).join(" · ");
  const time = document.createElement("time");
  time.dataset.at = changed(alarm);
  if (changed(alarm)) time.dateTime = new Date(changed(alarm)).toISOString();
  item.append(title, time, what, more);
  if (!cell) return item;
  item.tabIndex = 0;
  item.setAttribute("role", "button");
  const go = () => document.dispatchEvent(new CustomEvent("show-cell", { detail: cell }));
  item.addEventListener("click", go);
  item.addEventListener("keydown", (event) => {
    if (event.key === "Enter" || event.key === " ") { event.preventDefault(); go(); }
  });
  return item;
}

export function draw() {
  const sorted = [...alarms.values()].sort((a, b) =>
    (severity(a) === "cleared") - (severity(b) === "cleared")
    || order.indexOf(severity(a)) - order.indexOf(severity(b)) || changed(b) - changed(a));
  document.getElementById("alarm-list").replaceChildren(...sorted.slice(0, 200).map(entry));
  document.getElementById("alarm-count").textContent = sorted.filter((a) => severity(a) !== "cleared").length;
  document.getElementById("no-alarms").hidden = sorted.length > 0;
  if (source) say(source.readyState === EventSource.OPEN ? "live" : "reconnecting");
  refreshTimes();
}

export function refreshTimes() {
  for (const time of document.querySelectorAll("#alarm-list time")) {
    const at = Number(time.dataset.at);
    time.textContent = at ? ago(Math.max(0, Date.now() + clockOffset - at)) : "";
  }
}
