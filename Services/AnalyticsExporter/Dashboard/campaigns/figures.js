// What is known of a campaign's days, as columns of tables, of files and as figures of the chart.

import { serverNow } from "../support/clock.js";
import { h } from "../support/dom.js";
import { operatorName } from "../support/pickers.js";
import { counted, number, word } from "../support/words.js";

const sum = (counts) => Object.values(counts).reduce((total, each) => total + each, 0);

/** Figures that a chart can show: of a day, in which unit; `isGap`: a day without any has no value. */
export const measures = {
  spent_xaf: { of: (each) => each.spent_xaf, unit: "xaf" },
  grants: { of: (each) => each.grants, unit: "unit.grants" },
  held: { of: (each) => each.held, unit: "unit.grants" },
  refused: { of: (each) => sum(each.refused), unit: "unit.reports" },
  devices: { of: (each) => each.devices, unit: "unit.devices" },
  new_devices: { of: (each) => each.new_devices, unit: "unit.devices" },
  useful: { of: (each) => each.useful, unit: "unit.reports" },
  cost_per_useful_xaf: { of: (each) => each.cost_per_useful_xaf, unit: "xaf", digits: 1, isGap: true },
  new_cells: { of: (each) => each.new_cells, unit: "unit.cells" },
};

/** Members of a day in files, by the names and in the order of `GET /v1/campaigns.csv`. */
export const inFiles = [...["grants", "granted_xaf", "paid", "paid_xaf", "open", "open_xaf", "held", "rejected", "reversed", "spent_xaf"].map((name) => [name, (each) => each[name]]),
  ["refused", (each) => Object.keys(each.refused).sort().map((reason) => `${reason}:${each.refused[reason]}`).join(" ")],
  ...["devices", "new_devices", "useful", "cost_per_useful_xaf", "new_cells"].map((name) => [name, (each) => each[name]])];

/** Why records have no grant, in words; a reason that is new here by its own name. */
function reasons(refused) {
  const known = (reason) => { const said = word(`refusal.${reason}`); return said === `refusal.${reason}` ? reason : said; };
  return Object.entries(refused).sort(([, a], [, b]) => b - a).map(([reason, count]) => `${known(reason)} ${number(count)}`).join(", ");
}

const refused = (each) => (sum(each.refused) === 0 ? "0" : h("span", { class: "refused" }, number(sum(each.refused)), " ", h("small", {}, reasons(each.refused))));

/** Columns that the tables of days and of standings share: the word of the head, and what stands below it. */
const columns = [
  ...["spent_xaf", "paid_xaf", "open_xaf", "grants", "held", "rejected", "reversed", "devices", "new_devices", "useful"].map((name) => [name, (each) => number(each[name])]),
  ["cost_per_useful_xaf", (each) => (each.cost_per_useful_xaf === null ? "–" : number(each.cost_per_useful_xaf, 1))], ["new_cells", (each) => number(each.new_cells)], ["refused", refused],
];
const head = ([name]) => `${word(`campaign.${name}`)}${name.endsWith("_xaf") ? `, ${word("xaf")}` : ""}`;
/** Columns that are aligned right, behind so many others: all but the last, which has words. */
const numericOf = (all, before) => all.slice(0, -1).map((_, index) => index + before);

export const heads = () => [word("dayOf"), word("campaign"), ...columns.map(head)];
export const numericOfDays = numericOf(columns, 2);
export const dayRow = ({ campaign }, each) => [each.day, campaign, ...columns.map(([, of]) => of(each))];

/** Devices of several days are no sum: how many there are is known of all days since the first alone. */
const summed = columns.filter(([name]) => !["devices", "new_devices"].includes(name));

export const numericOfStandings = [4, ...numericOf(summed, 5)];
export const networkNames = ({ networks }) => (networks.length === 0 ? word("anyNetwork") : networks.map(operatorName).join(", "));
export const standingHeads = (coverage) => [...["campaign", "operators", "budget", "state", "campaign.ever"].map(word), ...summed.map((each) =>
  (each[0] === "new_cells" && coverage ? `${head(each)} (${counted(coverage.days, "days")})` : head(each)))];

/** Whether it pays now; of one that has no document that is not known here. */
function stateOf(document) {
  if (!document) return "none";
  if (document.active === false) return "paused";
  return serverNow() < document.from_ms ? "coming" : serverNow() >= document.to_ms ? "over" : "on";
}

/** How it stands: what of the budget is left, whether it goes on, whom it has reached, and what it came to in the period. */
export function standing({ document, ever, total }) {
  const budget = document?.budget_xaf, part = budget > 0 ? Math.min(1, ever.spent_xaf / budget) : null;
  return [part === null ? number(ever.spent_xaf) : h("span", {}, `${number(ever.spent_xaf)} / ${number(budget)} `, h("meter", { min: 0, max: 1, low: 0.75, high: 0.95, optimum: 0, value: part, ariaLabel: word("shareOfBudget") })),
    word(`campaign.is.${stateOf(document)}`), number(ever.devices), ...summed.map(([, of]) => of(total))];
}
