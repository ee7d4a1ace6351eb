// Scales and colours of the metrics. Best, middle and low bounds of download, upload, latency and RSRP are those of the
// Austrian regulator's map (RTR); the others are ours and the legend says so.

import { number, word } from "./words.js";

const megabits = (value) => `${number(value / 1000, value < 10000 ? 1 : 0)} Mbit/s`;
const unit = (name, digits = 0) => (value) => `${number(value, digits)} ${name}`;

const metrics = {
  download_kbps: { best: 100000, middle: 10000, low: 5000, logarithmic: true, text: megabits, official: true },
  upload_kbps: { best: 50000, middle: 5000, low: 2500, logarithmic: true, text: megabits, official: true },
  latency_ms: { best: 10, middle: 25, low: 75, logarithmic: true, text: unit("ms", 1), official: true },
  rsrp_dbm: { best: -85, middle: -95, low: -111, text: unit("dBm"), official: true },
  rssi_dbm: { best: -65, middle: -85, low: -100, text: unit("dBm") },
  rsrq_db: { best: -10, middle: -15, low: -20, text: unit("dB") },
  sinr_db: { best: 20, middle: 10, low: 0, text: unit("dB") },
  jitter_ms: { best: 5, middle: 20, low: 50, text: unit("ms", 1) },
  loss_pct: { best: 0, middle: 1, low: 5, text: unit("%", 1) },
  rating: { best: 5, middle: 3, low: 1, text: unit("★", 1) },
};
const plain = { best: 1, middle: 0.5, low: 0, text: (value) => number(value, 1) };

export const scale = (metric) => metrics[metric] ?? plain;
export const drawable = (metric) => metric in metrics;
export const valueText = (metric, value) => (value === null ? "–" : scale(metric).text(value));

const low = [214, 39, 40], middle = [250, 204, 21], best = [22, 150, 72];
const mix = (a, b, part) => a.map((value, index) => Math.round(value + (b[index] - value) * part));

/** The colour of a value: red at or beyond the low bound, yellow at the middle, green at or beyond the best. */
export function colour(metric, value) {
  if (value === null) return "rgb(140 140 150)";
  const { best: b, middle: m, low: l, logarithmic } = scale(metric);
  const place = (x) => (logarithmic ? Math.log(Math.max(x, 1e-3)) : x);
  const part = (from, to) => Math.min(1, Math.max(0, (place(value) - place(from)) / (place(to) - place(from))));
  const above = (b > m) === (value >= m);
  return `rgb(${(above ? mix(middle, best, part(m, b)) : mix(low, middle, part(l, m))).join(" ")})`;
}

/** Fills the legend: bounds with their colours, and whose scale it is. */
export function drawLegend(element, metric) {
  const { best: b, middle: m, low: l, official } = scale(metric);
  const entries = [[b, b > m ? "≥ " : "≤ "], [m, ""], [l, b > m ? "≤ " : "≥ "]].map(([value, sign]) => {
    const item = document.createElement("span");
    const swatch = document.createElement("i");
    swatch.style.background = colour(metric, value);
    item.append(swatch, sign + valueText(metric, value));
    return item;
  });
  const source = document.createElement("small");
  source.textContent = official ? "RTR" : word("others");
  element.replaceChildren(...entries, source);
}
