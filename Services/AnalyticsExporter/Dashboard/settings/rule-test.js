// What a rule would have raised in the last days, beside what the rule in its place did: the server plays its raw rows through both.

import { dayAndTime, format, fromLocal, serverNow, timeText, toLocal } from "../support/clock.js";
import { h, table } from "../support/dom.js";
import { operatorName } from "../support/pickers.js";
import { placeOf } from "../support/places.js";
import { postJSON } from "../support/server.js";
import { capital, counted, number, word } from "../support/words.js";

const day = 86400000, hour = 3600000;
/** Lines of the timeline, and rows of the table, at most. */
const mostLines = 30, mostRows = 200;

/** The whole local day before today, or some days up to now. */
function span(days) {
  const midnight = Math.floor(toLocal(serverNow()) / day) * day;
  return days === 1 ? { from: fromLocal(midnight - day), to: fromLocal(midnight) } : { from: Math.round(serverNow() - days * day), to: Math.round(serverNow()) };
}

/**
 * Buttons, and a place for what they find. `read()`: name and document as they are written, null if they cannot be read;
 * `failed(error)`: shows what the server refuses.
 */
export function ruleTest(path, { read, failed, say }) {
  const root = h("section", { id: "rule-test", wordLabel: "ruleTest", tabIndex: -1, hidden: true });
  const buttons = [["test-yesterday", "testYesterday", 1], ["test-week", "testWeek", 7]].map(([id, key, days]) => h("button", { id, type: "button", word: key, on: { click: () => run(days) } }));
  let turn = 0;
  async function run(days) {
    const written = read();
    if (!written) return;
    const mine = ++turn;
    for (const button of buttons) button.disabled = true;
    say(word("testing"), false);
    try {
      const answer = await postJSON(`${path}/${written.id}/test`, { document: written.document, ...span(days) });
      if (mine !== turn) return;
      say("", false);
      root.replaceChildren(...draw(answer));
      root.hidden = false;
      root.scrollIntoView({ block: "nearest" });
    } catch (error) { if (mine === turn) failed(error); } finally { if (mine === turn) for (const button of buttons) button.disabled = false; }
  }
  return { root, buttons, forget: () => { turn += 1; root.hidden = true; for (const button of buttons) button.disabled = false; } };
}

/** What lies in a storm is told by its parent. */
const toldOf = (alarms) => alarms.filter(({ is_child: isChild }) => !isChild);

function draw(answer) {
  const alarms = toldOf(answer.alarms), gone = toldOf(answer.in_force?.gone ?? []), fresh = answer.in_force ? alarms.filter(({ in_force: known }) => !known) : [];
  const head = h("p", { id: "test-verdict", class: `verdict ${answer.alarm_count === 0 ? "insufficient" : ""}` }, verdict(answer, alarms, fresh, gone));
  const all = [...alarms.map((each) => ({ ...each, mark: answer.in_force && !each.in_force ? "new" : "" })), ...gone.map((each) => ({ ...each, mark: "gone" }))].sort((a, b) => a.raised_ms - b.raised_ms);
  const notes = h("ul", { class: "hint" }, notesOf(answer).map((text) => h("li", {}, text)));
  return [h("h3", { word: "ruleTest" }), head, all.length > 0 ? timeline(answer, all) : null, all.length > 0 ? list(answer, all) : null, notes].filter(Boolean);
}

function verdict(answer, alarms, fresh, gone) {
  const when = `${dayAndTime(answer.from_ms)} – ${dayAndTime(answer.to_ms)}`;
  const found = `${when}: ${word("wouldRaise")} ${counted(alarms.length, "testAlarms")}.`;
  if (!answer.in_force) return `${found} ${word("noneInForce")}`;
  if (answer.in_force.is_same) return `${found} ${word("sameAsInForce")}`;
  return `${found} ${word("besideInForce")} ${number(fresh.length)} ${word("testNew")}, ${number(gone.length)} ${word("testGone")}.`;
}

function notesOf(answer) {
  const lines = [`${word("testRows")}: ${number(answer.rows)}`];
  if (answer.tested_to_ms < answer.to_ms) lines.push(`${word("testedTo")} ${dayAndTime(answer.tested_to_ms)}.`);
  if (answer.rows_unplaced > 0) lines.push(`${number(answer.rows_unplaced)} ${word("testUnplaced")}`);
  if (answer.rows_late > 0) lines.push(`${number(answer.rows_late)} ${word("testLate")}`);
  return [...lines, ...answer.left_out.map((name) => word(`leftOut.${name}`))];
}

const who = ({ owner }) => (owner.startsWith("plmn:") ? operatorName(owner.slice(5)) : owner);
const where = ({ cell, object }) => object ?? (cell ? placeOf(cell) : word("everywhere"));
const devices = ({ devices_at_least: least }) => `≥ ${number(least)}`;

/** A line for each operator and place, with a bar while its alarm would have gone on. */
function timeline(answer, all) {
  const from = answer.from_ms, length = answer.to_ms - from, part = (at) => `${(Math.min(Math.max(at - from, 0), length) / length) * 100}%`;
  const lines = [...Map.groupBy(all, (each) => `${each.owner} ${each.cell ?? each.object ?? ""}`).values()];
  const step = [hour, 3 * hour, 6 * hour, day].find((each) => length / each <= 8) ?? day;
  const marks = [];
  for (let local = Math.ceil(toLocal(from) / step) * step; fromLocal(local) < answer.to_ms; local += step) marks.push(fromLocal(local));
  const tick = (at) => { const mark = h("b", {}, format(at, step === day ? { weekday: "short", day: "numeric" } : { hour: "2-digit", minute: "2-digit", hourCycle: "h23" })); mark.style.left = part(at); return mark; };
  const bar = (each) => {
    const made = h("i", { class: each.mark, data: { severity: each.severity }, title: `${timeText(each.raised_ms)} – ${each.cleared_ms ? timeText(each.cleared_ms) : "…"}` });
    made.style.left = part(each.raised_ms);
    made.style.width = `max(4px, calc(${part(each.cleared_ms ?? answer.to_ms)} - ${part(each.raised_ms)}))`;
    return made;
  };
  const rows = lines.slice(0, mostLines).map((group) => h("div", { class: "line" }, h("span", {}, h("strong", {}, who(group[0])), ` ${where(group[0])}`), h("span", { class: "track" }, group.map(bar))));
  return h("div", { class: "timeline", "aria-hidden": "true" }, h("div", { class: "line" }, h("span"), h("span", { class: "track ticks" }, marks.map(tick))), rows,
    lines.length > mostLines ? h("p", { class: "hint" }, `+ ${number(lines.length - mostLines)}`) : null);
}

/** The same in words. */
function list(answer, all) {
  const state = ({ mark, in_force: known }) => (mark ? word(mark === "new" ? "testIsNew" : "testIsGone") : !answer.in_force ? "" : known ? `${word("testIsBoth")} ${timeText(known.raised_ms)}` : "");
  const heads = ["since", "until", "operator", "place", "severity", "devices"].map((key) => capital(word(key)));
  const made = table([...heads, ...(answer.in_force ? [word("testBeside")] : [])], all.slice(0, mostRows).map((each) => [
    `${each.began_before ? "< " : ""}${timeText(each.raised_ms)}`, each.cleared_ms ? timeText(each.cleared_ms) : word("testStillOn"), who(each), `${where(each)}${each.children > 0 ? ` (${counted(each.children, "alarmsBelow")})` : ""}`,
    h("span", { class: "severity", data: { severity: each.severity } }, word(each.severity)), devices(each), ...(answer.in_force ? [state(each)] : [])]), { numeric: [5], caption: word("ruleTest") });
  made.id = "test-alarms";
  return made;
}
