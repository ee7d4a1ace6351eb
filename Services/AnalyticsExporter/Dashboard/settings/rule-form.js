// The parts of a rule that are changed most, as fields over its document. Both say the same: what is written in one stands in the other.

import { h, put } from "../support/dom.js";
import { drawable, isHigherBetter, scale, unit } from "../support/metrics.js";
import { number, word } from "../support/words.js";
import { english } from "../words/english.js";
import { french } from "../words/french.js";

const severities = ["critical", "major", "minor", "warning"];
/** `probableCause` of alarms about a metric, by the beginning of its name. */
const causes = [["download", "bandwidthReduced"], ["upload", "bandwidthReduced"], ["latency", "responseTimeExcessive"], ["jitter", "responseTimeExcessive"], ["loss", "retransmissionRateExcessive"]];
const about = (metric) => ({ cause: causes.find(([part]) => metric.startsWith(part))?.[1] ?? "performanceDegraded",
  text: `${english[metric]}: ${english.badValues}`, text_fr: `${french[metric]} : ${french.badValues}` });
const per = (metric) => scale(metric).per ?? 1;

/** `area`: the field of the document; `session`: whose metrics there are. Only rules of shares have fields; of others the document is written. */
export function ruleForm(area, session) {
  const box = h("div", { class: "fields", id: "rule-fields" }), sentence = h("p", { id: "rule-sentence", class: "hint" });
  const field = (key, input) => h("label", {}, h("span", { word: key }), input);
  const numeric = (id, min, max, step) => h("input", { id, type: "number", min, max, step, required: true, on: { change: write } });
  const metric = h("select", { id: "rule-metric", on: { change: () => write(true) } });
  const bound = h("input", { id: "rule-bound", type: "number", step: "any", required: true, on: { change: write } });
  const share = numeric("rule-share", 5, 100, 5), devices = numeric("rule-devices", 1, 256, 1), minutes = numeric("rule-minutes", 1, 1440, 1);
  const severity = h("select", { id: "rule-severity", on: { change: write } }, severities.map((name) => new Option(word(name), name)));
  metric.append(...session.metrics.filter(drawable).map((name) => new Option(word(name), name)));
  box.append(field("metric", metric), field("badBeyond", bound), field("shareOfDevices", share), field("leastDevices", devices), field("windowMinutes", minutes), field("severity", severity));

  const read = () => { try { return JSON.parse(area.value); } catch { return null; } };

  /** Shows what the document says. */
  function draw() {
    const rule = read(), isShown = rule?.kind === "ratio" && drawable(rule.metric) && typeof rule.severity === "string";
    box.hidden = sentence.hidden = !isShown;
    if (!isShown) return;
    metric.value = rule.metric;
    bound.value = (rule.bad?.below ?? rule.bad?.above ?? 0) / per(rule.metric);
    share.value = Math.round((rule.set ?? 0) * 100);
    devices.value = rule.min_devices ?? 1;
    minutes.value = Math.round((rule.window_s ?? 0) / 60);
    severity.value = rule.severity;
    put(sentence, `${word("ruleSays")} ${number(rule.set * 100)} % ${word("ofAtLeast")} ${number(rule.min_devices)} ${word("devices").toLowerCase()} ${word("have")} ${word(rule.metric)} ${word(rule.bad?.below === undefined ? "over" : "under")} ${number(Number(bound.value), 2)} ${unit(rule.metric)} ${word("within")} ${number(Number(minutes.value))} ${word("minutes")}.`);
  }

  /** Writes the fields into the document; `isOther`: the metric is another, and begins with its low bound. */
  function write(isOther) {
    const rule = read();
    if (!rule) return;
    const name = metric.value;
    if (isOther === true) bound.value = scale(name).low / per(name);
    for (const input of [bound, share, devices, minutes]) if (!input.reportValidity()) return;
    const set = Number(share.value) / 100;
    Object.assign(rule, { metric: name, bad: { [isHigherBetter(name) ? "below" : "above"]: Number(bound.value) * per(name) }, set, clear: Math.round(set * 50) / 100,
      min_devices: Number(devices.value), window_s: Number(minutes.value) * 60, severity: severity.value, ...(isOther === true ? about(name) : {}) });
    area.value = JSON.stringify(rule, null, 2);
    draw();
  }

  area.addEventListener("input", draw);
  draw();
  return { root: h("div", { class: "rule-form" }, box, sentence), draw };
}
