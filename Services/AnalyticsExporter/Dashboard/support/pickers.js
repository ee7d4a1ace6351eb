// What can be chosen of figures, as fields that stand in the address.

import { parameter, set, several } from "./address.js";
import { fieldText, fieldTime, followsRecording, serverNow, timeText, zoneName } from "./clock.js";
import { fillOptions, h } from "./dom.js";
import { drawable } from "./metrics.js";
import { classes, figuresName, released } from "./released.js";
import { number, word } from "./words.js";

const hour = 3600000;
/** Periods that end now, in milliseconds; `custom` is from … to …. */
const periods = { hour, hours6: 6 * hour, day: 24 * hour, days3: 72 * hour, days7: 168 * hour, days8: 192 * hour, days30: 720 * hour,
  days90: 2160 * hour, custom: 0 };
/** What one answer may span. */
const longest = 366 * 24 * hour;
let session = null;

/** Takes over who looks, and so what there is to choose. */
export const openPickers = (told) => { session = told; };

export const operatorName = (plmn) =>
  session?.networks.find((each) => each.plmn === plmn)?.name ?? (plmn === "unknown" || !plmn ? word("unknownOperator") : plmn);

/** A field with its name above it. */
export const labelled = (key, input, className) => h("label", { class: className }, h("span", { word: key }), input);

/** A list to choose from that writes into the address; `entries()` are values and texts in the language of now. */
export function choice(name, key, entries, fallback = () => "") {
  const select = h("select", { id: name, on: { change: () => set({ [name]: select.value === fallback() ? null : select.value }) } });
  const field = labelled(key, select);
  field.draw = () => {
    fillOptions(select, entries());
    select.value = parameter(name) || fallback();
    // What the address says and nobody offers is shown all the same.
    if (select.value !== (parameter(name) || fallback())) {
      select.append(new Option(parameter(name), parameter(name)));
      select.value = parameter(name);
    }
  };
  return field;
}

/** A text or number that writes into the address once it was written. */
export function entry(name, key, properties = {}) {
  const input = h("input", { id: name, ...properties, on: { change: () => { if (input.checkValidity()) set({ [name]: input.value }); else input.reportValidity(); } } });
  const field = labelled(key, input);
  field.draw = () => { if (document.activeElement !== input || !input.value) input.value = parameter(name); };
  return field;
}

const named = ({ plmn, name }) => (name === plmn ? plmn : `${name} (${plmn})`);

const firstMetric = () => session.metrics.find(drawable);
export const metricPicker = () => choice("metric", "metric", () => session.metrics.filter(drawable).map((name) => [name, word(name)]), firstMetric);
export const metric = () => (session.metrics.includes(parameter("metric")) && drawable(parameter("metric")) ? parameter("metric") : firstMetric());

/** Networks to choose from: those that one may see, or of released figures all. */
const offered = () => (released() ? session.networks : session.operators);

/** Whether the address names one network that there is to choose here, or none. A link may come from where there are others. */
export const isOneOffered = () => ["", "unknown", ...offered().map(({ plmn }) => plmn)].includes(parameter("plmn"));

export const operatorPicker = () => choice("plmn", "operator", () => [["", word("all")], ...offered().map((each) => [each.plmn, named(each)]),
  ...(session.regulator && !released() ? [["unknown", word("unknownOperator")]] : [])]);

export const technologyPicker = () => choice("technology", "technology", () =>
  [["", word("all")], ...(released() && released() !== "technology" ? [] : session.technologies.map((name) => [name, word(`technology.${name}`)]))]);

/** Live figures, or a class of releases. A day is released nine days later: a shorter period would show none. */
export function figuresPicker() {
  const select = h("select", { id: "figures", on: { change: () => set({ figures: select.value || null,
    ...(["final", "technology"].includes(select.value) && parameter("period") !== "custom" ? { period: "days30" } : {}) }) } });
  const field = labelled("figures", select);
  field.draw = () => {
    fillOptions(select, [["", figuresName("live")], ...classes.map((name) => [name, figuresName(name)])]);
    select.value = released() ?? "";
  };
  return field;
}

/** Several operators, each with a switch; none chosen means `most` of those there are. */
export function operatorSwitches(most = 8) {
  const box = h("fieldset", { class: "switches", id: "operators" });
  box.draw = () => {
    const chosen = operators(most), focused = box.contains(document.activeElement) ? document.activeElement.value : null;
    box.replaceChildren(h("legend", { word: "operators" }), ...offered().map((each) => {
      const tick = h("input", { type: "checkbox", value: each.plmn, checked: chosen.includes(each.plmn), on: { change: () => {
        const next = offered().map(({ plmn }) => plmn).filter((plmn) => (plmn === each.plmn ? tick.checked : chosen.includes(plmn)));
        if (next.length === 0 || next.length > most) { tick.checked = !tick.checked; return; }
        set({ plmn: next.join(",") });
      } } });
      return h("label", { class: "switch" }, tick, h("span", {}, each.name));
    }));
    if (focused) box.querySelector(`[value="${CSS.escape(focused)}"]`)?.focus();
  };
  return box;
}

/** Chosen operators that there are; if none is chosen, the first ones. */
export function operators(most = 8) {
  const known = offered().map(({ plmn }) => plmn), chosen = several("plmn").filter((plmn) => known.includes(plmn));
  return (chosen.length > 0 ? chosen : known).slice(0, most);
}

const defaultPeriod = () => (followsRecording() ? "hour" : "day");
const periodName = (fallback) => (parameter("period") in periods ? parameter("period") : fallback ?? defaultPeriod());

/** The period, with two more fields for one that is written; `names`: those that are offered. */
export function periodPicker(names, fallback) {
  const select = choice("period", "period", () => [...names, "custom"].map((name) => [name, word(name)]), () => fallback ?? defaultPeriod());
  const input = (name) => h("input", { id: name, type: "datetime-local", on: { change: () => set({ [name]: fields[name].value }) } });
  const fields = { from: input("from"), to: input("to") };
  const zone = h("span", { class: "zone" }), more = ["from", "to"].map((name) => labelled(name, fields[name], "custom"));
  const box = h("span", { class: "group" }, select, ...more, zone);
  box.draw = () => {
    select.draw();
    const isCustom = periodName(fallback) === "custom";
    for (const field of [...more, zone]) field.hidden = !isCustom;
    zone.textContent = `(${zoneName()})`;
    if (!isCustom) return;
    const { from, to } = period(fallback);
    if (document.activeElement !== fields.from) fields.from.value = fieldText(from);
    if (document.activeElement !== fields.to) fields.to.value = fieldText(to);
  };
  return box;
}

/** The chosen period by the server's clock: `to` after `from`, and no longer than the server answers for. */
export function period(fallback) {
  const now = serverNow(), length = periods[periodName(fallback)];
  if (length) return { from: now - length, to: now, isOver: false };
  const from = fieldTime(parameter("from")), to = fieldTime(parameter("to"));
  const end = Number.isNaN(to) ? now : to;
  return { from: Number.isNaN(from) ? end - 6 * hour : from >= end ? end - hour : Math.max(from, end - longest), to: end, isOver: end < now - hour };
}

/** Parameters of an address for a period that is written. */
export const customPeriod = (from, to) => ({ period: "custom", from: fieldText(from), to: fieldText(to) });

export function periodText(fallback) {
  const { from, to } = period(fallback);
  return `${timeText(from)} – ${periodName(fallback) === "custom" ? timeText(to) : word("now")}`;
}

/** Width of a level's cells at the equator. */
export function cellWidth(level) {
  const kilometres = 40075 / 2 ** level;
  if (kilometres < 1) return `${number(Math.round(kilometres * 100) * 10)} m`;
  return `${number(kilometres, kilometres < 10 ? 1 : 0)} km`;
}
