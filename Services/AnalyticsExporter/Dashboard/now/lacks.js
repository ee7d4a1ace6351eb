// What the pipeline itself lacks: services that are not heard, figures that are late, a clock that is a recording's.

import { clockSpeed, dayAndTime, followsRecording, serverNow, timeText } from "../support/clock.js";
import { h } from "../support/dom.js";
import { isLost, isTold, status } from "../support/pulse.js";
import { duration, number, word } from "../support/words.js";

export const makeLacks = () => h("section", { id: "lacks", wordLabel: "pipeline" });

let stamp = "";

export function drawLacks(box) {
  const told = status();
  const lines = told ? [...services(told), ...figures(told)] : [];
  if (isLost()) lines.unshift(["bad", word("lost")]);
  const isWell = lines.length === 0;
  const moments = told ? Object.values(told.figures).map(({ complete_to_ms: at }) => at).filter(Boolean) : [];
  const summary = !told ? word("loading") : isWell ? `${word("allHeard")} ${moments.length > 0 ? `${word("completeTo")} ${timeText(Math.min(...moments))}.` : ""}` : word("lacks");
  const clock = followsRecording() ? [["note", `${word("recordingHint")} ${dayAndTime(serverNow())}${clockSpeed() === 1 ? "" : ` × ${number(clockSpeed())}`}`]] : [];
  const text = JSON.stringify([summary, lines, clock, document.documentElement.lang]);
  if (text === stamp && box.children.length > 0) return;
  stamp = text;
  box.dataset.state = isWell ? "well" : "bad";
  box.replaceChildren(h("p", { class: "summary" }, h("i", { class: "lamp", "aria-hidden": "true" }), h("strong", {}, word("pipeline")), " ", h("span", {}, summary)),
    ...(lines.length + clock.length > 0 ? [h("ul", {}, [...lines, ...clock].map(([kind, line]) => h("li", { class: kind }, line)))] : []));
}

const services = ({ services: all }) => all.filter(({ state }) => state !== "alive")
  .map(({ service, state, silent_ms: silent }) => ["bad", `${service}: ${word(`service.${state}`)}${silent > 0 ? ` (${duration(silent)})` : ""} – ${word(`service.${service}`)}`]);

const figures = ({ figures: all }) => Object.entries(all).filter(([name]) => isTold(name))
  .map(([name, { complete_to_ms: at }]) => ["bad", `${word(`figure.${name}`)}: ${at ? `${word("completeTo")} ${timeText(at)}` : word("lateUnknown")}`]);
