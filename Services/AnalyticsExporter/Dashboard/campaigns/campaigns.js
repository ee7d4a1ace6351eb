// What campaigns cost and what came of it: standing of each, and day by day.

import { Chart } from "../chart/chart.js";
import { parameter, set } from "../support/address.js";
import { fromLocal, serverNow, toLocal, zoneName } from "../support/clock.js";
import { csv, h, keep, put, table } from "../support/dom.js";
import { parametersOf } from "../support/kpis.js";
import { panel } from "../support/panel.js";
import { choice, period, periodPicker } from "../support/pickers.js";
import { fetchJSON } from "../support/server.js";
import { counted, number, word } from "../support/words.js";
import { dayRow, heads, inFiles, measures, networkNames, numericOfDays, numericOfStandings, standing, standingHeads } from "./figures.js";

const day = 86400000, fallback = "days30";
/** Campaigns that a chart tells apart, and rows of the table of days, at most. */
const mostSeries = 8, mostRows = 1000;
/** Bars that a chart has room for; more are drawn as lines. */
const mostBars = 130;
let fields = [], all = null, days = null, chart = null, title = null, hint = null, rows = null, stop = null, last = null;

function open(stage) {
  stop = new AbortController();
  last = null;
  fields = [choice("campaign", "campaign", () => [["", word("all")], ...(last?.campaigns ?? []).map(({ campaign }) => [campaign, campaign])]),
    choice("measure", "shownFigure", () => Object.keys(measures).map((name) => [name, word(`campaign.${name}`)]), () => "spent_xaf"),
    periodPicker(["days7", "days30", "days90"], fallback)];
  chart = new Chart({ height: 260 });
  // Below it is a table with all members of the same days.
  chart.rows.hidden = true;
  [title, hint, rows] = [h("p", { id: "campaign-title", class: "hint" }), h("p", { id: "campaign-hint", class: "hint" }), h("div", { id: "campaign-rows" })];
  const button = (id, key, act) => h("button", { id, type: "button", word: key, on: { click: () => { if (last) act(); } } });
  all = panel("view.campaigns", { figure: "campaigns", id: "campaign-standing", tools: [button("campaigns-csv", "csv", () => keep("nkul-campaigns.csv", standingCSV(), "text/csv"))] });
  days = panel("byDay", { figure: "campaigns", id: "campaign-days", tools: [button("campaign-days-csv", "csv", () => keep(`${fileName()}.csv`, daysCSV(), "text/csv")),
    button("campaign-days-png", "png", () => chart.keepPNG(`${fileName()}.png`, [titles()[0], titles().slice(1).join(" · ")]))] });
  days.body.append(title, chart.root, hint, rows);
  stage.append(h("div", { id: "campaigns" }, h("div", { class: "page-head" }, h("h2", { word: "view.campaigns" })), h("p", { class: "hint", word: "campaignsHint" }),
    h("div", { id: "pickers", class: "fields", role: "group", wordLabel: "filters" }, fields), all.root, days.root));
}

function show() {
  if (!all) return;
  for (const field of fields) field.draw();
  for (const each of [all, days]) each.isFixed = period(fallback).isOver;
  // What was asked for before keeps its dates until the answer to this is there.
  if (last?.stamp === stampOf()) draw();
}

const stampOf = () => JSON.stringify(["period", "from", "to"].map(parameter));
const measure = () => (parameter("measure") in measures ? parameter("measure") : "spent_xaf");
const chosen = () => last.campaigns.filter(({ campaign }) => !parameter("campaign") || campaign === parameter("campaign"));
const fileName = () => `nkul-campaigns-${last.from}-${last.to}`;
const titles = () => [word(`campaign.${measure()}`), parameter("campaign") || word("all"), `${last.from} – ${last.to} (${zoneName()})`];

/** The days of what is chosen, the latest first; the rows of the table and of its file. */
const daysShown = () => chosen().flatMap((campaign) => campaign.days.map((each) => ({ campaign, each })))
  .sort((a, b) => b.each.day.localeCompare(a.each.day) || a.campaign.campaign.localeCompare(b.campaign.campaign)).slice(0, mostRows);

function draw() {
  for (const field of fields) field.draw();
  drawStanding();
  drawChart();
  const shown = daysShown(), there = chosen().reduce((sum, campaign) => sum + campaign.days.length, 0);
  put(title, titles().join(" · "));
  rows.replaceChildren(...(shown.length > 0 ? [table(heads(), shown.map(({ campaign, each }) => dayRow(campaign, each)), { numeric: numericOfDays, caption: word("byDay") })] : []));
  const said = [];
  if (last.campaigns.length > 0 && chosen().length === 0) said.push(word("noSuchCampaign"));
  else if (there === 0) said.push(word("nothingGranted"));
  if (chosen().length > mostSeries) said.push(word("mostOfThem"));
  if (there > shown.length) said.push(`${counted(shown.length, "rows")} / ${number(there)}. ${word("fewerDays")}`);
  put(hint, said.join(" "));
  hint.hidden = said.length === 0;
}

/** A campaign is chosen by its name, and all of them by the same once more. */
function drawStanding() {
  if (last.campaigns.length === 0) return all.body.replaceChildren(h("p", { class: "hint" }, word("noCampaigns")));
  const focused = document.activeElement?.dataset?.campaign;
  const button = (name) => h("button", { type: "button", class: "link", data: { campaign: name }, "aria-pressed": `${name === parameter("campaign")}`, on: { click: () => set({ campaign: name === parameter("campaign") ? null : name }) } }, name);
  const made = table(standingHeads(last.coverage), last.campaigns.map((each) => [button(each.campaign), networkNames(each), ...standing(each)]), { numeric: numericOfStandings, caption: word("view.campaigns") });
  all.body.replaceChildren(made);
  if (focused) made.querySelector(`[data-campaign="${CSS.escape(focused)}"]`)?.focus({ preventScroll: true });
  return undefined;
}

function drawChart() {
  const { of, digits, unit, isGap } = measures[measure()], begin = localDay(last.from), end = localDay(last.to, 1);
  const shown = chosen().toSorted((a, b) => b.total.spent_xaf - a.total.spent_xaf).slice(0, mostSeries).sort((a, b) => a.campaign.localeCompare(b.campaign));
  const dates = Array.from({ length: Math.round((end - begin) / day) }, (_, index) => index);
  const points = ({ days: told }) => dates.map((index) => {
    const name = dateText(last.from, index), found = told.find((each) => each.day === name), to = localDay(last.from, index + 1);
    // On a day that is left out nothing was granted: that counts as 0, but has no price.
    return { from: localDay(last.from, index), to, value: found ? of(found) : isGap ? null : 0, state: "ok", complete: to <= serverNow() };
  });
  chart.draw({ title: titles().slice(0, 2).join(": "), from: begin, to: end, unit: word(unit), isFromZero: true, isLegend: true, isBars: !isGap && dates.length * shown.length <= mostBars,
    text: (value) => number(value, digits ?? 0), series: shown.map((each) => ({ name: each.campaign, points: points(each) })) });
  chart.root.hidden = shown.length === 0;
}

/** The moment at which a local day begins, or one so many days later. */
const localDay = (text, later = 0) => fromLocal(Date.parse(`${text}T00:00Z`) + later * day);
const dateText = (text, later) => new Date(Date.parse(`${text}T00:00Z`) + later * day).toISOString().slice(0, 10);

const standingCSV = () => csv([["campaign", "networks", "from", "to", ...inFiles.map(([name]) => name)],
  ...last.campaigns.map((each) => [each.campaign, each.networks.join(" "), last.from, last.to, ...inFiles.map(([, of]) => of({ ...each.total, devices: null, new_devices: null }))])]);
const daysCSV = () => csv([["campaign", "networks", "day", ...inFiles.map(([name]) => name)],
  ...daysShown().map(({ campaign, each }) => [campaign.campaign, campaign.networks.join(" "), each.day, ...inFiles.map(([, of]) => of(each))])]);

/** The local days that are asked for: of a period up to now whole days, today's among them. */
function wishes() {
  const { from, to } = period(fallback);
  if (parameter("period") === "custom") return { from: Math.round(from), to: Math.round(to) };
  return { from: fromLocal((Math.floor(toLocal(from) / day) + 1) * day) };
}

async function refresh() {
  if (!all) return;
  const stamp = stampOf();
  try {
    const answer = await fetchJSON(`v1/campaigns?${parametersOf(wishes())}`, stop.signal);
    last = { ...answer, stamp };
    for (const each of [all, days]) each.told(answer);
    draw();
  } catch (error) { if (!stop.signal.aborted) for (const each of [all, days]) each.failed(error); }
}

export const campaigns = { name: "campaigns", open, show, refresh, translated: show, close() { stop.abort(); all = days = chart = last = null; },
  keys: [{ key: "v", word: "csv", act: () => document.getElementById("campaign-days-csv").click() }, { key: "p", word: "png", act: () => document.getElementById("campaign-days-png").click() }] };
