// What can be taken away: raw rows, files of them, releases; and what must be deleted from copies.

import { parameter, set } from "../support/address.js";
import { dayAndTime, serverNow } from "../support/clock.js";
import { $, h, table } from "../support/dom.js";
import { parametersOf } from "../support/kpis.js";
import { panel } from "../support/panel.js";
import { choice, isOneOffered, operatorName, operatorPicker, period, periodPicker, periodText } from "../support/pickers.js";
import { fetchJSON, postJSON } from "../support/server.js";
import { capital, number, word } from "../support/words.js";
import { makeErasures } from "./erasures.js";

/** How far back releases are listed, by class; `/v1/releases` has all. */
const recentDays = { provisional: 2, technology: 62, final: 62 }, day = 86400000;
/** Notices of a page of the API. */
const noticesAtOnce = 200;
let noticePages = 2;
let fields = [], panels = {}, erasures = null, stop = null, session = null, last = {};

function open(stage, told) {
  session = told;
  stop = new AbortController();
  [last, noticePages] = [{}, 2];
  fields = [operatorPicker(), periodPicker(["hour", "hours6", "day", "days3", "days8", "days30"])];
  const releaseClass = choice("class", "releaseClass", () => [["", word("all")], ...["provisional", "technology", "final"].map((name) => [name, word(`class.${name}`)])]);
  panels = { exports: panel("exports", { id: "exports", figure: "rows" }), releases: panel("releases", { id: "releases", tools: [releaseClass] }), notices: panel("notices", { id: "notices-panel" }) };
  fields.push(releaseClass);
  erasures = session.regulator ? makeErasures() : null;
  panels.rows = panel("rawRows", { id: "rows-panel", figure: "rows" });
  panels.rows.body.append(h("div", { class: "fields" }, fields.slice(0, 2), ["csv", "ndjson"].map((format) =>
    h("a", { class: "button", id: `rows-${format}`, download: "", on: { click: (event) => { event.currentTarget.href = rowsPath(format); } } }, word(`rows.${format}`)))), h("p", { id: "rows-what", class: "hint" }));
  stage.append(h("div", { id: "data" }, h("div", { class: "page-head" }, h("h2", { word: "view.data" })), panels.rows.root, panels.exports.root, panels.releases.root, panels.notices.root, erasures?.root ?? []));
}

function rowsPath(format) {
  const { from, to } = period();
  return `v1/reports.${format}?${parametersOf({ from: Math.round(from), to: Math.round(to), plmn: parameter("plmn") })}`;
}

function show() {
  // Of several operators this view shows none by itself: all, and the picker says so.
  if (!isOneOffered()) return set({ plmn: null }, false);
  for (const field of fields) field.draw();
  for (const format of ["csv", "ndjson"]) { $(`rows-${format}`).href = rowsPath(format); $(`rows-${format}`).textContent = word(`rows.${format}`); }
  $("rows-what").textContent = `${word("downloadHint")}: ${periodText()}`;
  draw();
}

const bytes = (size) => (size < 1e6 ? `${number(size / 1e3, 1)} kB` : `${number(size / 1e6, 1)} MB`);
const file = (href, text) => h("a", { href, download: "" }, text);
const span = (from, to) => `${dayAndTime(from)} – ${dayAndTime(to)}`;

function draw() {
  if (last.exports) panels.exports.body.replaceChildren(last.exports.off ? h("p", { class: "hint" }, word("exportsOff"))
    : list(last.exports.files.toReversed(), ["file", "period", "rows", "size", "version", "state"], (each) => [each.state === "current" ? file(`v1/exports/${each.name}`, each.name) : each.name,
      span(each.from_ms, each.to_ms), number(each.rows ?? 0), each.bytes ? bytes(each.bytes) : "–", `${each.version}`, word(`export.${each.state}`)], [2, 3, 4], "noExports"));
  if (last.releases) panels.releases.body.replaceChildren(h("p", { class: "hint" }, word("releasesHint")), list(last.releases.releases, ["release", "operator", "period", "releaseClass", "size", "openData"], (each) => [file(`v1/releases/${each.id}`, each.id), operatorName(each.network),
    span(each.from_ms, each.to_ms), word(`class.${each.class}`), bytes(each.bytes), h("span", {}, file(`v1/releases/${each.id}/open-data.csv.gz`, "CSV"), " ", file(`v1/releases/${each.id}/open-data.parquet`, "Parquet"))], [4], `none.${last.releases.none ?? "nothing_yet"}`));
  if (last.notices) panels.notices.body.replaceChildren(list(last.notices.notices, ["dayOf", "device", "rows", "scope", "done"], (each) => [each.day, h("code", {}, each.device), number(each.rows), word(`erasure.${each.scope}`),
    each.acknowledged ? each.acknowledged.contact : session.role === "viewer" ? "–" : h("button", { type: "button", on: { click: () => acknowledge(each) } }, word("deletedIt"))], [2], "noNotices"), ...(last.notices.hasMore ? [h("button", { id: "more-notices", type: "button", word: "showMore", on: { click: moreNotices } })] : []));
  erasures?.draw();
}

const list = (rows, heads, row, numeric, none) => (rows.length === 0 ? h("p", { class: "hint" }, word(none)) : table(heads.map((head) => capital(word(head))), rows.map(row), { numeric, caption: word(heads[0]) }));

async function acknowledge(notice) {
  try { await postJSON(`v1/erasure-notices/${notice.id}/ack`); } catch (error) { panels.notices.failed(error); }
  document.dispatchEvent(new CustomEvent("look"));
}

/** Releases of late, the newest first: lists are in the order of time, and older ones would fill a page of them. */
async function releases(signal) {
  const chosen = parameter("class"), found = [];
  for (const name of chosen ? [chosen] : Object.keys(recentDays)) {
    found.push(await fetchJSON(`v1/releases?${parametersOf({ limit: 1000, class: name, from: Math.round(serverNow() - recentDays[name] * day) })}`, signal));
  }
  return { ...found[0], none: found.find(({ none }) => none)?.none, releases: found.flatMap((each) => each.releases).sort((a, b) => b.from_ms - a.from_ms) };
}

/** Notices that nobody has acknowledged first, then the others: as many pages as were asked for. */
async function notices(signal) {
  const found = [];
  let left = noticePages;
  for (const acknowledged of [false, true]) {
    let next = null;
    do {
      if (left === 0) return { notices: found, hasMore: true };
      const page = await fetchJSON(`v1/erasure-notices?${parametersOf({ acknowledged, limit: noticesAtOnce, cursor: next })}`, signal);
      found.push(...page.notices);
      next = page.next ?? null;
      left -= 1;
    } while (next !== null);
  }
  return { notices: found, hasMore: false };
}

function moreNotices() {
  noticePages += 2;
  document.dispatchEvent(new CustomEvent("look"));
}

/** Each part is asked for by itself, and says for itself what went wrong. */
async function refresh() {
  const { signal } = stop;
  const part = async (name, from) => {
    try {
      last[name] = typeof from === "string" ? await fetchJSON(from, signal) : await from(signal);
      panels[name].told(last[name]);
    } catch (error) {
      if (name === "exports" && error.code === "exports_off") { last.exports = { off: true, files: [] }; return panels.exports.told(); }
      panels[name].failed(error);
    }
    return undefined;
  };
  try {
    await part("exports", `v1/exports?${parametersOf({ limit: 1000, period: "day" })}`);
    await part("releases", releases);
    await part("notices", notices);
    await erasures?.refresh(signal);
  } catch (error) { if (signal.aborted) return; throw error; }
  panels.rows.told();
  draw();
}

export const data = { name: "data", open, show, refresh, translated: show, close() { stop.abort(); } };
