// The map: the country's outline, towns, the coloured cells, and where there are alarms. No base map is needed.

import { cellOf, severities } from "./alarms.js";
import { boundsOf, outline, townAt, towns } from "./places.js";
import { colour, valueText } from "./palette.js";
import { counted, countedSeverity, number, word } from "./words.js";

const cameroon = [[1.6, 8.4], [13.1, 16.2]];
/** From this zoom alarms are drawn as cells, before as badges with numbers. */
const closeUp = 12;
/** Pixels that badges keep between each other. */
const apart = 30;
/** Cells that are asked for at once at most; the server refuses more than 10 000 by default. */
const cellBudget = 9000;

let map = null, cellLayer = null, labels = null, badges = null, lines = null, marks = [], chosen = [];
const cells = new Map();

export const hasLibrary = () => typeof window.L !== "undefined";
export const isOpen = () => map !== null;

export function openMap(baseMap, onMove) {
  map = L.map("map", { preferCanvas: true, minZoom: 3, maxZoom: 17, zoomSnap: 0.25, worldCopyJump: true });
  map.attributionControl.setPrefix(false);
  map.fitBounds(cameroon);
  if (baseMap) L.tileLayer(baseMap, { maxZoom: 17 }).addTo(map);
  // Below the cells, and drawn as SVG so that the style sheet gives its colours.
  map.createPane("land").style.zIndex = 250;
  const land = { className: "land", interactive: false, pane: "land", renderer: L.svg({ pane: "land" }) };
  if (!baseMap) L.polygon(outline, land).addTo(map);
  L.control.scale({ imperial: false, position: "bottomright" }).addTo(map);
  cellLayer = L.layerGroup().addTo(map);
  labels = L.layerGroup().addTo(map);
  badges = L.layerGroup().addTo(map);
  // While nobody is logged in the map is hidden and has no size; the view stays what it was.
  const resized = new ResizeObserver(([{ contentRect }]) => { if (contentRect.width > 0) map.invalidateSize(); });
  resized.observe(map.getContainer());
  map.on("moveend", () => { drawTowns(); drawMarks(); onMove(); });
  drawTowns();
}

/** Text on the map; it gets its words once it is there, as text and never as HTML. */
function write(layer, place, className, text, interactive = false) {
  const icon = L.divIcon({ className, html: "", iconSize: null });
  const marker = L.marker(place, { icon, interactive, keyboard: false });
  layer.addLayer(marker);
  marker.getElement().textContent = text;
  return marker;
}

function drawTowns() {
  labels.clearLayers();
  for (const [name, latitude, longitude, from] of towns) {
    if (map.getZoom() >= from) write(labels, [latitude, longitude], "town", name);
  }
}

function description(feature) {
  const p = feature.properties, box = document.createElement("div");
  const line = (text, name = "div") => box.append(Object.assign(document.createElement(name), { textContent: text }));
  line(p.value === null ? word("noData") : valueText(p.metric, p.value), "strong");
  if (p.state === "dominated") line(word("tooFew"));
  if (p.state === "low_density") line(word("fewDevices"));
  if (p.interval) line(`95 %: ${valueText(p.metric, p.interval[0])} … ${valueText(p.metric, p.interval[1])}`);
  if (p.value !== null) line(`P10 ${valueText(p.metric, p.p10)} · P90 ${valueText(p.metric, p.p90)}`);
  line(`${counted(p.samples, "samples")} · ${deviceText(p)}`);
  line(p.quadkey, "small");
  return box;
}

/** "12 devices", or "at least 12 devices" where the server could only give a lower bound. */
export function deviceText(p) {
  if (p.devices !== null) return counted(p.devices, "devices");
  return `${word("atLeast")} ${counted(p.devices_at_least, "devices")}`;
}

/** The visible box as [west, south, east, north] in degrees; null without a map or when it spans the world. */
function view() {
  if (!map) return null;
  const bounds = map.getBounds();
  const [west, south, east, north] = bounds.toBBoxString().split(",").map(Number);
  const clamp = (value, limit) => Math.min(limit, Math.max(-limit, value));
  return east - west >= 360 ? null : [clamp(west, 180), clamp(south, 85), clamp(east, 180), clamp(north, 85)];
}

/** The visible box as the API takes it. */
export const box = () => view()?.map((value) => value.toFixed(5)).join(",") ?? null;

/** The level to ask for: what was chosen, else cells about 24 pixels wide; coarser where the view holds too many. */
export function levelFor(chosen) {
  const wanted = chosen || (map ? Math.floor(map.getZoom()) + 4 : 10);
  let level = Math.min(16, Math.max(6, wanted));
  const area = view();
  if (!area) return level;
  const mercator = (latitude) => Math.asinh(Math.tan((latitude * Math.PI) / 180)) / (2 * Math.PI);
  const part = ((area[2] - area[0]) / 360) * (mercator(area[3]) - mercator(area[1]));
  while (level > 6 && part * 4 ** level > cellBudget) level -= 1;
  return level;
}

/** Draws cells; one that stays keeps its element, so that an open description stays open. */
export function drawCells(collection, metric) {
  if (!map) return;
  const seen = new Set();
  for (const feature of collection.features) {
    const p = feature.properties, isThin = p.state === "dominated", fill = colour(metric, isThin ? null : p.value);
    p.metric = metric;
    seen.add(p.quadkey);
    const style = { color: fill, weight: 1, opacity: p.value === null ? 0.5 : 0.95, fillColor: fill,
      fillOpacity: p.value === null ? 0.12 : isThin ? 0.4 : 0.78 };
    const known = cells.get(p.quadkey);
    if (!known) { addCell(feature, style); continue; }
    known.feature = feature;
    known.setStyle(style);
    if (known.isTooltipOpen()) known.getTooltip().update();
  }
  for (const [quadkey, layer] of cells) if (!seen.has(quadkey)) { cellLayer.removeLayer(layer); cells.delete(quadkey); }
}

function addCell(feature, style) {
  const layer = L.rectangle(boundsOf(feature.properties.quadkey), style);
  layer.feature = feature;
  layer.bindTooltip(() => description(layer.feature), { sticky: true });
  cells.set(feature.properties.quadkey, layer);
  cellLayer.addLayer(layer);
}

/** Takes groups of alarms to mark on the map: those that have a place; of quiet ones only what was chosen. */
export function markAlarms(groups) {
  marks = groups.filter((group) => group.members.some(cellOf));
  if (map) drawMarks();
}

function drawMarks() {
  badges.clearLayers();
  if (map.getZoom() >= closeUp) return marks.toReversed().forEach(drawAlarmCells);
  clusters().forEach(drawBadge);
}

const cellsOf = (groups) => groups.flatMap(({ members }) => members).map(cellOf).filter(Boolean);

/** Groups whose badges would lie on each other, as one; towns first, as these have a name to stand at. */
function clusters() {
  const found = [];
  for (const group of marks.filter(({ isQuiet }) => !isQuiet).toSorted((a, b) => !townAt(a.area) - !townAt(b.area))) {
    const place = L.latLng(townAt(group.area) ?? L.latLngBounds(cellsOf([group]).flatMap(boundsOf)).getCenter());
    const point = map.latLngToContainerPoint(place);
    const near = found.find((other) => other.point.distanceTo(point) < apart);
    if (near) near.groups.push(group);
    else found.push({ place, point, groups: [group] });
  }
  return found;
}

/** A badge: the worst severity there and how many alarms have it. */
function drawBadge({ place, groups }) {
  const found = groups.toSorted((a, b) => severities.indexOf(a.severity) - severities.indexOf(b.severity));
  const worst = found[0].severity, quadkeys = cellsOf(found.filter(({ severity }) => severity === worst));
  const marker = write(badges, place, "badge", number(quadkeys.length), true);
  marker.getElement().dataset.severity = worst;
  marker.setZIndexOffset(1000 * (severities.length - severities.indexOf(worst)));
  marker.bindTooltip(() => summary(found));
  marker.on("click", () => choose(quadkeys));
}

/** "Douala: 25 major, 14 minor", one line an area. */
function summary(groups) {
  const box = document.createElement("div");
  for (const area of new Set(groups.map((group) => group.area))) {
    const counts = severities.map((severity) => [severity, cellsOf(groups.filter((group) => group.area === area
      && group.severity === severity)).length]).filter(([, count]) => count > 0);
    box.append(Object.assign(document.createElement("div"), {
      textContent: `${area}: ${counts.map(([severity, count]) => countedSeverity(count, severity)).join(", ")}` }));
  }
  return box;
}

function drawAlarmCells(group) {
  for (const alarm of group.members) {
    const isChosen = chosen.includes(cellOf(alarm));
    if (!cellOf(alarm) || (group.isQuiet && !isChosen)) continue;
    const line = L.rectangle(boundsOf(cellOf(alarm)), { className: `mark ${group.severity}`, fill: false,
      weight: isChosen ? 5 : 2, interactive: false, renderer: lines ??= L.svg() });
    badges.addLayer(line);
  }
}

export function fitTo(collection) {
  if (!map || collection.features.length === 0) return;
  showCells(collection.features.map(({ properties }) => properties.quadkey));
}

/** Moves the map to cells and draws those with alarms among them more strongly. */
export function choose(quadkeys) {
  chosen = quadkeys;
  if (map) drawMarks();
  showCells(quadkeys);
}

/** Moves the map to cells, with something around them. */
export function showCells(quadkeys) {
  if (!map || quadkeys.length === 0) return;
  map.fitBounds(L.latLngBounds(quadkeys.flatMap(boundsOf)), { padding: [30, 30], maxZoom: 14 });
}

/** Whether the cells are outside of what the map shows. */
export function isElsewhere(collection) {
  const isInView = ({ properties }) => map.getBounds().intersects(L.latLngBounds(boundsOf(properties.quadkey)));
  return map !== null && !collection.features.some(isInView);
}
