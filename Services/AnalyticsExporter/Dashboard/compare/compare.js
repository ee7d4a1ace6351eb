// Operators by region, scores, and what was measured against what was felt; also on paper, with method and sources.

import { parameter } from "../support/address.js";
import { dayAndTime, zoneName } from "../support/clock.js";
import { $, h, keep, put } from "../support/dom.js";
import { compareAll } from "../support/kpis.js";
import { panel } from "../support/panel.js";
import { choice, figuresPicker, metric, metricPicker, operatorName, operators, operatorSwitches, period, periodPicker, technologyPicker } from "../support/pickers.js";
import { placeParameters, placePicker, placeText } from "../support/place.js";
import { loadRegions, regionName, regions } from "../support/regions.js";
import { figuresName, released } from "../support/released.js";
import { number, word } from "../support/words.js";
import { forest, forestCSV, scaleOf } from "./forest.js";
import { makeRelation } from "./relation.js";
import { makeScores } from "./scores.js";

const quantiles = [["", "median"], ["0.05", "P5"], ["0.1", "P10"], ["0.25", "P25"], ["0.75", "P75"], ["0.9", "P90"], ["0.95", "P95"]];
/** Of how many regions at once the server is asked, and after how many milliseconds again. */
const atOnce = 3, again = 20000;
let fields = [], made = null, scores = null, relation = null, stop = null, last = null, askedAt = 0, asked = "";

function open(stage) {
  stop = new AbortController();
  [last, asked] = [null, ""];
  fields = [metricPicker(), figuresPicker(), placePicker(() => [["each", word("eachRegion")]]), technologyPicker(), periodPicker(["day", "days3", "days7", "days30", "days90"], "days7"),
    choice("quantile", "quantile", () => quantiles.map(([value, text]) => [value, text === "median" ? word(text) : text])), operatorSwitches(8)];
  made = panel("compared", { figure: "statistics", id: "comparison", tools: [
    h("button", { id: "compare-csv", type: "button", word: "csv", on: { click: () => { if (last) keep(`nkul-${metric()}.csv`, forestCSV(last), "text/csv"); } } })] });
  scores = makeScores();
  relation = makeRelation();
  stage.append(h("div", { id: "compare" }, h("div", { class: "page-head" }, h("h2", { word: "view.compare" }), h("span", { class: "tools" },
    h("button", { id: "print", type: "button", word: "print", on: { click: () => print() } }))),
  h("div", { class: "print-head" }, h("h1", { word: "annexTitle" }), h("p", { id: "print-what" })),
  h("div", { id: "pickers", class: "fields", role: "group", wordLabel: "filters" }, fields), made.root, scores.root, relation.root,
  h("section", { class: "method", wordLabel: "method" }, h("h2", { word: "method" }), h("ul", { id: "method-lines" }))));
  loadRegions().then(() => { if (made) { show(); document.dispatchEvent(new CustomEvent("look")); } }).catch(() => {});
}

function wanted() {
  const { from, to } = period("days7");
  return { from: Math.round(from), to: Math.round(to), technology: parameter("technology") };
}

function show() {
  if (!made) return;
  for (const field of fields) field.draw();
  for (const each of [made, scores.panel, relation.panel]) each.isFixed = period("days7").isOver;
  // Scores and relations are of live figures alone.
  for (const each of [scores, relation]) each.root.hidden = released() !== null;
  scores.draw();
  relation.draw();
  // What was asked for before keeps the names that it was drawn with, until the answer to this is there.
  if (last?.stamp === stampOf()) draw(); else last = null;
}

/** What is asked for now, as a text. */
const stampOf = () => JSON.stringify([...["metric", "place", "technology", "period", "from", "to", "quantile", "plmn", "figures", "profile", "x"].map(parameter), regions().length]);

async function refresh() {
  if (!made) return;
  const { signal } = stop, stamp = stampOf();
  if (stamp === asked && performance.now() - askedAt < again) return;
  [asked, askedAt] = [stamp, performance.now()];
  const live = released() ? [] : [scores, relation];
  await Promise.all([refreshComparison(signal, stamp), ...live.map((each) => each.refresh({ ...wanted(), ...placeParameters() }, signal))].map((each) => each.catch((error) => {
    if (signal.aborted) return;
    asked = "";
    throw error;
  })));
}

async function refreshComparison(signal, stamp) {
  const plmns = operators();
  if (plmns.length < 2) { made.root.hidden = true; return; }
  made.root.hidden = false;
  const places = parameter("place") === "each" ? regions().filter(({ kind }) => kind === "region") : [null], found = [];
  made.root.classList.add("loading");
  try {
    for (let next = 0; next < places.length; next += atOnce) {
      found.push(...await Promise.all(places.slice(next, next + atOnce).map(async (region) => ({
        ...await compareAll({ ...wanted(), metric: metric(), quantile: parameter("quantile"), ...(region ? { region: region.id } : placeParameters()) }, plmns, signal), region }))));
    }
    if (stamp !== stampOf()) return;
    last = Object.assign(found, { stamp });
    made.told(found[0]);
    draw();
  } catch (error) { made.failed(error); } finally { made?.root.classList.remove("loading"); }
}

function draw() {
  const range = scaleOf(last), { from, to } = period("days7");
  put($("print-what"), `${placeText()} · ${dayAndTime(from)} – ${dayAndTime(to)} (${zoneName()}) · ${word(metric())} · ${operators().map(operatorName).join(", ")}`);
  for (const each of last) each.label = each.region ? regionName(each.region) : placeText();
  const isEmpty = ({ networks }) => networks.every(({ value }) => value === null), empty = last.length > 1 ? last.filter(isEmpty) : [];
  const noted = empty.length > 0 ? h("p", { class: "hint" }, `${word("noValue")}: ${empty.map(({ label }) => label).join(", ")}`) : null;
  made.body.replaceChildren(...(released() ? [h("p", { class: "released" }, releasedText())] : []), ...last.filter((each) => !empty.includes(each)).map((each) => h("div", { class: "place" }, h("h3", {}, each.label), forest(each, range))), ...(noted ? [noted] : []));
  const [first] = last, sources = [...new Set(last.map((each) => each.place?.boundary).filter(Boolean))];
  $("method-lines").replaceChildren(...[`${word("methodFigures")} ${number(first.quantile * 100)} %.`, word("methodInterval"), word("methodRank"), word("methodCap"),
    released() ? releasedText() : null, sources.length > 0 ? `${word("methodBoundary")} ${sources.join(", ")}.` : null, `${word("methodSource")} ${figuresName(first.release)}; ${word("asOf")} ${dayAndTime(first.as_of_ms)}${first.complete_to_ms ? `; ${word("completeTo")} ${dayAndTime(first.complete_to_ms)}` : ""}.`]
    .filter(Boolean).map((line) => h("li", {}, line)));
}

/** What released figures are, and why there may be none. */
const releasedText = () => `${word("releasedFigures")} (${word(`class.${released()}`)}): ${word("releasedHint")} ${word(`released.${released()}`)}`;

/** On paper every score is explained. */
let unfolded = [];
addEventListener("beforeprint", () => {
  unfolded = [...document.querySelectorAll("details.score:not([open])")];
  for (const each of unfolded) each.open = true;
});
addEventListener("afterprint", () => { for (const each of unfolded) each.open = false; });

export const compare = {
  name: "compare", open, show, refresh, translated: show,
  close() { stop.abort(); made = null; },
  keys: [{ key: "v", word: "csv", act: () => $("compare-csv").click() }, { key: "p", word: "print", act: () => $("print").click() }],
};
