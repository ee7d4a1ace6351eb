// How an alarm went: severities, who did what, who was told.

import { severityOf } from "../alarms/alarms.js";
import { timeText } from "../support/clock.js";
import { h } from "../support/dom.js";
import { LoggedOut, fetchJSON } from "../support/server.js";
import { capital, word } from "../support/words.js";
import { answer } from "./acts.js";

const at = (text) => timeText(Date.parse(text));
let shown = "";

/** The next time it is drawn it is asked for anew. */
export const forgetHistory = () => { shown = ""; };

/** Asked for once, and again when the alarm has become another. `current()`: the alarm that is looked at when the answer comes. */
export async function drawHistory(box, alarm, failed, current) {
  const stamp = `${alarm.id} ${alarm.handlingVersion} ${alarm.alarmChangedTime} ${severityOf(alarm)} ${document.documentElement.lang}`;
  if (stamp === shown) return;
  if (!shown.startsWith(alarm.id)) box.replaceChildren();
  shown = stamp;
  try {
    const { states, acts, deliveries = [] } = await fetchJSON(`v1/alarms/${alarm.id}/history`);
    if (current() !== alarm.id) return;
    const lines = [
      ...states.map(({ at: time, severity, state }) => [time, capital(word(state === "cleared" ? "cleared" : severity))]),
      ...acts.map((task) => [task.decided ?? task.created, actText(task)]),
      ...deliveries.map((each) => [each.at, `${word("told")} ${each.channel}: ${word(`delivery.${each.state}`)}${each.reason ? ` (${each.reason})` : ""}`]),
    ].sort(([one], [two]) => Date.parse(one) - Date.parse(two));
    box.replaceChildren(...lines.map(([time, line]) => h("li", {}, h("time", { dateTime: time }, at(time)), h("span", {}, line))));
  } catch (error) {
    shown = "";
    if (current() === alarm.id && !(error instanceof LoggedOut)) failed(error);
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
