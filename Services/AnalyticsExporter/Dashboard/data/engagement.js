// What became of prompts: shown, answered, ignored, dismissed, by version of the policy and by day.

import { parameter, set } from "../support/address.js";
import { fieldTime } from "../support/clock.js";
import { Chart } from "../chart/chart.js";
import { csv, h, keep, table } from "../support/dom.js";
import { parametersOf } from "../support/kpis.js";
import { panel } from "../support/panel.js";
import { isOneOffered, operatorName, operatorPicker, period, periodPicker } from "../support/pickers.js";
import { fetchJSON } from "../support/server.js";
import { number, word } from "../support/words.js";
import { makePolicy } from "./policy.js";

const kinds = ["shown", "answered", "ignored", "dismissed"], day = 86400000;
let fields = [], made = null, chart = null, policy = null, stop = null, last = null;

function open(stage, session) {
  stop = new AbortController();
  last = null;
  fields = [operatorPicker(), periodPicker(["days7", "days30", "days90"], "days30")];
  chart = new Chart({ height: 240 });
  made = panel("prompts", { id: "prompts", figure: "rows", tools: [h("button", { id: "prompts-csv", type: "button", word: "csv", on: { click: () => { if (last) keep("nkul-prompts.csv", asCSV(last), "text/csv"); } } })] });
  policy = makePolicy(session);
  stage.append(h("div", { id: "engagement" }, h("div", { class: "page-head" }, h("h2", { word: "view.engagement" })), h("p", { class: "hint", word: "policyHint" }),
    h("div", { id: "pickers", class: "fields", role: "group", wordLabel: "filters" }, fields), made.root, policy.root));
}

function show() {
  if (!made) return;
  // Of several operators this view shows none by itself: all, and the picker says so.
  if (!isOneOffered()) return set({ plmn: null }, false);
  for (const field of fields) field.draw();
  if (last) draw();
  return undefined;
}

const share = (part, whole) => (whole > 0 ? `${number((part / whole) * 100)} %` : "–");

function draw() {
  const { versions, days, from, to } = last;
  if (versions.length === 0) return made.body.replaceChildren(h("p", { class: "hint" }, word("noPrompts")));
  const rows = versions.map((each) => [each.policy_version, ...kinds.map((kind) => number(each[kind])), share(each.answered, each.shown)]);
  const byRule = Map.groupBy(days, (each) => each.rule ?? ""), ruleRows = [...byRule].map(([rule, all]) => {
    const sum = (kind) => all.reduce((total, each) => total + each[kind], 0);
    return [rule ? word(`prompt.${rule}`) : "–", ...kinds.map((kind) => number(sum(kind))), share(sum("answered"), sum("shown"))];
  });
  const heads = (first) => [word(first), ...kinds.map((kind) => word(`prompt.${kind}`)), word("answeredShare")];
  made.body.replaceChildren(table(heads("policyVersion"), rows, { numeric: [1, 2, 3, 4, 5], caption: word("prompts") }), chart.root, table(heads("rule"), ruleRows, { numeric: [1, 2, 3, 4, 5], caption: word("rule") }));
  const first = fieldTime(`${from}T00:00`), end = fieldTime(`${to}T00:00`) + day;
  const points = (kind) => Array.from({ length: Math.round((end - first) / day) }, (_, index) => {
    const at = first + index * day, name = new Date(Date.parse(`${from}T00:00Z`) + index * day).toISOString().slice(0, 10);
    const value = days.filter((each) => each.day === name).reduce((sum, each) => sum + each[kind], 0);
    return { from: at, to: at + day, value, n: value, state: "ok" };
  });
  chart.draw({ title: word("prompts"), from: first, to: end, unit: word("prompts").toLowerCase(), text: (value) => number(value), isFromZero: true, isBars: true, isLegend: true,
    series: kinds.slice(0, 2).map((kind) => ({ name: word(`prompt.${kind}`), points: points(kind) })) });
  return undefined;
}

const asCSV = ({ days }) => csv([["day", "policy_version", "plmn", "operator", "rule", ...kinds], ...days.map((each) => [each.day, each.policy_version, each.plmn, operatorName(each.plmn), each.rule, ...kinds.map((kind) => each[kind])])]);

async function refresh() {
  if (!made) return;
  const { from, to } = period("days30");
  try {
    last = await fetchJSON(`v1/engagement?${parametersOf({ from: Math.round(from), to: Math.round(to), plmn: parameter("plmn") })}`, stop.signal);
    made.told();
    draw();
  } catch (error) { if (!stop.signal.aborted) made.failed(error); }
  await policy?.refresh(stop.signal);
}

export const engagement = { name: "engagement", open, show, refresh, translated: show, close() { stop.abort(); made = null; } };
