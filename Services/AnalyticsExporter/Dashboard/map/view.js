// The map: pick, look, draw an area, search a place.

import { groups } from "../alarms/alarms.js";
import { parameter, set } from "../support/address.js";
import { $, h } from "../support/dom.js";
import { unit } from "../support/metrics.js";
import { panel } from "../support/panel.js";
import { cellWidth, choice, entry, figuresPicker, isOneOffered, labelled, metric, metricPicker, operatorPicker, period, periodPicker, technologyPicker } from "../support/pickers.js";
import { parametersOf } from "../support/kpis.js";
import { released } from "../support/released.js";
import { boundsOfRegion, loadRegions, regionName, regionOf, regions } from "../support/regions.js";
import { word } from "../support/words.js";
import { makeArea } from "./area.js";
import { clearCells, drawLast, refreshCells, showAll, wanted } from "./cells.js";
import { choose, closeMap, forgetWords, hasLibrary, isOpen, markAlarms, openMap, repaint, showBox, showView, viewText } from "./map.js";
import { letDraw } from "./drawing.js";

const levels = [8, 9, 10, 11, 12, 13, 14, 15, 16];
let fields = [], made = null, area = null, stop = null, chosenPlace = "", chosenCells = "", moved = null, session = null, drawn = "";

const isDark = () => getComputedStyle(document.body).colorScheme === "dark" || (getComputedStyle(document.documentElement).colorScheme !== "light" && matchMedia("(prefers-color-scheme: dark)").matches);

function open(stage, told) {
  session = told;
  stop = new AbortController();
  [chosenPlace, chosenCells, drawn] = ["", "", ""];
  area = makeArea();
  const places = h("datalist", { id: "places" });
  const search = h("input", { id: "place-search", list: "places", type: "search", autocomplete: "off", on: { change: () => find(search) } });
  fields = [metricPicker(), figuresPicker(), operatorPicker(), technologyPicker(), periodPicker(["hour", "hours6", "day", "days3", "days8", "days30"]),
    choice("quantile", "quantile", () => [["", word("median")], ...[["0.05", "P5"], ["0.1", "P10"], ["0.25", "P25"], ["0.75", "P75"], ["0.9", "P90"], ["0.95", "P95"]]]),
    entry("below", "below", { type: "number", step: "any", min: -200, max: 1000000 }),
    choice("level", "cellSize", () => [["", word("byZoom")], ...levels.map((level) => [`${level}`, cellWidth(level)])])];
  made = panel("map", { figure: "statistics", id: "picture" });
  made.body.append(h("div", { id: "map", tabIndex: 0, wordLabel: "map" }), h("p", { id: "map-missing", class: "error", role: "alert", hidden: true, word: "leafletMissing" }),
    h("div", { id: "empty", hidden: true }, h("p", { id: "empty-text" }), h("button", { id: "widen", type: "button" })),
    h("div", { id: "legend", "aria-hidden": "true" }), h("p", { id: "status" }));
  const draw = h("button", { id: "draw", type: "button", "aria-pressed": "false", word: "drawArea" });
  stage.append(h("div", { id: "map-view" }, h("div", { id: "pickers", class: "fields", role: "group", wordLabel: "filters" }, fields,
    labelled("searchPlace", search), places, draw,
    h("button", { id: "area-of-view", type: "button", word: "areaOfView", on: { click: () => set({ area: viewBox(), place: null }) } }),
    h("button", { id: "fit", type: "button", word: "showAll", on: { click: () => showAll().catch(() => document.dispatchEvent(new CustomEvent("look"))) } }),
    h("a", { id: "download", class: "button", download: "", word: "cellsCSV", on: { click: () => { $("download").href = `v1/cells.csv?${parametersOf(wanted({ level: parameter("level") || 12 }))}`; } } })),
  h("div", { class: "map-columns" }, made.root, area.root),
  h("details", { id: "table", on: { toggle: drawLast } }, h("summary", {}, h("span", { word: "asTable" }), " ", h("span", { id: "table-count", class: "chip" })))));
  showMap(draw);
  loadRegions().then(() => { if (made) { places.replaceChildren(...regions().map((each) => h("option", { value: regionName(each) }))); document.dispatchEvent(new CustomEvent("look")); } }).catch(() => {});
}

function showMap(draw) {
  if (!hasLibrary()) {
    for (const id of ["map", "legend", "fit", "draw", "area-of-view"]) $(id).hidden = true;
    $("table").open = true;
    $("map-missing").hidden = false;
    return;
  }
  const map = openMap($("map"), session.base_map, isDark, () => {
    clearTimeout(moved);
    moved = setTimeout(() => { if (isOpen()) set({ at: viewText() }, false); }, 200);
  });
  letDraw(map, draw, (box) => set({ area: box.map((value) => value.toFixed(4)).join(","), place: null }));
}

/** The part that is seen, as an area. */
function viewBox() {
  const [lat, lng, zoom] = viewText().split(",").map(Number), size = $("map"), perPixel = 360 / (256 * 2 ** zoom);
  const half = [size.clientWidth * perPixel / 2.2, size.clientHeight * perPixel * Math.cos((lat * Math.PI) / 180) / 2.2];
  return [lng - half[0], lat - half[1], lng + half[0], lat + half[1]].map((value) => value.toFixed(4)).join(",");
}

const plain = (text) => text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase().trim();

/** Shows the region or town of a name, in either language, whatever the case and accents. */
function find(search) {
  const wantedName = plain(search.value), found = regions().find((each) => [each.english, each.french, each.id].some((name) => plain(name) === wantedName))
    ?? regions().find((each) => plain(regionName(each)).startsWith(wantedName));
  search.setCustomValidity(found || !wantedName ? "" : word("noSuchPlace"));
  search.reportValidity();
  if (found) set({ place: found.id, area: null });
}

function show() {
  if (!made) return;
  // Of several operators this view shows none by itself: all, and the picker says so.
  if (!isOneOffered()) return set({ plmn: null }, false);
  for (const field of fields) field.draw();
  $("below").placeholder = unit(metric());
  made.isFixed = period().isOver;
  $("download").hidden = released() !== null;
  if (isOpen() && parameter("at")) showView(parameter("at"));
  const region = regionOf(parameter("place"));
  if (region && region.id !== chosenPlace) {
    // A link says which part is seen; after that a place that is searched is shown.
    if (chosenPlace !== "" || !parameter("at")) showBox(boundsOfRegion(region));
    chosenPlace = region.id;
  }
  if (!parameter("place")) chosenPlace = "none";
  if (document.activeElement !== $("place-search")) $("place-search").value = region ? regionName(region) : "";
  if (parameter("cells") !== chosenCells) { chosenCells = parameter("cells"); if (!parameter("at")) choose(chosenCells.split(",").filter(Boolean)); }
  // Where the map looks is no reason to draw everything again.
  const shown = JSON.stringify([...["metric", "plmn", "technology", "period", "from", "to", "quantile", "below", "level", "figures"].map(parameter), document.documentElement.lang]);
  if (shown === drawn) return;
  drawn = shown;
  markAlarms(groups(() => true));
  drawLast();
}

async function refresh() {
  if (!made) return;
  const { signal } = stop;
  try {
    made.root.classList.add("loading");
    made.told(await refreshCells(signal));
    await area.refresh(signal);
  } catch (error) {
    if (signal.aborted) return;
    throw error;
  } finally { made?.root.classList.remove("loading"); }
}

export const map = {
  name: "map", open, show, refresh,
  changed: () => { if (made) markAlarms(groups(() => true)); },
  translated() { forgetWords(); show(); repaint(); },
  close() { stop.abort(); clearTimeout(moved); closeMap(); clearCells(); made = area = null; },
  keys: [{ key: "/", word: "searchPlace", act: () => $("place-search").focus() }, { key: "r", word: "drawArea", act: () => $("draw").click() },
    { key: "v", word: "areaOfView", act: () => $("area-of-view").click() }],
};
