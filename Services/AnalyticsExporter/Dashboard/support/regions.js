// Regions and towns that figures can be asked for by name.

import { fetchJSON } from "./server.js";
import { boundsOf } from "./places.js";
import { locale } from "./words.js";

let loading = null, known = [], sorted = { all: [] };

/** Asks once which there are; what comes later may ask `regions()`. */
export async function loadRegions() {
  loading ??= fetchJSON("v1/regions").then(({ regions: found }) => { known = found; }).catch((error) => { loading = null; throw error; });
  await loading;
}

/** Regions before towns, by their names in the language of now. */
export function regions() {
  if (sorted.language !== locale() || sorted.of !== known) {
    const { compare } = new Intl.Collator(locale());
    sorted = { language: locale(), of: known, all: known.toSorted((a, b) => compare(a.kind, b.kind) || compare(regionName(a), regionName(b))) };
  }
  return sorted.all;
}
export const regionOf = (id) => known.find((each) => each.id === id);
export const regionName = (region) => (locale().startsWith("fr") ? region.french : region.english);

/** Whether a cell lies in a region, or holds a part of it. */
export const isIn = (quadkey, region) => region.cells.some((cell) => quadkey.startsWith(cell) || (quadkey !== "" && cell.startsWith(quadkey)));

/** South-west and north-east corner. */
export function boundsOfRegion(region) {
  const corners = region.cells.map(boundsOf);
  return [[Math.min(...corners.map(([low]) => low[0])), Math.min(...corners.map(([low]) => low[1]))],
    [Math.max(...corners.map(([, high]) => high[0])), Math.max(...corners.map(([, high]) => high[1]))]];
}
