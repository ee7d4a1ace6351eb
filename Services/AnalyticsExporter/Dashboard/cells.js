// The cells in view: fetched as the pickers say, drawn on the map and in the table.

import { box, deviceText, drawCells, fitTo, isElsewhere, isOpen, levelFor, showCells } from "./map.js";
import { drawLegend, valueText } from "./palette.js";
import { cellWidth, choosePeriod, heatmapPath, longestPeriod, periodText } from "./pickers.js";
import { placeOf } from "./places.js";
import { fetchJSON } from "./server.js";
import { counted, number, word } from "./words.js";

const $ = (id) => document.getElementById(id);
const tableRows = 200;
let last = null, level = 8, running = null, isWanted = false, mayMove = true;

/** Fetches and draws; one request at a time, the last wish wins. Throws what the server's answer makes it throw. */
export function refreshCells() {
  if (running) { isWanted = true; return running; }
  running = (async () => {
    try {
      do {
        isWanted = false;
        await fetchCells();
      } while (isWanted);
    } finally { running = null; document.body.classList.remove("loading"); }
  })();
  return running;
}

/** When nothing is on the way to the server any more. */
export const settled = () => Promise.resolve(running).catch(() => {});

async function fetchCells() {
  document.body.classList.add("loading");
  const metric = $("metric").value;
  level = levelFor(Number($("level").value));
  const collection = await fetchJSON(heatmapPath(level, box()));
  last = { collection, metric };
  draw();
  if (collection.features.length > 0) { mayMove = false; return showEmpty(null); }
  const all = isOpen() ? await fetchJSON(heatmapPath(8)) : collection;
  if (all.features.length === 0) return showEmpty("period");
  // Data far from where the map opened: shown once without being asked.
  if (mayMove && isElsewhere(all)) { mayMove = false; fitTo(all); }
  showEmpty("view");
}

/** Shows all data of the period. */
export async function showAll() { fitTo(await fetchJSON(heatmapPath(8))); }

function showEmpty(where) {
  $("empty").hidden = where === null;
  if (where === null) return;
  const isLongest = $("period").value === longestPeriod;
  $("empty-text").textContent = word(where === "view" ? "emptyView" : isLongest ? "emptyHome" : "emptyPeriod");
  $("widen").hidden = where === "period" && isLongest;
  $("widen").textContent = word(where === "view" ? "showAll" : longestPeriod);
  $("widen").onclick = () => (where === "view" ? showAll().catch(() => {}) : choosePeriod(longestPeriod));
}

/** Draws what was fetched last, in the language of now. */
export function draw() {
  drawLegend($("legend"), $("metric").value);
  if (!last) return;
  const { collection: { features }, metric } = last;
  drawCells(last.collection, metric);
  const samples = features.reduce((sum, cell) => sum + cell.properties.samples, 0);
  const found = `${counted(features.length, "cells")} ${word("ofWidth")} ${cellWidth(level)}`;
  $("status").textContent = [periodText(), found, counted(samples, "samples")].join(" · ");
  $("table-count").textContent = number(features.length);
  drawTable(features, metric);
}

export function clearCells() {
  last = null;
  mayMove = true;
  drawCells({ features: [] }, "");
  $("rows").replaceChildren();
}

function drawTable(features, metric) {
  if (!$("table").open) return;
  const focused = document.activeElement?.dataset?.quadkey;
  const sorted = features.toSorted((a, b) => b.properties.samples - a.properties.samples);
  $("rows").replaceChildren(...sorted.slice(0, tableRows).map(({ properties }) => tableRow(properties, metric)));
  if (focused) $("rows").querySelector(`[data-quadkey="${CSS.escape(focused)}"]`)?.focus({ preventScroll: true });
}

function tableRow(p, metric) {
  const row = document.createElement("tr"), range = `${valueText(metric, p.p10)} – ${valueText(metric, p.p90)}`;
  const texts = [valueText(metric, p.value), p.value === null ? "–" : range, number(p.samples),
    deviceText(p).replace(/ \S+$/, "")];
  row.append(...[whereabouts(p.quadkey), ...texts].map((content) => {
    const cell = document.createElement("td");
    cell.append(content);
    return cell;
  }));
  return row;
}

function whereabouts(quadkey) {
  const place = document.createElement("span");
  const button = Object.assign(document.createElement("button"), { type: "button", textContent: quadkey });
  button.dataset.quadkey = quadkey;
  button.addEventListener("click", () => showCells([quadkey]));
  const words = Object.assign(document.createElement("span"), { className: "hint", textContent: placeOf(quadkey) });
  place.append(button, words);
  return place;
}
