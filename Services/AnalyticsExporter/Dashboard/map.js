// The map: plain background, the grid of parent cells, towns, and the coloured cells. No base map is needed.

import { colour, valueText } from "./palette.js";
import { counted, word } from "./words.js";

const cameroon = [[1.6, 8.4], [13.1, 16.2]];
const towns = [
  ["Yaoundé", 3.867, 11.517, 5], ["Douala", 4.048, 9.704, 5], ["Garoua", 9.301, 13.393, 5], ["Maroua", 10.591, 14.316, 5],
  ["Bamenda", 5.96, 10.146, 7], ["Bafoussam", 5.478, 10.418, 7], ["Ngaoundéré", 7.328, 13.585, 5],
  ["Bertoua", 4.578, 13.685, 7], ["Ebolowa", 2.9, 11.15, 7], ["Buea", 4.153, 9.242, 8], ["Kribi", 2.938, 9.91, 8],
  ["Limbe", 4.024, 9.215, 9], ["Kumba", 4.636, 9.447, 8], ["Nkongsamba", 4.955, 9.94, 8], ["Edéa", 3.8, 10.133, 8],
  ["Foumban", 5.729, 10.9, 8], ["Kousséri", 12.077, 15.031, 7], ["Mbalmayo", 3.516, 11.501, 9],
  ["Sangmélima", 2.933, 11.983, 8], ["Batouri", 4.433, 14.367, 8], ["Meiganga", 6.517, 14.3, 8],
  ["Tibati", 6.467, 12.633, 8], ["Dschang", 5.443, 10.053, 9], ["Yokadouma", 3.517, 15.05, 8], ["Mamfe", 5.755, 9.312, 8],
];

let map = null, cellLayer = null, labels = null;

export const hasLibrary = () => typeof window.L !== "undefined";

export function openMap(baseMap, onMove) {
  map = L.map("map", { preferCanvas: true, minZoom: 3, maxZoom: 16, zoomSnap: 0.5, worldCopyJump: true });
  map.attributionControl.setPrefix(false);
  map.fitBounds(cameroon);
  if (baseMap) L.tileLayer(baseMap, { maxZoom: 16 }).addTo(map);
  const Grid = L.GridLayer.extend({
    createTile() { return L.DomUtil.create("div", "grid"); },
  });
  new Grid().addTo(map);
  labels = L.layerGroup().addTo(map);
  cellLayer = L.geoJSON(null, { style: (cell) => cell.style, onEachFeature: describe }).addTo(map);
  map.on("moveend", () => { drawTowns(); onMove(); });
  drawTowns();
}

function drawTowns() {
  labels.clearLayers();
  for (const [name, latitude, longitude, from] of towns) {
    if (map.getZoom() < from) continue;
    const icon = L.divIcon({ className: "town", html: "", iconSize: null });
    const marker = L.marker([latitude, longitude], { icon, interactive: false, keyboard: false });
    labels.addLayer(marker);
    marker.getElement().textContent = name;
  }
}

function describe(feature, layer) {
  layer.bindTooltip(() => {
    const p = feature.properties, box = document.createElement("div");
    const line = (text, strong) => box.append(Object.assign(document.createElement(strong ? "strong" : "div"),
      { textContent: text }));
    line(p.value === null ? word("noData") : valueText(p.metric, p.value), true);
    if (p.value !== null) line(`P10 ${valueText(p.metric, p.p10)} · P90 ${valueText(p.metric, p.p90)}`);
    line(`${counted(p.samples, "samples")} · ${deviceText(p)}`);
    line(p.quadkey);
    return box;
  }, { sticky: true });
}

/** "12 devices", or "at least 12 devices" where the server could only give a lower bound. */
export function deviceText(p) {
  if (p.devices !== null) return counted(p.devices, "devices");
  return `${word("atLeast")} ${counted(p.devices_at_least, "devices")}`;
}

/** The cell level for the present zoom: cells about 32 pixels wide. */
export const levelForZoom = () => (map ? Math.min(16, Math.max(6, Math.floor(map.getZoom()) + 3)) : 8);

/** The visible box as west,south,east,north; null without a map or when it spans the world. */
export function box() {
  if (!map) return null;
  const bounds = map.getBounds();
  const clamp = (value, limit) => Math.min(limit, Math.max(-limit, value));
  if (bounds.getEast() - bounds.getWest() >= 360) return null;
  return [clamp(bounds.getWest(), 180), clamp(bounds.getSouth(), 90), clamp(bounds.getEast(), 180),
    clamp(bounds.getNorth(), 90)].map((value) => value.toFixed(5)).join(",");
}

export function drawCells(collection, metric) {
  if (!map) return;
  cellLayer.clearLayers();
  for (const feature of collection.features) {
    const fill = colour(metric, feature.properties.value);
    feature.style = { color: fill, weight: 1, opacity: 0.9, fillColor: fill,
      fillOpacity: feature.properties.value === null ? 0.15 : 0.72 };
    feature.properties.metric = metric;
  }
  cellLayer.addData(collection);
}

export function fitTo(collection) {
  if (!map || collection.features.length === 0) return;
  map.fitBounds(L.geoJSON(collection).getBounds(), { padding: [20, 20], maxZoom: 13 });
}

export function showQuadkey(quadkey) {
  if (!map) return;
  let x = 0, y = 0;
  for (const digit of quadkey) { x = x * 2 + (digit & 1); y = y * 2 + (digit >> 1); }
  const size = 2 ** quadkey.length;
  const latitude = (row) => (Math.atan(Math.sinh(Math.PI * (1 - (2 * row) / size))) * 180) / Math.PI;
  map.fitBounds([[latitude(y + 1), (x / size) * 360 - 180], [latitude(y), ((x + 1) / size) * 360 - 180]], { maxZoom: 13 });
}
