// The cells in view: fetched as the address says, drawn on the map and in the table.

import { parameter, set, several } from "../support/address.js";
import { $, h, table } from "../support/dom.js";
import { parametersOf } from "../support/kpis.js";
import { figure, quantileText, scale, valueText } from "../support/metrics.js";
import { cellWidth, metric, period, periodText } from "../support/pickers.js";
import { placeOf } from "../support/places.js";
import { asReleased, figuresName, pathOf, released } from "../support/released.js";
import { fetchBytes, fetchJSON } from "../support/server.js";
import { counted, number, word } from "../support/words.js";
import { box, cellDrawing, deviceText, fitTo, isElsewhere, isOpen, levelFor, showCells } from "./map.js";
import { drawLegend } from "./palette.js";
import { readCells } from "./reader.js";

/** What was fetched so few milliseconds ago is not fetched again: several parts of the page may ask for a look at once. */
const fresh = 1200;
const tableRows = 200, longestPeriod = "days30";
let last = null, mayMove = true;

/** What the address asks for, as parameters of the API. */
export function wanted(extra = {}) {
  const { from, to } = period(), plmns = several("plmn"), below = parameter("below");
  return { metric: metric(), from: Math.round(from), to: Math.round(to), plmn: plmns.length === 1 ? plmns[0] : null, technology: parameter("technology"),
    quantile: parameter("quantile"), below: below === "" ? null : Number(below) * (scale(metric()).per ?? 1), ...extra };
}

/** What is asked for, as a text; of a period up to now not its moment. */
function stampOf(level, area) {
  const { from, to, ...rest } = wanted({ level, bbox: area });
  return JSON.stringify([rest, released(), ...["period", "from", "to"].map(parameter)]);
}

const path = (level, area) => `${pathOf("heatmap")}?${parametersOf(asReleased(wanted({ level, bbox: area })))}`;

/** Fetches and draws; the answer. What the server's answer makes it throw it throws. */
export async function refreshCells(signal) {
  const name = metric(), threshold = parameter("below"), periodName = periodText(), level = levelFor(Number(parameter("level")));
  const stamp = stampOf(level, box());
  if (last?.stamp === stamp && performance.now() - last.at < fresh) return last.collection;
  const drawing = cellDrawing(name, threshold), features = [];
  const head = await readCells(await fetchBytes(path(level, box()), signal), (cells) => {
    for (const properties of cells) { features.push({ properties }); drawing.add(properties); }
  }, signal);
  const collection = { ...head, features };
  last = { stamp, at: performance.now(), collection, metric: name, threshold, level, period: periodName };
  drawing.show();
  drawLast();
  if (collection.features.length > 0) { mayMove = false; showEmpty(null); return collection; }
  const all = isOpen() ? await fetchJSON(path(8), signal) : collection;
  if (all.features.length === 0) { showEmpty("period"); return collection; }
  // Data far from where the map opened: shown once without being asked.
  if (mayMove && !parameter("at") && isElsewhere(all)) { mayMove = false; fitTo(all); }
  showEmpty("view");
  return collection;
}

/** Shows all data of the period. */
export async function showAll() { fitTo(await fetchJSON(path(8))); }

function showEmpty(where) {
  $("empty").hidden = where === null;
  if (where === null) return;
  const isLongest = parameter("period") === longestPeriod;
  $("empty-text").textContent = emptyText(where, isLongest);
  $("widen").hidden = where === "period" && isLongest;
  $("widen").textContent = word(where === "view" ? "showAll" : longestPeriod);
  $("widen").onclick = () => (where === "view" ? showAll().catch(() => {}) : set({ period: longestPeriod }));
}

/** Where nothing is, in words: what was not released may well have been measured. */
function emptyText(where, isLongest) {
  if (released()) return where === "view" ? word("emptyViewReleased") : `${word("emptyReleased")} ${word(`released.${released()}`)}`;
  return word(where === "view" ? "emptyView" : isLongest ? "emptyHome" : "emptyPeriod");
}

/** Says what was fetched last, in the language of now. */
export function drawLast() {
  // What was asked for before keeps its legend and its period until the answer to this is there.
  drawLegend($("legend"), last?.metric ?? metric(), last?.threshold ?? parameter("below"));
  if (!last) return;
  const { collection, metric: name, level } = last, { features } = collection;
  const samples = features.reduce((sum, cell) => sum + (samplesOf(cell.properties) ?? 0), 0);
  const found = `${counted(features.length, "cells")} ${word("ofWidth")} ${cellWidth(level)}`;
  $("status").textContent = [last.period, found, collection.release === "live" ? counted(samples, "samples") : figuresName(collection.release)].join(" · ");
  $("table-count").textContent = number(features.length);
  drawTable(features, name);
}

export function clearCells() {
  last = null;
  mayMove = true;
}

function drawTable(features, name) {
  if (!$("table").open) return;
  const focused = document.activeElement?.dataset?.quadkey, sorted = features.toSorted((a, b) => samplesOf(b.properties) - samplesOf(a.properties));
  const made = table([word("cell"), quantileText(last.collection.quantile), "95 %", "P10 – P90", word("samples"), word("devices"), word("state")],
    sorted.slice(0, tableRows).map(({ properties: p }) => [whereabouts(p.quadkey), valueText(name, p.value),
      p.interval ? p.interval.map((end) => (end === null ? "" : figure(name, end))).join(" … ") : "–", p.p10 === null || p.p10 === undefined ? "–" : `${figure(name, p.p10)} – ${figure(name, p.p90)}`,
      `${p.samples === undefined ? "≥ " : ""}${number(samplesOf(p) ?? 0)}`, deviceText(p).replace(/ \S+$/, ""), word(`cell.${p.state}`)]), { numeric: [1, 2, 3, 4, 5], caption: word("asTable") });
  made.querySelector("tbody").id = "rows";
  $("table").querySelector(".scroll")?.remove();
  $("table").append(made);
  if (focused) made.querySelector(`[data-quadkey="${CSS.escape(focused)}"]`)?.focus({ preventScroll: true });
}

/** Of released cells the least there are. */
const samplesOf = (p) => p.samples ?? p.n_at_least;

const whereabouts = (quadkey) => h("span", {},
  h("button", { type: "button", class: "link", data: { quadkey }, on: { click: () => showCells([quadkey]) } }, quadkey), h("span", { class: "hint" }, ` ${placeOf(quadkey)}`));
