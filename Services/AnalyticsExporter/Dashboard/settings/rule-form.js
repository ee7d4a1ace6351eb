// The parts of a rule that are changed most, as fields over its document. Both say the same: what is written in one stands in the other.

import { h, put } from "../support/dom.js";
import { drawable, isHigherBetter, scale, unit } from "../support/metrics.js";
import { number, word } from "../support/words.js";
import { english } from "../words/english.js";
import { french } from "../words/french.js";

const severities = ["critical", "major", "minor", "warning"];
/** `probableCause` of alarms about a metric, by the beginning of its name. */
const causes = [["download", "bandwidthReduced"], ["upload", "bandwidthReduced"], ["latency", "responseTimeExcessive"], ["jitter", "responseTimeExcessive"], ["loss", "retransmissionRateExcessive"]];
const causeOf = (metric) => causes.find(([part]) => metric.startsWith(part))?.[1] ?? "performanceDegraded";
const about = (metric) => ({ text: `${english[metric]}: ${english.badValues}`, text_fr: `${french[metric]} : ${french.badValues}` });
const per = (metric) => scale(metric).per ?? 1;
/** Without the digits that a computer adds: 0.1 × 3. */
const plain = (value) => Number(value.toPrecision(12));

/**
 * `area`: the field of the document; `session`: whose metrics there are; `ours`: texts that the page wrote, and not a person. Only rules of
 * shares have fields; of others the document is written.
 */
export function ruleForm(area, session, ours = []) {
  const box = h("div", { class: "fields", id: "rule-fields" }), sentence = h("p", { id: "rule-sentence", class: "hint" });
  const field = (key, input) => h("label", {}, h("span", { word: key }), input);
  const numeric = (id, min, max, write) => h("input", { id, type: "number", min, max, step: 1, required: true, on: { change: () => change(write, id) } });
  const metric = h("select", { id: "rule-metric", on: { change: () => change(setMetric) } });
  const bound = h("input", { id: "rule-bound", type: "number", step: "any", required: true, on: { change: () => change(setBound, "rule-bound") } });
  const share = numeric("rule-share", 1, 100, setShare), devices = numeric("rule-devices", 1, 256, (rule) => { rule.min_devices = Number(devices.value); });
  const minutes = numeric("rule-minutes", 1, 1440, (rule) => { rule.window_s = Number(minutes.value) * 60; });
  const severity = h("select", { id: "rule-severity", on: { change: () => change((rule) => { rule.severity = severity.value; }) } }, severities.map((name) => new Option(word(name), name)));
  metric.append(...session.metrics.filter(drawable).map((name) => new Option(word(name), name)));
  box.append(field("metric", metric), field("badBeyond", bound), field("shareOfDevices", share), field("leastDevices", devices), field("windowMinutes", minutes), field("severity", severity));

  const read = () => { try { return JSON.parse(area.value); } catch { return null; } };

  /** Shows what the document says. */
  function draw() {
    const rule = read(), isShown = rule?.kind === "ratio" && drawable(rule.metric) && typeof rule.severity === "string";
    box.hidden = sentence.hidden = !isShown;
    if (!isShown) return;
    metric.value = rule.metric;
    bound.value = plain((rule.bad?.below ?? rule.bad?.above ?? 0) / per(rule.metric));
    share.value = Math.round((rule.set ?? 0) * 100);
    devices.value = rule.min_devices ?? 1;
    minutes.value = Math.round((rule.window_s ?? 0) / 60);
    severity.value = rule.severity;
    put(sentence, `${word("ruleSays")} ${number(rule.set * 100, 1)} % ${word("ofAtLeast")} ${number(rule.min_devices)} ${word("devices").toLowerCase()} ${word("have")} ${word(rule.metric)} ${word(rule.bad?.below === undefined ? "over" : "under")} ${number(Number(bound.value), 2)} ${unit(rule.metric)} ${word("within")} ${number(Number(minutes.value))} ${word("minutes")}.`);
  }

  /** Writes one field into the document: what the others show roundly stays as it was written. */
  function change(write, id) {
    const rule = read();
    if (!rule || (id && !box.querySelector(`#${id}`).reportValidity())) return;
    write(rule);
    area.value = JSON.stringify(rule, null, 2);
    draw();
  }

  function setBound(rule) {
    const side = rule.bad?.below === undefined ? "above" : "below";
    rule.bad = { [side]: plain(Number(bound.value) * per(rule.metric)) };
  }

  /** A share at which it would be over before it began is no share to end at. */
  function setShare(rule) {
    rule.set = Number(share.value) / 100;
    if (rule.clear >= rule.set) rule.clear = Math.floor(rule.set * 50) / 100;
  }

  /** Another metric has its own unit: it begins with its low bound, and with words about it where the page wrote those before. */
  function setMetric(rule) {
    const before = rule.metric, isOurs = rule.text === about(before).text || ours.includes(rule.text);
    rule.metric = metric.value;
    rule.bad = { [isHigherBetter(rule.metric) ? "below" : "above"]: scale(rule.metric).low };
    if (rule.cause === causeOf(before)) rule.cause = causeOf(rule.metric);
    if (isOurs) Object.assign(rule, about(rule.metric));
  }

  area.addEventListener("input", draw);
  draw();
  return { root: h("div", { class: "rule-form" }, box, sentence), draw };
}
