/** What a person has earned, and what the answers did. */

import { busy, element, find, tell } from "./page.js";
import { askJSON, Refusal } from "./server.js";
import { operatorChoice } from "./welcome.js";
import { time, word } from "./words.js";

const store = globalThis.nkul.store;
const card = (title, ...children) => element("div", { class: "card" }, element("h3", {}, title), ...children);

/** What is asked for, the title that stands where it was not told, and what is shown of it. */
const parts = [
  ["/v1/me/rewards?limit=20", "balance", earned], ["/v1/me/progress", "streak", reached],
  ["/v1/me/impact?limit=20", "impact", did], ["/v1/standings", "standings", shown],
];

export async function show() {
  const cards = await Promise.all([...parts.map(part), payout().catch((problem) => missing("payout", problem))]);
  find("rewards-body").replaceChildren(...cards.flat());
}

/** One of the parts: when it is refused, the others are shown all the same. */
async function part([path, title, draw]) {
  try {
    return await draw(await askJSON("GET", path));
  } catch (problem) {
    return missing(title, problem);
  }
}

const missing = (title, problem) =>
  card(word(title), element("p", {}, problem instanceof Refusal ? word("refused", { problem: problem.message }) : word("offline")));

const quiet = (text) => element("p", { class: "quiet" }, text);

function earned({ balance }) {
  const amount = (value) => `${value.toLocaleString()} ${balance.currency}`;
  return card(
    word("balance"), element("p", { class: "big" }, amount(balance.paid_xaf)),
    balance.pending_xaf ? quiet(word("pending", { amount: amount(balance.pending_xaf) })) : undefined);
}

/** Days on which something was answered, the goal of the week, and badges; what this app has no word for is left out. */
function reached({ streaks, goals, badges }) {
  const streak = streaks.find(({ measure }) => measure === "feedback") ?? { days: 0, best: 0 };
  const goal = goals.find(({ goal: name }) => name === "feedback_week");
  const named = badges.map(({ badge }) => badgeName(badge)).filter(Boolean).map((name) => element("li", {}, name));
  return [
    card(
      word("streak"), element("p", { class: "big" }, String(streak.days)), quiet(word("bestStreak", { days: streak.best })),
      streak.until ? quiet(word("streakUntil", { day: streak.until })) : undefined),
    goal ? card(word("goal"), element("p", { class: "big" }, `${goal.done} / ${goal.target}`), quiet(word("goalMet", { times: goal.times_met }))) : undefined,
    card(word("badges"), named.length ? element("ul", {}, ...named) : quiet(word("noBadges"))),
  ].filter(Boolean);
}

const badgeName = (badge) => {
  const [, kind, count] = /^feedback(_streak|_week)?_([0-9]+)$/.exec(badge) ?? [];
  if (!count) return undefined;
  return word({ _streak: "badgeStreak", _week: "badgeWeek" }[kind] ?? "badgeAnswers", { count: Number(count).toLocaleString() });
};

/** Where a person stands among those who chose to be shown, and the name to be shown by. */
async function shown({ nickname, standings }) {
  const consent = (await store.get("consent")) ?? {};
  if (!consent.standings) return card(word("standings"), quiet(word("standingsOff")));
  const tables = standings.map(({ period, lines, count }) => element(
    "div", {}, quiet(word(period === "week" ? "thisWeek" : "thisMonth", { count })),
    element("ol", { class: "standing" }, ...lines.map((line) => element(
      "li", { value: line.rank, class: line.own ? "own" : "" }, `${line.nickname}: ${line.score.toLocaleString()}`)))));
  const button = element("button", { type: "button", onclick: () => busy(button, saveNickname) }, word("nicknameSave"));
  return card(
    word("standings"), ...(tables.length ? tables : [quiet(word("noStandings"))]),
    element("label", { for: "nickname" }, word("nickname")),
    element("input", { type: "text", id: "nickname", maxlength: 24, autocomplete: "nickname", value: nickname ?? "" }),
    element("div", { class: "row" }, button));
}

async function saveNickname() {
  try {
    const { nickname } = await askJSON("PUT", "/v1/me/nickname", { nickname: find("nickname").value.trim() || null });
    tell(word(nickname ? "nicknameSaved" : "nicknameGone", { nickname }), "good");
  } catch (problem) {
    tell(problem instanceof Refusal ? word("refused", { problem: problem.message }) : word("offline"), "bad");
  }
}

function did({ alarms }) {
  const lines = alarms.map((alarm) => element("li", {}, word("impactAlarm", {
    time: time(alarm.raised_at_ms), severity: alarm.severity,
    state: word(alarm.state === "cleared" ? "impactCleared" : "impactOpen"),
  })));
  return card(word("impact"), lines.length ? element("ul", {}, ...lines) : quiet(word("noImpact")));
}

async function payout() {
  const consent = (await store.get("consent")) ?? {};
  if (!consent.rewards) return card(word("payout"), quiet(word("rewardsOff")));
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
