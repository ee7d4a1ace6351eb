// Networks side by side on one scale: a point and its interval each. A rank stands only where networks are apart.

import { csv, h, table } from "../support/dom.js";
import { dayAndTime } from "../support/clock.js";
import { figure, quantileText, shown, unit, valueText } from "../support/metrics.js";
import { operatorName } from "../support/pickers.js";
import { ticks } from "../chart/scale.js";
import { number, word } from "../support/words.js";

/** The scale that several comparisons are drawn on, so that they can be compared by eye. */
export function scaleOf(comparisons) {
  const ends = comparisons.flatMap(({ metric, networks }) => networks.flatMap(({ value, interval, between }) => [...(interval ?? []), ...(between ?? []), value].filter((each) => each !== null && each !== undefined).map((each) => shown(metric, each))));
  if (ends.length === 0) return null;
  const found = ticks(Math.min(...ends), Math.max(...ends), 4);
  return { low: found[0], high: Math.max(found.at(-1), found[0] + 1e-9), found };
}

function bar(metric, { value, interval, between, state }, { low, high }) {
  const place = (each) => ((shown(metric, each) - low) / (high - low)) * 100;
  const box = h("span", { class: "bar-box", "aria-hidden": "true" });
  // An end that is open goes to the edge.
  const line = (className, ends) => {
    const made = h("i", { class: `${className}${ends[0] === null ? " from-open" : ""}${ends[1] === null ? " to-open" : ""}` }), from = ends[0] === null ? 0 : place(ends[0]), to = ends[1] === null ? 100 : place(ends[1]);
    made.style.left = `${from}%`;
    made.style.width = `${Math.max(0.5, to - from)}%`;
    box.append(made);
  };
  if (between) line("between", between);
  if (interval) line("whisker", interval);
  if (value === null) return box;
  const dot = h("i", { class: `dot ${state}` });
  dot.style.left = `${place(value)}%`;
  box.append(dot);
  return box;
}

const ends = (metric, found) => (found ? found.map((end) => (end === null ? "" : figure(metric, end))).join(" … ") : "–");
const devices = ({ devices: known, devices_at_least: least }) => (known === null || known === undefined ? (least ? `≥ ${number(least)}` : "–") : number(known));

/** What of a network's figure is not as it should be, in words. */
const stateText = ({ state, partial }) => [state === "ok" ? null : word(`cell.${state}`), partial ? word("partial") : null].filter(Boolean).join(", ");
const samples = ({ n, n_at_least: least }) => (least === undefined ? number(n ?? 0) : least === null ? "–" : `≥ ${number(least)}`);

/** A comparison as a table with bars. */
export function forest(comparison, common = null) {
  const { metric, networks, ranking } = comparison, range = common ?? scaleOf([comparison]);
  const isRanked = ranking === "complete", isReleased = networks.some(({ n_at_least: least }) => least !== undefined);
  const rows = networks.map((each) => [h("strong", {}, each.at ? `${operatorName(each.plmn)} · ${dayAndTime(each.at)}` : operatorName(each.plmn)), valueText(metric, each.value),
    range ? bar(metric, each, range) : "", ends(metric, each.interval), ...(isReleased ? [ends(metric, each.between)] : []), samples(each), devices(each), each.rank ? `${each.rank}.` : "", stateText(each)]);
  const made = table([word("operator"), quantileText(comparison.quantile), range ? axis(range, metric) : "", "95 %", ...(isReleased ? [word("between")] : []), "n", word("devices"), word("rank"), word("state")], rows, { numeric: [1, 3, 4, 5, 6, ...(isReleased ? [7] : [])], caption: word(metric) });
  made.classList.add("forest");
  const note = ranking === null || ranking === undefined || networks.every(({ value }) => value === null) ? null
    : h("p", { class: `verdict ${ranking}` }, isRanked ? word("rankComplete") : better(comparison) || word("rankInsufficient"));
  return h("div", {}, note, made);
}

/** Which networks are better than which as far as that can be said. */
function better({ networks }) {
  const lines = networks.filter(({ better_than: worse }) => worse?.length > 0).map(({ plmn, better_than: worse }) => `${operatorName(plmn)} ${word("betterThan")} ${worse.map(operatorName).join(", ")}`);
  return lines.length > 0 ? `${word("rankInsufficient")} ${lines.join("; ")}.` : "";
}

function axis({ found, low, high }, metric) {
  const box = h("span", { class: "axis" });
  for (const value of found) {
    const tick = h("b", {}, number(value, Math.abs(value) < 10 ? 1 : 0));
    tick.style.left = `${((value - low) / (high - low)) * 100}%`;
    box.append(tick);
  }
  box.title = unit(metric);
  return box;
}

/** Comparisons as rows, in the API's units. */
export function forestCSV(comparisons) {
  const rows = comparisons.flatMap((each) => each.networks.map((network) => [each.label ?? each.place?.english ?? "", network.plmn, operatorName(network.plmn), each.metric, each.quantile ?? 0.5,
    network.value, network.interval?.[0], network.interval?.[1], network.between?.[0], network.between?.[1], network.n ?? network.n_at_least, network.devices, network.devices_at_least, network.state, network.rank, each.ranking,
    new Date(network.from_ms ?? each.from_ms).toISOString(), new Date(network.to_ms ?? each.to_ms).toISOString(), new Date(each.as_of_ms).toISOString(), each.release]));
  return csv([["place", "plmn", "operator", "metric", "quantile", "value", "interval_low", "interval_high", "between_low", "between_high", "n", "devices", "devices_at_least", "state", "rank", "ranking", "from", "to", "as_of", "release"], ...rows]);
}
