// Scales and colours of the metrics. Best, middle and low bounds of download, upload, latency and RSRP are those of the
// Austrian regulator's map (RTR); the others are ours and the legend says so. Where there is a worst value, the red
// below the low bound darkens towards it, so that a congested cell stands out from one that is merely slow.

import { number, word } from "./words.js";

const speed = { logarithmic: true, unit: "Mbit/s", per: 1000, official: true };
const metrics = {
  download_kbps: { best: 100000, middle: 10000, low: 5000, worst: 1000, ...speed },
  upload_kbps: { best: 50000, middle: 5000, low: 2500, worst: 500, ...speed },
  latency_ms: { best: 10, middle: 25, low: 75, worst: 300, logarithmic: true, unit: "ms", official: true },
  rsrp_dbm: { best: -85, middle: -95, low: -111, unit: "dBm", official: true },
  rssi_dbm: { best: -65, middle: -85, low: -100, unit: "dBm" },
  rsrq_db: { best: -10, middle: -15, low: -20, unit: "dB" },
  sinr_db: { best: 20, middle: 10, low: 0, unit: "dB" },
  jitter_ms: { best: 5, middle: 20, low: 50, unit: "ms" },
  loss_pct: { best: 0, middle: 1, low: 5, unit: "%" },
  rating: { best: 5, middle: 3, low: 1, unit: "★" },
};
const plain = { best: 1, middle: 0.5, low: 0, unit: "" };

const scale = (metric) => metrics[metric] ?? plain;
export const drawable = (metric) => metric in metrics;

function figure(metric, value) {
  const shown = value / (scale(metric).per ?? 1);
  return number(shown, Math.abs(shown) < 1 ? 2 : Math.abs(shown) < 10 ? 1 : 0);
}

/** "7.3 Mbit/s", or a dash where there is no value. */
export const valueText = (metric, value) => (value === null ? "–" : `${figure(metric, value)} ${scale(metric).unit}`);

const worst = [128, 0, 24], low = [214, 32, 44], middle = [247, 202, 24], best = [20, 148, 74];
const mix = (a, b, part) => a.map((value, index) => Math.round(value + (b[index] - value) * part));
const css = (parts) => `rgb(${parts.join(" ")})`;

/** The bounds of a scale from the worst to the best, each with its colour. */
function stops(metric) {
  const { best: b, middle: m, low: l, worst: w } = scale(metric);
  return [...(w === undefined ? [] : [[w, worst]]), [l, low], [m, middle], [b, best]];
}

/** The colour of a value: dark red, red at the low bound, yellow at the middle, green at or beyond the best. */
export function colour(metric, value) {
  if (value === null) return "rgb(140 140 150)";
  const { best: b, middle: m, logarithmic } = scale(metric), found = stops(metric);
  const place = (x) => (logarithmic ? Math.log(Math.max(x, 1e-3)) : x) * (b > m ? 1 : -1);
  const next = found.findIndex(([bound]) => place(value) < place(bound));
  if (next === 0) return css(found[0][1]);
  if (next < 0) return css(found.at(-1)[1]);
  const [from, lower] = found[next - 1], [to, upper] = found[next];
  return css(mix(lower, upper, (place(value) - place(from)) / (place(to) - place(from))));
}

function element(name, className, text) {
  return Object.assign(document.createElement(name), { className, textContent: text ?? "" });
}

function key(className, text) {
  const line = element("span", "key");
  line.append(element("i", className), text);
  return line;
}

/** Fills the legend: the colours with their bounds, what else is drawn, and whose scale it is. */
export function drawLegend(box, metric) {
  const { best: b, middle: m, unit, official } = scale(metric), found = stops(metric), end = found.length - 1;
  const bar = element("i", "bar"), ticks = element("span", "ticks"), [less, more] = b > m ? ["≤ ", "≥ "] : ["≥ ", "≤ "];
  bar.style.background = `linear-gradient(to right, ${found.map(([, shade]) => css(shade)).join(", ")})`;
  ticks.append(...found.map(([bound], index) =>
    element("b", "", (index === 0 ? less : index === end ? more : "") + figure(metric, bound))));
  box.replaceChildren(element("strong", "", `${word(metric)}, ${unit}`), bar, ticks, key("none", word("noValue")), key("few", word("tooFew")),
    key("ring", word("activeAlarm")), element("small", "", word(official ? "scaleRTR" : "scaleOurs")));
}
