// The page: log in, pick, draw. Everything comes from this server; nothing is loaded from elsewhere.

import { closeAlarms, draw as drawAlarms, openAlarms, refreshTimes } from "./alarms.js";
import { box, deviceText, drawCells, fitTo, hasLibrary, levelForZoom, openMap, showQuadkey } from "./map.js";
import { drawLegend, drawable, valueText } from "./palette.js";
import { counted, locale, number, switchLanguage, translate, word } from "./words.js";

const $ = (id) => document.getElementById(id);
const periods = { hour: 1, hours6: 6, day: 24, days3: 72, days8: 192, custom: 0 };
let session = null, clockOffset = 0, pending = null, last = null, timer = null, fitted = false;

async function fetchJSON(path, options = {}) {
  const response = await fetch(path, { credentials: "same-origin", ...options });
  if (response.status === 401) { showLogin(); throw new Error("401"); }
  const body = response.status === 204 ? null : await response.json();
  if (!response.ok) throw new Error(body.detail ?? body.title ?? response.statusText);
  return body;
}

function showLogin() {
  closeAlarms();
  clearInterval(timer);
  session = null;
  $("board").hidden = true;
  $("logout").hidden = true;
  $("login").hidden = false;
  $("token").focus();
}

async function start() {
  // Asked first, because browsers log every answer 401 as an error.
  const state = await fetch("v1/session/state", { credentials: "same-origin" }).then((r) => r.json()).catch(() => null);
  if (state === null) { showLogin(); $("login-error").textContent = word("offline"); return; }
  if (!state.logged_in) return showLogin();
  const response = await fetch("v1/session", { credentials: "same-origin" }).catch(() => null);
  if (!response?.ok) return showLogin();
  session = await response.json();
  clockOffset = session.now_ms - Date.now();
  $("login").hidden = true;
  $("board").hidden = false;
  $("logout").hidden = false;
  $("clock").hidden = session.clock !== "recording";
  fillPickers();
  if (hasLibrary()) { if (!$("map")._leaflet_id) openMap(session.base_map, () => refresh(150)); }
  else {
    $("map").hidden = true;
    $("legend").hidden = true;
    $("table").open = true;
    $("map-missing").hidden = false;
    $("map-missing").textContent = word("leafletMissing");
  }
  await openAlarms(fetchJSON, session.now_ms).catch(() => {});
  refresh(0);
  clearInterval(timer);
  timer = setInterval(() => refresh(0), 15000);
}

function options(select, entries) {
  const kept = select.value;
  select.replaceChildren(...entries.map(([value, text]) => new Option(text, value)));
  if (entries.some(([value]) => value === kept)) select.value = kept;
}

function fillPickers() {
  const first = $("period").options.length === 0;
  options($("metric"), session.metrics.filter(drawable).map((name) => [name, word(name)]));
  options($("plmn"), [["", word("all")], ...session.operators.map(({ plmn, name }) => [plmn, name === plmn ? plmn : `${name} (${plmn})`]),
    ...(session.regulator ? [["unknown", word("unknown")]] : [])]);
  options($("technology"), [["", word("all")], ...session.technologies.map((name) => [name, name])]);
  options($("period"), Object.keys(periods).map((name) => [name, word(name)]));
  options($("level"), [["", word("auto")], ...Array.from({ length: 11 }, (_, i) => [`${i + 6}`, `${word("level")} ${i + 6}`])]);
  if (first) $("period").value = "days8";
}

function query(everywhere) {
  const now = Date.now() + clockOffset, hours = periods[$("period").value];
  const custom = (id, otherwise) => (Number.isNaN(Date.parse($(id).value)) ? otherwise : Date.parse($(id).value));
  const parameters = new URLSearchParams({
    metric: $("metric").value, level: everywhere ? "8" : $("level").value || `${levelForZoom()}`,
    from: `${hours ? now - hours * 3600000 : custom("from", now - 86400000)}`,
    to: `${hours ? now : custom("to", now)}`,
  });
  if ($("plmn").value) parameters.set("plmn", $("plmn").value);
  if ($("technology").value) parameters.set("technology", $("technology").value);
  const area = everywhere ? null : box();
  if (area) parameters.set("bbox", area);
  return `v1/heatmap?${parameters}`;
}

function refresh(delay) {
  clearTimeout(pending);
  pending = setTimeout(async () => {
    if (!session) return;
    drawLegend($("legend"), $("metric").value);
    try {
      const collection = await fetchJSON(query(false));
      last = collection;
      draw();
      if (collection.features.length === 0 && !fitted) { fitted = true; await fit(); }
      fitted = true;
    } catch (error) {
      if (session) $("status").textContent = error instanceof TypeError ? word("offline") : error.message;
    }
  }, delay);
}

async function fit() {
  const collection = await fetchJSON(query(true)).catch((error) => { $("status").textContent = error.message; });
  if (collection) fitTo(collection);
}

function draw() {
  const metric = $("metric").value;
  drawCells(last, metric);
  const time = new Date(Date.now() + clockOffset).toLocaleTimeString(locale());
  const samples = last.features.reduce((sum, cell) => sum + cell.properties.samples, 0);
  $("status").textContent = last.features.length === 0 ? word("noCells")
    : [counted(last.features.length, "cells"), counted(samples, "samples"), word("live"), time].join(" · ");
  $("rows").replaceChildren(...last.features.slice(0, 200).map((feature) => {
    const p = feature.properties, row = document.createElement("tr");
    const button = Object.assign(document.createElement("button"), { type: "button", textContent: p.quadkey });
    button.addEventListener("click", () => showQuadkey(p.quadkey));
    row.append(...[button, valueText(metric, p.value), p.value === null ? "–" : `${valueText(metric, p.p10)} – ${valueText(metric, p.p90)}`,
      number(p.samples), deviceText(p).replace(/ \S+$/, "")].map((content) => {
      const cell = document.createElement("td");
      cell.append(content);
      return cell;
    }));
    return row;
  }));
}

$("login").addEventListener("submit", async (event) => {
  event.preventDefault();
  $("login-error").textContent = "";
  try {
    const response = await fetch("v1/session", { method: "POST", headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ token: $("token").value.trim() }) });
    if (!response.ok) {
      $("login-error").textContent = word(response.status === 429 ? "tooManyLogins" : "badToken");
      $("token").select();
      return;
    }
    $("token").value = "";
    await start();
  } catch { $("login-error").textContent = word("offline"); }
});
$("logout").addEventListener("click", async () => {
  await fetch("v1/session", { method: "DELETE" }).catch(() => {});
  showLogin();
});
$("language").addEventListener("click", () => {
  switchLanguage();
  if (!session) return;
  fillPickers();
  drawAlarms();
  if (last) draw();
  drawLegend($("legend"), $("metric").value);
  $("map-missing").textContent = word("leafletMissing");
});
$("fit").addEventListener("click", fit);
for (const id of ["metric", "plmn", "technology", "level", "from", "to"]) $(id).addEventListener("change", () => refresh(0));
$("period").addEventListener("change", () => {
  for (const label of document.querySelectorAll(".custom")) label.hidden = $("period").value !== "custom";
  refresh(0);
});
document.addEventListener("show-cell", (event) => showQuadkey(event.detail));
setInterval(refreshTimes, 1000);

translate();
start();
