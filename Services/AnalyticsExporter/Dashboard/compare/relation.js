// How ratings go with what was measured at the same moment; that nothing was found is said in words.

import { parameter } from "../support/address.js";
import { h, put, table } from "../support/dom.js";
import { ask } from "../support/kpis.js";
import { figure, valueText } from "../support/metrics.js";
import { panel } from "../support/panel.js";
import { choice, operatorName, operators } from "../support/pickers.js";
import { counted, number, word } from "../support/words.js";

/** Metrics that a rating is held against. */
const measured = ["latency_ms", "download_kbps", "upload_kbps", "loss_pct", "jitter_ms", "rsrp_dbm"];

export function makeRelation() {
  let found = [];
  const picker = choice("x", "metric", () => measured.map((name) => [name, word(name)]), () => measured[0]);
  const made = panel("measuredFelt", { figure: "rows", id: "relation", tools: [picker] });
  const draw = () => {
    picker.draw();
    made.body.replaceChildren(...found.map(({ plmn, answer }) => one(plmn, answer)));
  };
  return {
    root: made.root, panel: made, draw,
    async refresh({ region, quadkey, ...wanted }, signal) {
      try {
        const x = parameter("x") || measured[0], next = [];
        for (const plmn of operators(4)) next.push({ plmn, answer: await ask("v1/relation", { ...wanted, region, quadkey, x, plmn }, signal) });
        found = next;
        if (found.length > 0) made.told(found[0].answer);
        draw();
      } catch (error) { made.failed(error); }
    },
  };
}

function one(plmn, answer) {
  const { finding, pairs, devices, strength, strength_interval: interval, x, curve, ratings_without_x: without } = answer;
  const head = h("p", { class: `verdict ${finding}` });
  const certain = interval ? ` (${number(interval[0], 2)} … ${number(interval[1], 2)})` : "";
  put(head, `${operatorName(plmn)}: ${word(`finding.${finding}`)}`);
  const basis = [`${counted(pairs, "pairs")}`, counted(devices, "devices"), strength === null ? null : `${word("strength")} ${number(strength, 2)}${certain}`,
    without > 0 ? `${number(without)} ${word("ratingsWithout")}` : null].filter(Boolean).join(" · ");
  return h("div", { class: "relation" }, head, h("p", { class: "hint" }, basis),
    curve?.length > 0 && table([word(x.metric), word("rating"), "95 %", "n", word("devices")], curve.map((part) => [
      `${part.x_from === null ? "" : figure(x.metric, part.x_from)} … ${part.x_to === null ? "" : valueText(x.metric, part.x_to)}`, part.value === null ? "–" : number(part.value, 2),
      part.interval ? `${number(part.interval[0], 2)} … ${number(part.interval[1], 2)}` : "–", number(part.n), number(part.devices)]), { numeric: [1, 2, 3, 4], caption: word("measuredFelt") }));
}
