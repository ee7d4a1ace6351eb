// Which alarms are listed: by search, severity, state, owner, network, place and rule. All of it stands in the address.

import { allAlarms, isOpen, isShelved, owners, severities, severityOf } from "../alarms/alarms.js";
import { searched } from "../alarms/texts.js";
import { parameter, set, several } from "../support/address.js";
import { $, h } from "../support/dom.js";
import { choice, entry } from "../support/pickers.js";
import { isIn, regionName, regionOf, regions } from "../support/regions.js";
import { countedSeverity, word } from "../support/words.js";

let session = null, chips = null, fields = [];

/** Alarms by how they stand. Shelved ones are hidden from everything but what asks for them. */
const states = {
  "": (alarm) => !isShelved(alarm),
  open: (alarm) => isOpen(alarm) && !isShelved(alarm),
  nobodys: (alarm) => isOpen(alarm) && !alarm.owner && !isShelved(alarm),
  taken: (alarm) => isOpen(alarm) && Boolean(alarm.owner) && !isShelved(alarm),
  offered: (alarm) => alarm.offeredTo === session.contact && !isShelved(alarm),
  shelved: isShelved,
  over: (alarm) => !isOpen(alarm),
};

export function makeFilters(contact) {
  session = contact;
  chips = h("div", { id: "severities", role: "group", wordLabel: "severities" });
  const known = (key) => [...new Set([...allAlarms()].map((alarm) => alarm[key]).filter(Boolean))].sort();
  const ownerNames = () => [...new Set([...owners(), parameter("owner")].filter(Boolean))];
  const search = entry("q", "search", { type: "search", maxLength: 100, placeholder: "…" });
  const input = search.querySelector("input");
  // What is written is to be seen before the list is drawn; of several keys that come meanwhile the list is drawn once.
  let waiting = null;
  input.addEventListener("input", () => { waiting ??= requestAnimationFrame(() => setTimeout(() => {
    waiting = null;
    if (input.isConnected) set({ q: input.value }, false);
  })); });
  const { draw } = search;
  search.draw = () => { if (waiting === null) draw(); };
  fields = [search,
    choice("state", "state", () => Object.keys(states).map((name) => [name, word(name ? `state.${name}` : "all")])),
    choice("owner", "whose", () => [["", word("anybody")], ...ownerNames().map((name) => [name, name === session.contact ? `${name} (${word("you")})` : name])]),
    choice("network", "operator", () => [["", word("all")], ...session.operators.map(({ plmn, name }) => [plmn, name])]),
    choice("place", "place", () => [["", word("everywhere")], ...regions().map((each) => [each.id, regionName(each)])]),
    choice("rule", "rule", () => [["", word("all")], ...known("rule").map((name) => [name, name])])];
  const box = h("div", { class: "fields" }, fields);
  const more = h("button", { id: "more-filters", type: "button", "aria-expanded": "false", word: "filters", on: { click: () => {
    more.setAttribute("aria-expanded", `${box.classList.toggle("open")}`);
  } } });
  box.append(more);
  return h("div", { id: "filters" }, chips, box);
}

/** Whether the address asks for an alarm, but for its severity. */
function matcher() {
  const has = states[parameter("state")] ?? states[""], owner = parameter("owner"), network = parameter("network");
  const rule = parameter("rule"), region = regionOf(parameter("place")), words = parameter("q").toLowerCase().split(/\s+/).filter(Boolean);
  return (alarm) => {
    if (!has(alarm) || (owner && alarm.owner !== owner) || (network && alarm.plmn !== network) || (rule && alarm.rule !== rule)) return false;
    if (region && !(alarm.cell && isIn(alarm.cell, region))) return false;
    if (words.length === 0) return true;
    const text = searched(alarm);
    return words.every((each) => text.includes(each));
  };
}

/** Whether an alarm is listed. */
export function wanted() {
  const matches = matcher(), chosen = several("severity");
  return (alarm) => (chosen.length === 0 || chosen.includes(severityOf(alarm))) && matches(alarm);
}

/** Switches count all alarms that the other filters leave. */
export function drawFilters() {
  for (const field of fields) field.draw();
  const matches = matcher(), counts = Object.fromEntries(severities.map((severity) => [severity, 0])), chosen = several("severity");
  for (const alarm of allAlarms()) if (matches(alarm)) counts[severityOf(alarm)] += 1;
  severities.forEach((severity) => {
    const chip = chips.querySelector(`[data-severity="${severity}"]`) ?? chips.appendChild(h("button", { type: "button", data: { severity }, on: { click: () => toggle(severity) } }));
    const isShown = chosen.length === 0 || chosen.includes(severity);
    chip.hidden = counts[severity] === 0 && chosen.length === 0;
    chip.setAttribute("aria-pressed", `${isShown}`);
    chip.textContent = countedSeverity(counts[severity], severity);
  });
}

/** Of all, one that is pressed is taken away; of some, one comes or goes; all of them again are none in the address. */
function toggle(severity) {
  const chosen = several("severity"), shown = chosen.length === 0 ? severities : chosen;
  const next = severities.filter((each) => (each === severity ? !shown.includes(each) : shown.includes(each)));
  set({ severity: next.length === severities.length || next.length === 0 ? null : next.join(",") });
}

export const isFiltered = () => ["q", "state", "owner", "network", "place", "rule", "severity"].some((name) => parameter(name));
export const clearFilters = () => set({ q: null, state: null, owner: null, network: null, place: null, rule: null, severity: null });
export const focusSearch = () => { $("q").focus(); $("q").select(); };
