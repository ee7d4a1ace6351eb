// What can be chosen: metric, operator, technology, period and size of cells. The choice stands behind the # of the
// page's address, so that a view can be kept and shared; it holds no secret.

import { fieldText, fieldTime, followsRecording, serverNow, timeText, zoneName } from "./clock.js";
import { drawable } from "./palette.js";
import { number, word } from "./words.js";

const $ = (id) => document.getElementById(id);
const hour = 3600000;
/** Periods that end now, in milliseconds; `custom` is from … to …. */
const periods = { hour, hours6: 6 * hour, day: 24 * hour, days3: 72 * hour, days8: 192 * hour, custom: 0 };
export const longestPeriod = "days8";
/** What one answer may span. */
const longest = 366 * 24 * hour;
const names = ["metric", "plmn", "technology", "period", "from", "to", "level"];
const levels = [8, 9, 10, 11, 12, 13, 14, 15, 16];

function options(select, entries) {
  const kept = select.value;
  select.replaceChildren(...entries.map(([value, text]) => new Option(text, value)));
  if (entries.some(([value]) => value === kept)) select.value = kept;
}

/** Width of a level's cells at the equator. */
export function cellWidth(level) {
  const kilometres = 40075 / 2 ** level;
  if (kilometres < 1) return `${number(Math.round(kilometres * 100) * 10)} m`;
  return `${number(kilometres, kilometres < 10 ? 1 : 0)} km`;
}

/** Fills the pickers with what this session may choose, in the language of now; what was chosen stays. */
export function fillPickers(session) {
  const isFirst = $("metric").options.length === 0;
  options($("metric"), session.metrics.filter(drawable).map((name) => [name, word(name)]));
  const all = ["", word("all")], unknown = session.regulator ? [["unknown", word("unknownOperator")]] : [];
  const operators = session.operators.map(({ plmn, name }) => [plmn, name === plmn ? plmn : `${name} (${plmn})`]);
  options($("plmn"), [all, ...operators, ...unknown]);
  options($("technology"), [all, ...session.technologies.map((name) => [name, word(`technology.${name}`)])]);
  options($("period"), Object.keys(periods).map((name) => [name, word(name)]));
  options($("level"), [["", word("byZoom")], ...levels.map((level) => [`${level}`, cellWidth(level)])]);
  if (!isFirst) return;
  $("period").value = followsRecording() ? "hour" : "day";
  readAddress();
  showFields();
}

function readAddress() {
  const parameters = new URLSearchParams(location.hash.slice(1));
  for (const name of names) {
    const field = $(name), value = parameters.get(name);
    if (value === null) continue;
    if (field.options && ![...field.options].some((option) => option.value === value)) continue;
    field.value = value;
  }
}

function writeAddress() {
  const isCustom = $("period").value === "custom";
  const chosen = names.filter((name) => $(name).value && (isCustom || !["from", "to"].includes(name)));
  history.replaceState(null, "", `#${new URLSearchParams(chosen.map((name) => [name, $(name).value]))}`);
}

/** From … to … is asked for only where it is chosen; it begins with the last 6 hours of the server. */
function showFields() {
  const isCustom = $("period").value === "custom";
  for (const label of document.querySelectorAll(".custom")) label.hidden = !isCustom;
  for (const zone of document.querySelectorAll(".zone")) zone.textContent = `(${zoneName()})`;
  if (!isCustom) return;
  if (!$("to").value) $("to").value = fieldText(serverNow());
  if (!$("from").value) $("from").value = fieldText(serverNow() - 6 * hour);
}

/** Calls back when something else was chosen. */
export function watchPickers(changed) {
  for (const name of names) {
    $(name).addEventListener("change", () => {
      showFields();
      writeAddress();
      changed();
    });
  }
}

export function choosePeriod(name) {
  $("period").value = name;
  $("period").dispatchEvent(new Event("change"));
}

/** The chosen period by the server's clock: `to` after `from`, and no longer than the server answers for. */
export function period() {
  const now = serverNow(), length = periods[$("period").value];
  if (length) return { from: now - length, to: now };
  const from = fieldTime($("from").value), to = fieldTime($("to").value);
  const end = Number.isNaN(to) ? now : to;
  return { from: Number.isNaN(from) || from > end ? end - hour : Math.max(from, end - longest), to: end };
}

export function periodText() {
  const { from, to } = period();
  return `${timeText(from)} – ${$("period").value === "custom" ? timeText(to) : word("now")}`;
}

/** Parameters of what was chosen, for the heat map; raw rows know no metric, technology and level. */
export function parameters(extra) {
  const { from, to } = period();
  const chosen = new URLSearchParams({ ...extra, from: `${from}`, to: `${to}` });
  if ($("plmn").value) chosen.set("plmn", $("plmn").value);
  return chosen;
}

export function heatmapPath(level, box) {
  const chosen = parameters({ metric: $("metric").value, level: `${level}` });
  if ($("technology").value) chosen.set("technology", $("technology").value);
  if (box) chosen.set("bbox", box);
  return `v1/heatmap?${chosen}`;
}

export const downloadPath = () => `v1/reports.csv?${parameters({})}`;
