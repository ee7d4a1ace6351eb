// Scales and units of the metrics. Best, middle and low bounds of download, upload, latency and RSRP are those of the
// Austrian regulator's map (RTR); the others are ours and the legend says so. Where there is a worst value, colours
// go on below the low bound, so that a congested cell stands out from one that is merely slow.

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

export const scale = (metric) => metrics[metric] ?? plain;
export const drawable = (metric) => metric in metrics;

/** A value in the unit that people read, without it. */
export function figure(metric, value) {
  const shown = value / (scale(metric).per ?? 1);
  return number(shown, Math.abs(shown) < 1 ? 2 : Math.abs(shown) < 10 ? 1 : 0);
}

/** The name of a quantile: the median, P5 … */
export const quantileText = (quantile = 0.5) => (quantile === 0.5 ? word("median") : `P${number(quantile * 100)}`);

/** "7.3 Mbit/s", or a dash where there is no value. */
export const valueText = (metric, value) => (value === null || value === undefined ? "–" : `${figure(metric, value)} ${scale(metric).unit}`);

/** The unit that people read. */
export const unit = (metric) => scale(metric).unit;
/** A value of the API in the unit that people read. */
export const shown = (metric, value) => value / (scale(metric).per ?? 1);
/** Whether more of it is better. */
export const isHigherBetter = (metric) => scale(metric).best > scale(metric).middle;
/** Whether a scale of it begins at 0: levels in dB and marks have no zero that means nothing. */
export const isFromZero = (metric) => !/_dbm?$|rating/.test(metric);
