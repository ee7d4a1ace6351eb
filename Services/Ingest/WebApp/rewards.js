/** What a person has earned, and what the answers did. */

import { busy, element, find, tell } from "./page.js";
import { askJSON, Refusal } from "./server.js";
import { operatorChoice } from "./welcome.js";
import { time, word } from "./words.js";

const store = globalThis.nkul.store;
const card = (title, ...children) => element("div", { class: "card" }, element("h3", {}, title), ...children);

export async function show() {
  const body = find("rewards-body");
  try {
    const [rewards, impact] = await Promise.all([
      askJSON("GET", "/v1/me/rewards?limit=20"), askJSON("GET", "/v1/me/impact?limit=20"),
    ]);
    body.replaceChildren(...earned(rewards), did(impact), await payout());
  } catch (problem) {
    body.replaceChildren(element("p", {}, problem instanceof Refusal ? word("refused", { problem: problem.message }) : word("offline")));
  }
}

function earned({ balance, streak, badges }) {
  const amount = (value) => `${value.toLocaleString()} ${balance.currency}`;
  const named = badges.map(({ badge }) => element("li", {}, word(badge)));
  return [
    card(
      word("balance"), element("p", { class: "big" }, amount(balance.paid_xaf)),
      balance.pending_xaf ? element("p", { class: "quiet" }, word("pending", { amount: amount(balance.pending_xaf) })) : undefined),
    card(
      word("streak"), element("p", { class: "big" }, String(streak.days)),
      element("p", { class: "quiet" }, word("bestStreak", { days: streak.best }))),
    card(word("badges"), named.length ? element("ul", {}, ...named) : element("p", { class: "quiet" }, word("noBadges"))),
  ];
}

function did({ alarms }) {
  const lines = alarms.map((alarm) => element("li", {}, word("impactAlarm", {
    time: time(alarm.raised_at_ms), severity: alarm.severity,
    state: word(alarm.state === "cleared" ? "impactCleared" : "impactOpen"),
  })));
  return card(word("impact"), lines.length ? element("ul", {}, ...lines) : element("p", { class: "quiet" }, word("noImpact")));
}

async function payout() {
  const consent = (await store.get("consent")) ?? {};
  if (!consent.rewards) return card(word("payout"), element("p", { class: "quiet" }, word("rewardsOff")));
  const button = element("button", { type: "button", onclick: () => busy(button, save) }, word("payoutSave"));
  return card(
    word("payout"),
    element("label", { for: "payout-phone" }, word("payoutPhone")),
    element("input", { type: "tel", id: "payout-phone", autocomplete: "tel", placeholder: "+237670000001" }),
    element("label", { for: "payout-operator" }, word("payoutOperator")),
    await operatorChoice("payout-operator", await store.get("operator")),
    element("div", { class: "row" }, button));
}

async function save() {
  const body = { phone: find("payout-phone").value.replace(/[\s().-]/g, ""), operator: find("payout-operator").value };
  try {
    const { phone } = await askJSON("PUT", "/v1/me/payout", body);
    tell(word("payoutSaved", { phone }), "good");
  } catch (problem) {
    tell(problem instanceof Refusal ? word("refused", { problem: problem.message }) : word("offline"), "bad");
  }
}
