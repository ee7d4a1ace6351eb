/** The screen of the speed test: what it may take is shown and chosen before, what it took afterwards. */

import * as feedback from "./feedback.js";
import { element, find, tell } from "./page.js";
import { measure } from "./speedtest.js";
import { word } from "./words.js";

const store = globalThis.nkul.store;
/** Bytes of the data plan that a person can give. */
const budgets = [2_000_000, 10_000_000, 50_000_000];

let running;
let result;

const megabytes = (bytes) => (bytes / 1_000_000).toLocaleString(undefined, { maximumFractionDigits: 1 });

export async function show() {
  const consent = (await store.get("consent")) ?? {}, chosen = (await store.get("testBudget")) ?? budgets[1];
  const body = find("speed-body");
  if (!consent.measurement) return body.replaceChildren(element("p", {}, word("measurementOff")));
  if (running) return;
  const choices = budgets.map((bytes) => element(
    "label", { class: "choice", for: `budget-${bytes}` },
    element("input", { type: "radio", name: "budget", id: `budget-${bytes}`, value: bytes, checked: bytes === chosen }),
    element("span", {}, element("b", {}, word("budget", { megabytes: megabytes(bytes) })))));
  body.replaceChildren(
    element("p", {}, word("speedText")),
    element("fieldset", { class: "card" }, element("legend", {}, word("budgetAsk")), ...choices),
    element("p", { id: "test-told", class: "quiet", role: "status" }),
    element("progress", { id: "test-share", max: 1, value: 0, hidden: true, "aria-label": word("speedProgress") }),
    element(
      "div", { class: "row" },
      element("button", { type: "button", id: "test-stop", hidden: true, onclick: stop }, word("speedStop")),
      element("button", { type: "button", id: "test-start", class: "primary", onclick: start }, word("speedStart"))),
    result ? shown(result) : undefined);
}

function shown(figures) {
  const lines = [
    ["speedDown", figures.download_kbps, (kbps) => `${megabytes(kbps * 1000)} Mbit/s`],
    ["speedUp", figures.upload_kbps, (kbps) => `${megabytes(kbps * 1000)} Mbit/s`],
    ["speedLatency", figures.latency_ms, (ms) => `${Math.round(ms)} ms`],
    ["speedLoaded", figures.test_loaded_rtt_ms, (ms) => `${Math.round(ms)} ms`],
    ["speedJitter", figures.jitter_ms, (ms) => `${Math.round(ms)} ms`],
    ["speedTook", figures.test_bytes, (bytes) => `${megabytes(bytes)} MB`],
  ].filter(([, value]) => value !== undefined);
  return element(
    "div", { class: "card", id: "test-result" }, element("h3", {}, word("speedResult")),
    element("dl", {}, ...lines.flatMap(([name, value, text]) => [element("dt", {}, word(name)), element("dd", {}, text(value))])));
}

function stop() { running?.abort(); }

/** Measures, keeps what was measured as a report, and shows it. */
async function start() {
  const budget = Number(document.querySelector("input[name=budget]:checked")?.value ?? budgets[1]);
  await store.set("testBudget", budget);
  if (!navigator.onLine) return tell(word("offline"), "bad");
  running = new AbortController();
  find("test-start").disabled = true;
  find("test-stop").hidden = find("test-share").hidden = false;
  let problem;
  try {
    result = await measure(budget, running.signal, told);
    await feedback.keepReport(result);
  } catch (error) {
    problem = error;
  }
  running = undefined;
  await show();
  if (!problem) return;
  tell(word(problem.message === "stopped" ? "speedStopped" : navigator.onLine ? "speedRefused" : "offline"), "bad");
}

function told(stage, share) {
  const text = word({ latency: "speedStageLatency", download: "speedStageDown", upload: "speedStageUp" }[stage]);
  if (find("test-told").textContent !== text) find("test-told").textContent = text;
  find("test-share").value = Math.min(1, share);
}
