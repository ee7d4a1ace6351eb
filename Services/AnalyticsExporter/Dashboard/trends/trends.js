// How figures went: operators side by side, or a period beside another, with intervals and gaps.

import { Chart } from "../chart/chart.js";
import { parameter, set } from "../support/address.js";
import { dayAndTime, fieldText, timeText, zoneName } from "../support/clock.js";
import { $, h, keep, put } from "../support/dom.js";
import { bucketFor, lengths, series } from "../support/kpis.js";
import { isFromZero, scale, unit } from "../support/metrics.js";
import { panel } from "../support/panel.js";
import { choice, customPeriod, entry, figuresPicker, metric, metricPicker, operatorName, operators, operatorSwitches, period, periodPicker, technologyPicker } from "../support/pickers.js";
import { placeParameters, placePicker, placeText } from "../support/place.js";
import { bucketOf, figuresName, released } from "../support/released.js";
import { loadRegions } from "../support/regions.js";
import { number, word } from "../support/words.js";

const day = 86400000;
/** Periods that another is compared with, by how long before. */
const shifts = { "": 0, day1: day, week1: 7 * day, weeks4: 28 * day };
const quantiles = [["", "median"], ["0.05", "P5"], ["0.1", "P10"], ["0.25", "P25"], ["0.75", "P75"], ["0.9", "P90"], ["0.95", "P95"]];
let fields = [], made = null, chart = null, stop = null, last = null, running = 0, zooms = [];

function open(stage) {
  stop = new AbortController();
  zooms = [];
  chart = new Chart({ height: Math.max(300, Math.min(560, innerHeight - 420)), zoom: (from, to) => { zooms.push(address()); set(customPeriod(from, to)); } });
  fields = [metricPicker(), figuresPicker(), placePicker(), technologyPicker(), periodPicker(["hour", "hours6", "day", "days3", "days7", "days30", "days90"]),
    choice("bucket", "bucket", () => [["", word("byPeriod")], ...Object.keys(lengths).map((name) => [name, word(`bucket.${name}`)])]),
    choice("quantile", "quantile", () => quantiles.map(([value, text]) => [value, text === "median" ? word(text) : text])),
    entry("below", "below", { type: "number", step: "any", min: -200, max: 1000000 }),
    choice("compare", "comparedWith", () => Object.keys(shifts).map((name) => [name, word(name ? `shift.${name}` : "nothing")])), operatorSwitches(4)];
  made = panel("view.trends", { figure: "statistics", id: "trend", tools: [
    h("button", { id: "zoom-out", type: "button", word: "zoomOut", on: { click: () => set(zooms.pop() ?? { period: "days7", from: null, to: null }) } }),
    h("button", { id: "trend-csv", type: "button", word: "csv", on: { click: () => { if (last) keep(`${fileName()}.csv`, chart.asCSV(head()), "text/csv"); } } }),
    h("button", { id: "trend-png", type: "button", word: "png", on: { click: () => { if (last) chart.keepPNG(`${fileName()}.png`, titles()); } } })] });
  made.body.append(h("p", { id: "trend-title", class: "hint" }), chart.root, h("ul", { id: "annotations" }));
  stage.append(h("div", { id: "trends" }, h("div", { id: "pickers", class: "fields", role: "group", wordLabel: "filters" }, fields), made.root));
  loadRegions().then(() => { if (made) show(); }).catch(() => {});
}

const address = () => Object.fromEntries(["period", "from", "to"].map((name) => [name, parameter(name) || null]));
const isShare = () => parameter("below") !== "";
const quantileText = () => quantiles.find(([value]) => value === parameter("quantile"))?.[1] ?? parameter("quantile");
const figureText = () => (isShare() ? `${word("shareBelow")} ${parameter("below")} ${unit(metric())}` : quantileText() === "median" ? word("median") : quantileText());
const head = () => (isShare() ? `share_below_${parameter("below")}` : metric());
const fileName = () => `nkul-${metric()}-${fieldText(period().from).replaceAll(":", "")}`;
const periodWords = () => { const { from, to } = period(); return `${dayAndTime(from)} – ${dayAndTime(to)} (${zoneName()})`; };
const titles = () => [`${word(metric())}: ${figureText()}`, `${placeText()} · ${periodWords()} · ${word(`bucket.${bucket()}`)} · ${word("asOf")} ${timeText(made.at)} · ${figuresName(released())}`];
const bucket = () => { const { from, to } = period(); return bucketOf(parameter("bucket") in lengths ? parameter("bucket") : bucketFor(from, to)); };

function show() {
  if (!made) return;
  for (const field of fields) field.draw();
  $("below").placeholder = unit(metric());
  made.isFixed = period().isOver;
  $("zoom-out").hidden = parameter("period") !== "custom";
  // What was asked for before keeps the title and units that it was drawn with, until the answer to this is there.
  if (last?.stamp === stampOf(wishes())) draw(); else last = null;
}

/** What is asked for, as a text; of a period up to now not its moment. */
const stampOf = (wanted) => JSON.stringify([wanted.map(({ from, to, ...rest }) => rest), parameter("period"), parameter("from"), parameter("to"), released()]);

/** What is asked for: a series for each operator, or for the period and for the one before it. */
function wishes() {
  const { from, to } = period(), shift = shifts[parameter("compare")] ?? 0;
  const shared = { metric: metric(), ...placeParameters(), technology: parameter("technology"), quantile: parameter("quantile"),
    below: isShare() ? Number(parameter("below")) * (scale(metric()).per ?? 1) : null, bucket: bucket() };
  return operators(4).flatMap((plmn) => [{ ...shared, plmn, from, to, shift: 0 }, ...(shift > 0 ? [{ ...shared, plmn, from: from - shift, to: to - shift, shift }] : [])]);
}

async function refresh() {
  if (!made) return;
  const wanted = wishes(), stamp = stampOf(wanted), turn = ++running;
  if (last && last.stamp === stamp && made.isFixed) return made.told(last.answers[0]);
  // Long series are not fetched again every few seconds.
  if (last && last.stamp === stamp && performance.now() - last.at < (wanted[0].to - wanted[0].from > 2 * day ? 30000 : 5000)) return;
  made.root.classList.add("loading");
  try {
    const answers = [];
    for (const { shift, ...each } of wanted) answers.push(await series(each, stop.signal));
    if (turn !== running || !made) return;
    last = { stamp, answers, wanted, at: performance.now() };
    made.told(answers[0]);
    draw();
  } catch (error) {
    if (!stop.signal.aborted) made.failed(error);
  } finally { if (turn === running) made?.root.classList.remove("loading"); }
}

function draw() {
  const { answers, wanted } = last, { from, to } = wanted[0], name = wanted[0].metric, share = isShare();
  const marks = answers.flatMap((answer, index) => (wanted[index].shift > 0 ? [] : answer.annotations.map(markOf)));
  const kept = [...new Map(marks.map((mark) => [`${mark.kind} ${mark.from} ${mark.text}`, mark])).values()];
  chart.draw({ title: titles()[0], from, to, marks: kept, isLegend: true, isFromZero: share || isFromZero(name), unit: share ? "%" : unit(name),
    text: (value) => number(value, Math.abs(value) < 10 ? 1 : 0), threshold: undefined,
    series: answers.map(({ points }, index) => {
      const { plmn, shift } = wanted[index];
      const moved = shift === 0 ? points : points.map((point) => ({ ...point, from: point.from + shift, to: point.to + shift, raw: { ...point.raw, from: point.from, to: point.to } }));
      return { name: shift === 0 ? operatorName(plmn) : `${operatorName(plmn)}, ${word(`shift.${parameter("compare")}`)}`, points: moved };
    }) });
  put($("trend-title"), titles().join(" · "));
  $("annotations").replaceChildren(...kept.filter(({ kind }) => kind !== "incomplete").slice(0, 12).map((mark) =>
    h("li", { class: mark.kind }, h("time", {}, `${timeText(mark.from)}${mark.to ? ` – ${timeText(mark.to)}` : ""}`), ` ${mark.text}`)));
  chart.root.classList.toggle("nothing", answers.every(({ points }) => points.every(({ value }) => value === null)));
}

/** What happened meanwhile, in words. */
function markOf(note) {
  const about = note.plmn ? `: ${operatorName(note.plmn)}` : note.rows ? `: ${number(note.rows)} ${word("rows").toLowerCase()}` : "";
  return { kind: note.kind, from: note.from_ms, to: note.to_ms, text: `${word(`annotation.${note.kind}`)}${about}` };
}

export const trends = {
  name: "trends", open, show, refresh, translated: show,
  close() { stop.abort(); made = chart = last = null; },
  keys: [{ key: "z", word: "zoomOut", act: () => $("zoom-out").click() }, { key: "v", word: "csv", act: () => $("trend-csv").click() },
    { key: "p", word: "png", act: () => $("trend-png").click() }],
};
