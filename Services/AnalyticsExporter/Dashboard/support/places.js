// Where things are, in words: towns of Cameroon, and the country's outline.

import { number, word } from "./words.js";

/** Name, latitude, longitude, and the zoom from which the map names it. */
export const towns = [
  ["Yaoundé", 3.867, 11.517, 5], ["Douala", 4.048, 9.704, 5], ["Garoua", 9.301, 13.393, 5],
  ["Maroua", 10.591, 14.316, 5], ["Bamenda", 5.96, 10.146, 7], ["Bafoussam", 5.478, 10.418, 6],
  ["Ngaoundéré", 7.328, 13.585, 5], ["Bertoua", 4.578, 13.685, 6], ["Ebolowa", 2.9, 11.15, 7],
  ["Buea", 4.153, 9.242, 8], ["Kribi", 2.938, 9.91, 6], ["Limbe", 4.024, 9.215, 9], ["Kumba", 4.636, 9.447, 8],
  ["Nkongsamba", 4.955, 9.94, 8], ["Edéa", 3.8, 10.133, 8], ["Foumban", 5.729, 10.9, 8],
  ["Kousséri", 12.077, 15.031, 7], ["Mbalmayo", 3.516, 11.501, 9], ["Sangmélima", 2.933, 11.983, 8],
  ["Batouri", 4.433, 14.367, 8], ["Meiganga", 6.517, 14.3, 8], ["Tibati", 6.467, 12.633, 8],
  ["Dschang", 5.443, 10.053, 9], ["Yokadouma", 3.517, 15.05, 8], ["Mamfe", 5.755, 9.312, 8],
];

/** Cameroon at 1:110 million (Natural Earth, public domain): enough to know it by, not to tell who owns a hill. */
export const outline = [
  [12.86, 14.5], [12.22, 14.89], [11.56, 14.96], [10.89, 14.92], [9.98, 15.47], [9.99, 14.91], [9.92, 14.63],
  [10.02, 14.17], [9.55, 13.95], [8.97, 14.54], [8.8, 14.98], [8.38, 15.12], [7.69, 15.44], [7.42, 15.28],
  [6.41, 14.78], [6.23, 14.54], [5.45, 14.46], [5.03, 14.56], [4.73, 14.48], [4.21, 14.95], [3.85, 15.04],
  [3.34, 15.41], [3.01, 15.86], [2.56, 15.91], [2.27, 16.01], [1.73, 15.94], [1.96, 15.15], [2.23, 14.34],
  [2.27, 13.08], [2.32, 12.95], [2.19, 12.36], [2.33, 11.75], [2.26, 11.28], [2.28, 9.65], [3.07, 9.8], [3.73, 9.4],
  [3.9, 8.95], [4.35, 8.74], [4.5, 8.49], [4.77, 8.5], [5.48, 8.76], [6.44, 9.23], [6.45, 9.52], [7.04, 10.12],
  [7.06, 10.5], [6.64, 11.06], [6.98, 11.75], [7.4, 11.84], [7.8, 12.06], [8.31, 12.22], [8.72, 12.75], [9.42, 12.96],
  [9.64, 13.17], [10.16, 13.31], [10.8, 13.57], [11.57, 14.42], [11.9, 14.47], [12.09, 14.58], [12.48, 14.18],
  [12.8, 14.21],
];

/** South-west and north-east corner of a cell, in degrees. */
export function boundsOf(quadkey) {
  let x = 0, y = 0;
  for (const digit of quadkey) { x = x * 2 + (digit & 1); y = y * 2 + (digit >> 1); }
  const size = 2 ** quadkey.length;
  const latitude = (row) => (Math.atan(Math.sinh(Math.PI * (1 - (2 * row) / size))) * 180) / Math.PI;
  return [[latitude(y + 1), (x / size) * 360 - 180], [latitude(y), ((x + 1) / size) * 360 - 180]];
}

const centreOf = ([[south, west], [north, east]]) => [(south + north) / 2, (west + east) / 2];

/** What was found of a cell does not change; a thousand alarms are asked for it at each stroke of a key. */
const found = new Map(), mostFound = 20000;

/** The town nearest to a cell, how far and in which direction the cell lies from it. */
function nearest(quadkey) {
  if (!found.has(quadkey)) {
    if (found.size >= mostFound) found.clear();
    found.set(quadkey, lookUp(quadkey));
  }
  return found.get(quadkey);
}

function lookUp(quadkey) {
  const [latitude, longitude] = centreOf(boundsOf(quadkey));
  const all = towns.map(([name, lat, lon]) => {
    const north = (latitude - lat) * 111.2, east = (longitude - lon) * 111.2 * Math.cos((lat * Math.PI) / 180);
    return { name, kilometres: Math.hypot(north, east), angle: (Math.atan2(east, north) * 180) / Math.PI };
  });
  return all.reduce((best, each) => (each.kilometres < best.kilometres ? each : best));
}

/** Where a town's name stands; undefined for what is not a town's name. */
export const townAt = (name) => towns.find(([town]) => town === name)?.slice(1, 3);

/** Farther than so many kilometres from every town nobody says here in which country a place is. */
const farthest = 150;

/** "48.85° N, 2.35° E". */
function coordinates(quadkey) {
  const [latitude, longitude] = centreOf(boundsOf(quadkey)), [north, , east, , south, , west] = word("directions").split(" ");
  const angle = (degrees, before, after) => `${number(Math.abs(degrees), 2)}° ${degrees < 0 ? before : after}`;
  return `${angle(latitude, south, north)}, ${angle(longitude, west, east)}`;
}

/** A town with what lies up to 25 km from its centre; beyond, the country around the nearest town, and coordinates. */
export function areaOf(quadkey) {
  if (!quadkey) return word("placeUnknown");
  const { name, kilometres } = nearest(quadkey);
  if (kilometres > farthest) return coordinates(quadkey);
  return kilometres <= 25 ? name : `${word("around")} ${name}`;
}

/** "3.2 km NE of Douala", "48.85° N, 2.35° E". */
export function placeOf(quadkey) {
  if (!quadkey) return word("placeUnknown");
  const { name, kilometres, angle } = nearest(quadkey);
  if (kilometres > farthest) return coordinates(quadkey);
  const direction = word("directions").split(" ")[Math.round(((angle + 360) % 360) / 45) % 8];
  return `${number(kilometres, kilometres < 10 ? 1 : 0)} km ${direction} · ${name}`;
}
