// Where figures are asked for: a region or town, a cell, everywhere. `place` of the address says it.

import { parameter } from "./address.js";
import { choice } from "./pickers.js";
import { placeOf } from "./places.js";
import { regionName, regionOf, regions } from "./regions.js";
import { word } from "./words.js";

const cellOfPlace = () => /^cell:([0-3]{6,16})$/.exec(parameter("place"))?.[1];

/** The parameters of the API. */
export function placeParameters() {
  const cell = cellOfPlace();
  if (cell) return { quadkey: cell };
  return parameter("place") && parameter("place") !== "each" ? { region: parameter("place") } : {};
}

export function placeText(id = parameter("place")) {
  const cell = cellOfPlace();
  if (cell) return `${placeOf(cell)} (${cell})`;
  const region = regionOf(id);
  return region ? regionName(region) : id && id !== "each" ? id : word("everywhere");
}

/** `more`: values and texts before the regions. */
export const placePicker = (more = () => []) => choice("place", "place", () => {
  const cell = cellOfPlace();
  return [["", word("everywhere")], ...more(), ...(cell ? [[`cell:${cell}`, placeText()]] : []), ...regions().map((each) => [each.id, regionName(each)])];
});
