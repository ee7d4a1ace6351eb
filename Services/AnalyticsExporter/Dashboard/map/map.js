// The map: the country's outline, towns, the coloured cells, and where there are alarms. No base map is needed.

import { cellOf } from "../alarms/alarms.js";
import { h } from "../support/dom.js";
import { valueText } from "../support/metrics.js";
import { boundsOf, outline, towns } from "../support/places.js";
import { counted, number, word } from "../support/words.js";
import { drawAlarmCells, drawBadges } from "./badges.js";
import { GatheredCells, makeCellLayer } from "./cell-layer.js";
import { grey, shader, shareShade } from "./palette.js";

const cameroon = [[1.6, 8.4], [13.1, 16.2]];
/** From this zoom alarms are drawn as cells, before as badges with numbers. */
const closeUp = 12;
/** Nearer to an edge than so many pixels what is said of a cell lies on the other side of the pointer. */
const edge = 160;
/** Cells that are asked for at once at most; the server refuses more than 10 000 by default. */
const cellBudget = 9000;

let map = null, cellLayer = null, labels = null, badges = null, lines = null, frames = null, tip = null, drawnZoom = null, marks = [], chosen = [], shown = null;

export const hasLibrary = () => typeof window.L !== "undefined";
export const isOpen = () => map !== null;

/** `isDark()`: whether the page is; `onMove()`: called when another part is seen. */
export function openMap(box, baseMap, isDark, onMove) {
  map = L.map(box, { minZoom: 3, maxZoom: 17, zoomSnap: 0.25, worldCopyJump: true });
  map.attributionControl.setPrefix(false);
  map.fitBounds(cameroon);
  if (baseMap) L.tileLayer(baseMap, { maxZoom: 17 }).addTo(map);
  // Below the cells, and drawn as SVG so that the style sheet gives its colours.
  map.createPane("land").style.zIndex = 250;
  const land = { className: "land", interactive: false, pane: "land", renderer: L.svg({ pane: "land" }) };
  if (!baseMap) L.polygon(outline, land).addTo(map);
  L.control.scale({ imperial: false, position: "bottomright" }).addTo(map);
  cellLayer = makeCellLayer(isDark).addTo(map);
  lines = L.svg();
  frames = L.layerGroup().addTo(map);
  labels = L.layerGroup().addTo(map);
  badges = L.layerGroup().addTo(map);
  // While the view is not shown it has no size.
  new ResizeObserver(([{ contentRect }]) => { if (contentRect.width > 0 && map) map.invalidateSize(); }).observe(box);
  // Leaflet ends a move a moment later, when the view may have been left.
  const mine = map;
  map.on("moveend", () => { if (map === mine) { drawForZoom(); onMove(); } });
  tip = h("div", { class: "leaflet-tooltip cell-tip", hidden: true });
  map.getContainer().append(tip);
  let pending = null, latest = null;
  map.on("mousemove", (event) => { latest = event; pending ??= requestAnimationFrame(() => { pending = null; if (latest) hover(latest); }); });
  map.on("mouseout", () => { latest = null; hover(null); });
  drawTowns();
  return map;
}

export function closeMap() {
  // Leaflet 1.7 ends the animation of a zoom by a timer that outlives the map, unless it is told that there is none.
  if (map) map._animatingZoom = false;
  map?.remove();
  map = cellLayer = drawnZoom = null;
  [marks, chosen, shown] = [[], [], null];
}

/** What keeps its distance in pixels is drawn anew at another zoom alone, and not when the map is moved. */
function drawForZoom() {
  if (drawnZoom === map.getZoom()) return;
  drawnZoom = map.getZoom();
  drawTowns();
  drawMarks();
}

let told = null;

/** Says what the cell under the pointer is. Nothing here asks the browser where something lies: that would have it lay out the page. */
function hover(event) {
  const cell = map && event ? cellLayer.at(event.latlng) : undefined;
  if (!map) return;
  tip.hidden = cell === undefined;
  if (!cell) return;
  if (told !== cell) { told = cell; tip.replaceChildren(description(cell.properties)); }
  const { x, y } = event.containerPoint, width = map.getSize().x;
  const across = x < edge ? "0%" : x > width - edge ? "-100%" : "-50%", down = y < edge ? "16px" : "calc(-100% - 12px)";
  tip.style.transform = `translate(${x}px, ${y}px) translate(${across}, ${down})`;
}

/** "latitude,longitude,zoom" of what is seen. */
export function viewText() {
  const { lat, lng } = map.getCenter();
  return `${lat.toFixed(4)},${lng.toFixed(4)},${map.getZoom()}`;
}

/** Shows a part that was written so. */
export function showView(text) {
  const [lat, lng, zoom] = text.split(",").map(Number);
  if (map && [lat, lng, zoom].every(Number.isFinite) && text !== viewText()) map.setView([lat, lng], zoom, { animate: false });
}

/** Frames places that figures are shown of: each south-west and north-east corner. */
export function frame(boxes) {
  frames?.clearLayers();
  for (const box of boxes) L.rectangle(box, { className: "frame", fill: false, interactive: false, renderer: lines }).addTo(frames);
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

/** What the tooltip says of a cell: the figure, how sure it is, and what it rests on. */
function description(p) {
  const lines = [h("strong", {}, p.value === null ? word("noData") : valueText(p.metric, p.value))];
  if (p.below !== undefined && p.below !== null) lines.push(h("div", {}, `${word("shareBelow")} ${shown.threshold}: ${number(p.below * 100, 1)} %`));
  if (p.state === "dominated") lines.push(h("div", { class: "warn" }, word("tooFew")));
  if (p.state === "low_density") lines.push(h("div", { class: "warn" }, word("fewDevices")));
  const ends = (found) => found.map((end) => (end === null ? "" : valueText(p.metric, end))).join(" … ");
  if (p.interval) lines.push(h("div", {}, `95 %: ${ends(p.interval)}`));
  if (p.between) lines.push(h("div", {}, `${word("between")}: ${ends(p.between)}`));
  if (p.p10 !== null && p.p10 !== undefined) lines.push(h("div", {}, `P10 – P90: ${valueText(p.metric, p.p10)} – ${valueText(p.metric, p.p90)}`));
  const samples = p.samples === undefined ? `${word("atLeast")} ${counted(p.n_at_least ?? 0, "samples")}` : counted(p.samples, "samples");
  lines.push(h("div", {}, `${samples} · ${deviceText(p)}`), h("small", {}, p.quadkey));
  return h("div", {}, lines);
}

/** "12 devices", or "at least 12 devices" where the server could only give a lower bound. */
export function deviceText(p) {
  if (p.devices !== null && p.devices !== undefined) return counted(p.devices, "devices");
  return `${word("atLeast")} ${counted(p.devices_at_least ?? 0, "devices")}`;
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

/**
 * Begins to draw cells: by the value that was asked for, or by the share below a threshold (`threshold`, as people read it, or empty).
 * `add(properties)` takes one after the other, `show()` draws them in place of those before.
 */
export function cellDrawing(metric, threshold = "") {
  const gathered = new GatheredCells(), shade = shader(metric);
  return {
    add(p) {
      p.metric = metric;
      const fill = p.state === "no_data" || p.value === null ? null : p.state === "dominated" ? grey : threshold === "" ? shade(p.value) : shareShade(metric, p.below);
      gathered.add(p.quadkey, p.state, fill, p);
    },
    show() {
      shown = { threshold };
      told = null;
      if (map) cellLayer.show(gathered);
    },
  };
}

/** What is said of a cell is said anew, in the language of now. */
export const forgetWords = () => { told = null; };

/** Draws again in other colours, as the page has become dark or light. */
export const repaint = () => cellLayer?.paint();

/** Takes groups of alarms to mark on the map: those that have a place; of quiet ones only what was chosen. */
export function markAlarms(groups) {
  marks = groups.filter((group) => group.members.some(cellOf));
  if (map) drawMarks();
}

function drawMarks() {
  badges.clearLayers();
  if (map.getZoom() >= closeUp) return marks.toReversed().forEach((group) => drawAlarmCells(group, badges, chosen, lines));
  drawBadges(map, badges, marks, { write, choose });
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
  showBox(L.latLngBounds(quadkeys.flatMap(boundsOf)), 14);
}

/** Moves the map to a south-west and a north-east corner. */
export const showBox = (bounds, maxZoom = 13) => map?.fitBounds(bounds, { padding: [30, 30], maxZoom });

/** Whether the cells are outside of what the map shows. */
export function isElsewhere(collection) {
  const isInView = ({ properties }) => map.getBounds().intersects(L.latLngBounds(boundsOf(properties.quadkey)));
  return map !== null && !collection.features.some(isInView);
}
