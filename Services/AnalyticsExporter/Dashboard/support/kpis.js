// Series of figures, as the server counts them: nothing is averaged here.

import { shown } from "./metrics.js";
import { asReleased, pathOf } from "./released.js";
import { fetchJSON } from "./server.js";

export const lengths = { "5min": 300000, hour: 3600000, day: 86400000 };
/** Buckets of one answer at most (`docs/kpis.md`); of a longer period parts are asked for. */
const mostBuckets = 990;
/** Points that a chart shows: beyond, the server is asked for longer buckets. */
const fine = 150;

/** The shortest buckets of which a period has not too many to look at. */
export const bucketFor = (from, to) => Object.keys(lengths).find((name) => (to - from) / lengths[name] <= fine) ?? "day";

/** Parameters of a query without those that are empty. */
export const parametersOf = (wanted) => new URLSearchParams(Object.entries(wanted).filter(([, value]) => value !== undefined && value !== null && value !== ""));

/** A series of `GET /v1/kpis`, or of what was released; `wanted` has its parameters, `from` and `to` in Unix milliseconds. Parts of long ones are joined. */
export async function series(wanted, signal) {
  const { from, to, bucket } = wanted, most = lengths[bucket] * mostBuckets;
  const starts = Array.from({ length: Math.max(1, Math.ceil((to - from) / most)) }, (_, index) => from + index * most);
  const parts = [];
  for (let next = 0; next < starts.length; next += 3) {
    parts.push(...await Promise.all(starts.slice(next, next + 3).map((start) => fetchJSON(
      `${pathOf("kpis")}?${parametersOf({ ...asReleased(wanted), from: Math.round(start), to: Math.round(Math.min(to, start + most)) })}`, signal))));
  }
  const points = new Map(parts.flatMap((part) => part.points).map((point) => [point.from_ms, point]));
  return { ...parts.at(-1), points: [...points.values()].sort((a, b) => a.from_ms - b.from_ms).map((point) => pointOf(point, wanted)),
    annotations: parts.flatMap((part) => part.annotations ?? []) };
}

/** A point for a chart, in the unit that people read; with a threshold its value is the share below, in percent. */
function pointOf(point, { metric, below }) {
  const isShare = below !== undefined && below !== "" && below !== null, value = isShare ? point.below ?? null : point.value;
  const interval = isShare ? point.below_interval : point.interval, of = (each) => (isShare ? each * 100 : shown(metric, each));
  // Of what was released an end may be open: then there is no band.
  const isClosed = interval && interval.every((end) => end !== null);
  return { from: point.from_ms, to: point.to_ms, n: point.n ?? point.n_at_least, devices: point.devices ?? point.devices_at_least, state: point.state, complete: point.complete,
    value: value === null ? null : of(value), low: isClosed ? of(interval[0]) : null, high: isClosed ? of(interval[1]) : null,
    raw: { value, low: interval?.[0] ?? null, high: interval?.[1] ?? null } };
}

/** What one answer about a place says: `GET /v1/compare`, `/v1/cells.json`, … */
export const ask = (path, wanted, signal) => fetchJSON(`${path}?${parametersOf(wanted)}`, signal);

/** `GET /v1/compare`, or of what was released, in which each network is a parameter of its own. */
export function compareAll(wanted, plmns, signal) {
  const query = parametersOf(asReleased(wanted));
  for (const plmn of plmns) query.append("plmn", plmn);
  return fetchJSON(`${pathOf("compare")}?${query}`, signal);
}
