// Draws a chart on a canvas: bands, lines with gaps, bars, marks. It changes nothing and asks nothing.

import { zoneName } from "../support/clock.js";
import { seriesColour, seriesDash } from "./colours.js";
import { ticks, timeTicks } from "./scale.js";

/** Pixels around what is drawn, where letters have 16. */
const margins = { left: 56, right: 14, top: 24, bottom: 34 };

/** Where values and moments lie in a picture of a width and a height; `size`: of letters, in parts of 16 pixels. */
export function layout({ from, to, low, high }, width, height, size = 1) {
  const inset = Object.fromEntries(Object.entries(margins).map(([side, pixels]) => [side, pixels * size]));
  const values = ticks(low, high, Math.max(2, Math.round(height / (60 * size))));
  const [bottom, top] = [values[0], values.at(-1) === values[0] ? values[0] + 1 : values.at(-1)];
  const inner = { width: Math.max(1, width - inset.left - inset.right), height: Math.max(1, height - inset.top - inset.bottom) };
  return {
    width, height, values, inner, inset, size,
    x: (at) => inset.left + ((at - from) / (to - from || 1)) * inner.width,
    y: (value) => inset.top + (1 - (value - bottom) / (top - bottom)) * inner.height,
    at: (x) => from + ((x - inset.left) / inner.width) * (to - from),
  };
}

/** The least and the greatest value that must be seen. Counts, speeds and times begin at 0. */
export function extent(series, { isFromZero, threshold }) {
  let low = Infinity, high = -Infinity;
  for (const { points } of series) {
    for (const point of points) {
      if (point.value === null) continue;
      low = Math.min(low, point.low ?? point.value);
      high = Math.max(high, point.high ?? point.value);
    }
  }
  if (threshold !== undefined) { low = Math.min(low, threshold); high = Math.max(high, threshold); }
  if (low > high) return { low: 0, high: 1 };
  if (isFromZero) low = Math.min(0, low);
  else { const room = (high - low) * 0.1 || Math.abs(high) * 0.1 || 1; low -= room; high += room; }
  return { low, high: high === low ? low + 1 : high };
}

const letters = (place, theme, pixels = 12) => `${pixels * place.size}px ${theme.font}`;

export function paint(context, model, place, theme) {
  const { inset } = place;
  context.clearRect(0, 0, place.width, place.height);
  context.fillStyle = theme.card;
  context.fillRect(0, 0, place.width, place.height);
  context.font = letters(place, theme);
  paintMarks(context, model, place, theme);
  paintAxes(context, model, place, theme);
  context.save();
  context.beginPath();
  context.rect(inset.left, 0, place.inner.width, place.height - inset.bottom + 1);
  context.clip();
  const draw = model.isBars ? paintBars : paintSeries;
  model.series.forEach((series, index) => draw(context, series, index, model.series.length, place, theme));
  context.restore();
}

function paintAxes(context, model, place, theme) {
  const { inset, size } = place;
  context.strokeStyle = theme.line;
  context.fillStyle = theme.faint;
  context.lineWidth = 1;
  context.textAlign = "right";
  context.textBaseline = "middle";
  for (const value of place.values) {
    const y = Math.round(place.y(value)) + 0.5;
    line(context, inset.left, y, place.width - inset.right, y);
    context.fillText(model.text(value), inset.left - 8 * size, y);
  }
  context.textBaseline = "top";
  context.textAlign = "center";
  for (const { at, text, isDay } of timeTicks(model.from, model.to, Math.max(2, Math.floor(place.inner.width / (76 * size))))) {
    const x = Math.round(place.x(at)) + 0.5;
    context.globalAlpha = isDay ? 1 : 0.5;
    line(context, x, inset.top, x, place.height - inset.bottom + 4);
    context.globalAlpha = 1;
    context.font = `${isDay ? "600 " : ""}${letters(place, theme)}`;
    context.fillText(text, x, place.height - inset.bottom + 7 * size);
  }
  context.font = letters(place, theme, 11);
  context.textAlign = "left";
  context.textBaseline = "alphabetic";
  context.fillText(model.unit, 2, 12 * size);
  context.textAlign = "right";
  context.fillText(zoneName(), place.width - 2, place.height - 2);
  if (model.threshold === undefined) return;
  context.strokeStyle = theme.amber;
  context.setLineDash([5, 4]);
  line(context, inset.left, place.y(model.threshold), place.width - inset.right, place.y(model.threshold));
  context.setLineDash([]);
}

function line(context, x1, y1, x2, y2) {
  context.beginPath();
  context.moveTo(x1, y1);
  context.lineTo(x2, y2);
  context.stroke();
}

/** What happened meanwhile, behind everything: a shade for a time, hatched for what may still grow. */
function paintMarks(context, model, place, theme) {
  const { inset } = place;
  for (const mark of model.marks ?? []) {
    const left = Math.max(inset.left, place.x(mark.from)), right = Math.min(place.width - inset.right, place.x(mark.to ?? model.to));
    if (right < inset.left || left > place.width - inset.right) continue;
    const width = Math.max(2, right - left), height = place.inner.height;
    context.globalAlpha = mark.kind === "incomplete" ? 0.1 : 0.14;
    context.fillStyle = mark.kind === "incomplete" ? theme.faint : mark.kind === "outage" || mark.kind === "alarm" ? theme.critical : theme.amber;
    // Erasures took rows of whole days; a shade over everything would say nothing.
    if (mark.kind !== "erasure") context.fillRect(left, inset.top, width, height);
    context.globalAlpha = 1;
    context.fillRect(left, inset.top, width, 3);
  }
}

const hasValue = ({ value }) => value !== null, hasBand = ({ low }) => low !== null && low !== undefined;

/** Parts of a series without a gap in them; `has`: whether a point is none. */
export function runs(points, has = hasValue) {
  const found = [];
  let run = [];
  for (const point of points) {
    if (has(point)) run.push(point);
    else if (run.length > 0) { found.push(run); run = []; }
  }
  if (run.length > 0) found.push(run);
  return found;
}

const middle = (point) => (point.from + point.to) / 2;

/**
 * Of points of which many share a column of pixels, those that are seen: of each column the first, that with the least, that with the greatest and the last.
 * Lines through them look as lines through all.
 */
export function thinned(run, place, value = (point) => point.value) {
  if (run.length <= 6 * (place.x(run.at(-1).to) - place.x(run[0].from) + 1)) return run;
  const found = [];
  let column = null, first = 0, least = 0, greatest = 0;
  const keep = (last) => { for (const index of [...new Set([first, least, greatest, last])].sort((a, b) => a - b)) found.push(run[index]); };
  run.forEach((point, index) => {
    const at = Math.floor(place.x(middle(point)));
    if (at !== column) { if (index > 0) keep(index - 1); column = at; first = least = greatest = index; }
    if (value(point) < value(run[least])) least = index;
    if (value(point) > value(run[greatest])) greatest = index;
  });
  keep(run.length - 1);
  return found;
}

function paintSeries(context, { points, colour }, index, count, place, theme) {
  const shade = colour ?? seriesColour(index, theme.isDark);
  context.fillStyle = context.strokeStyle = shade;
  for (const run of runs(points)) {
    paintBand(context, run, place, count);
    context.lineWidth = 2;
    context.setLineDash(seriesDash(index));
    context.beginPath();
    thinned(run, place).forEach((point, at) => context[at === 0 ? "moveTo" : "lineTo"](place.x(middle(point)), place.y(point.value)));
    context.stroke();
    context.setLineDash([]);
    // Points are drawn where there is room for them, and wherever one stands alone.
    const isSparse = place.inner.width / Math.max(1, points.length) > 9;
    for (const point of run) if (isSparse || run.length === 1) paintPoint(context, point, place, shade, theme);
  }
}

/** Between what the value lies with 95 %; a point without an interval has none. */
function paintBand(context, run, place, count) {
  context.globalAlpha = count > 2 ? 0.13 : 0.2;
  for (const part of runs(run, hasBand)) {
    context.beginPath();
    if (part.length === 1) {
      const x = place.x(middle(part[0]));
      context.rect(x - 3, place.y(part[0].high), 6, place.y(part[0].low) - place.y(part[0].high));
    } else {
      const [upper, lower] = ["high", "low"].map((end) => thinned(part, place, (point) => point[end]));
      upper.forEach((point, at) => context[at === 0 ? "moveTo" : "lineTo"](place.x(middle(point)), place.y(point.high)));
      lower.toReversed().forEach((point) => context.lineTo(place.x(middle(point)), place.y(point.low)));
      context.closePath();
    }
    context.fill();
  }
  context.globalAlpha = 1;
}

/** Hollow where it does not speak for the place, or may still grow. */
function paintPoint(context, point, place, shade, theme) {
  context.beginPath();
  context.arc(place.x(middle(point)), place.y(point.value), 3, 0, 2 * Math.PI);
  const isFull = point.state === "ok" && point.complete !== false;
  context.fillStyle = isFull ? shade : theme.card;
  context.fill();
  context.lineWidth = 1.5;
  context.stroke();
  context.fillStyle = shade;
}

function paintBars(context, { points, colour }, index, count, place, theme) {
  context.fillStyle = colour ?? seriesColour(index, theme.isDark);
  for (const point of points) {
    if (point.value === null) continue;
    const left = place.x(point.from), width = Math.max(1, (place.x(point.to) - left - 1) / count);
    context.fillRect(left + width * index, place.y(point.value), width, place.y(0) - place.y(point.value));
  }
}
