// Ticks of axes: round values, and whole hours and days of the home's local time.

import { format, fromLocal, toLocal } from "../support/clock.js";

/** So many round values, about `count`, that cover low … high. */
export function ticks(low, high, count = 5) {
  const span = high - low || Math.abs(high) || 1, rough = span / count, power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 2.5, 5, 10].map((each) => each * power).find((each) => each >= rough);
  const first = Math.floor(low / step + 1e-9) * step, found = [];
  for (let value = first; value <= high + step * (1 - 1e-9); value += step) found.push(Number(value.toPrecision(12)));
  return found;
}

const minute = 60000, hour = 60 * minute, day = 24 * hour;
const steps = [minute, 5 * minute, 15 * minute, 30 * minute, hour, 3 * hour, 6 * hour, 12 * hour, day, 2 * day, 7 * day, 14 * day, 28 * day, 91 * day];

/** Moments from … to at whole local times, at most `count`: `{at, text, isDay}`. */
export function timeTicks(from, to, count) {
  const step = steps.find((each) => (to - from) / each <= count) ?? steps.at(-1), found = [];
  for (let local = Math.ceil(toLocal(from) / step) * step; fromLocal(local) <= to; local += step) {
    const at = fromLocal(local), isDay = local % day === 0;
    found.push({ at, isDay, text: format(at, isDay ? { day: "numeric", month: "short" } : { hour: "2-digit", minute: "2-digit", hourCycle: "h23" }) });
  }
  return found;
}
