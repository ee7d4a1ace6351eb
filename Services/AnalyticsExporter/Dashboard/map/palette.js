// Colours of the map. Lightness alone orders them, dark is bad: eyes that tell red from green no better than each other
// see the same order (Tests/Page computes the distances).

import { h } from "../support/dom.js";
import { figure, isHigherBetter, scale, unit } from "../support/metrics.js";
import { word } from "../support/words.js";

const worst = [74, 6, 42], low = [176, 44, 66], middle = [236, 146, 58], best = [176, 226, 178];
const mix = (a, b, part) => a.map((value, index) => Math.round(value + (b[index] - value) * part));
const css = (parts) => `rgb(${parts.join(" ")})`;

/** The bounds of a scale from the worst to the best, each with its colour. */
function stops(metric) {
  const { best: b, middle: m, low: l, worst: w } = scale(metric);
  return [...(w === undefined ? [] : [[w, worst]]), [l, w === undefined ? worst : low], [m, middle], [b, best]];
}

/** Red, green and blue of what has no value that is sure enough. */
export const grey = [140, 140, 150];

/** The colour of a value as style sheets have it. */
export const colour = (metric, value) => css(shader(metric)(value));

/** What gives red, green and blue of a metric's values: darkest at the worst bound, lightest at or beyond the best. */
export function shader(metric) {
  const { logarithmic } = scale(metric), sign = isHigherBetter(metric) ? 1 : -1;
  const place = (x) => (logarithmic ? Math.log(Math.max(x, 1e-3)) : x) * sign, found = stops(metric).map(([bound, shade]) => [place(bound), shade]);
  return (value) => {
    if (value === null) return grey;
    const at = place(value), next = found.findIndex(([bound]) => at < bound);
    if (next === 0) return found[0][1];
    if (next < 0) return found.at(-1)[1];
    const [from, lower] = found[next - 1], [to, upper] = found[next];
    return mix(lower, upper, (at - from) / (to - from));
  };
}

/** The same of a share of values that are below a threshold: all of them bad, or all of them good. */
export function shareShade(metric, share) {
  if (share === null || share === undefined) return grey;
  const good = isHigherBetter(metric) ? 1 - share : share;
  const found = [[0, worst], [0.33, low], [0.66, middle], [1, best]];
  const next = Math.max(1, found.findIndex(([bound]) => good <= bound)), [from, lower] = found[next - 1], [to, upper] = found[next];
  return mix(lower, upper, (good - from) / (to - from));
}

const key = (className, text) => h("span", { class: "key" }, h("i", { class: className }), text);

/** Fills the legend: the colours with their bounds, what else is drawn, and whose scale it is. `below`: a threshold whose shares are drawn. */
export function drawLegend(box, metric, below) {
  const found = stops(metric), end = found.length - 1, isShare = below !== "";
  const bar = h("i", { class: "bar" }), ticks = h("span", { class: "ticks" });
  const [less, more] = isHigherBetter(metric) ? ["≤ ", "≥ "] : ["≥ ", "≤ "];
  const shades = isShare ? [worst, low, middle, best] : found.map(([, shade]) => shade);
  bar.style.background = `linear-gradient(to right, ${shades.map(css).join(", ")})`;
  if (isShare) ticks.append(...(isHigherBetter(metric) ? ["100 %", "0 %"] : ["0 %", "100 %"]).map((text) => h("b", {}, text)));
  else ticks.append(...found.map(([bound], index) => h("b", {}, (index === 0 ? less : index === end ? more : "") + figure(metric, bound))));
  const title = isShare ? `${word(metric)}: ${word("shareBelow")} ${below}` : `${word(metric)}, ${unit(metric)}`;
  box.replaceChildren(h("strong", {}, title), bar, ticks, key("few", word("fewDevices")), key("thin", word("tooFew")),
    key("ring", word("activeAlarm")), h("small", {}, word(scale(metric).official ? "scaleRTR" : "scaleOurs")));
}
