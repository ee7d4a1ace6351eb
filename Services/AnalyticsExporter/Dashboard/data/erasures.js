// How erasures stand, for regulators: how many are open and late, and since when each waits for whom.

import { serverNow, timeText } from "../support/clock.js";
import { h, put, table } from "../support/dom.js";
import { panel } from "../support/panel.js";
import { fetchJSON } from "../support/server.js";
import { counted, duration, word } from "../support/words.js";

/** Rows of the list at most; the API has the others. */
const listed = 50;
/** Services that must sign. */
const signers = 6;

export function makeErasures() {
  const made = panel("erasures", { id: "erasures" }), summary = h("p", { id: "erasures-standing", class: "chip" }), rows = h("div", { id: "erasure-rows" });
  made.body.append(summary, rows);
  let last = null;
  const draw = () => {
    if (!last) return;
    put(summary, standing(last));
    summary.dataset.state = last.late > 0 ? "late" : "";
    rows.replaceChildren(table(["request", "state", "scope", "asked", "waited", "due", "signed"].map(word), last.erasures.map(row), { caption: word("erasures") }));
  };
  return {
    root: made.root, draw,
    async refresh(signal) {
      last = await fetchJSON(`v1/erasures?limit=${listed}`, signal);
      made.told(last);
      draw();
    },
  };
}

function standing({ counts, late, oldest_open_age_ms: oldest, completed_took: took }) {
  const open = counts.pending + counts.in_progress, parts = [];
  if (open > 0) parts.push(counted(open, "erasuresOpen"), `${word("oldest")} ${duration(oldest)}`);
  if (late > 0) parts.push(counted(late, "erasuresLate"));
  parts.push(counted(counts.completed, "erasuresCompleted"));
  if (took) parts.push(`${word("median").toLowerCase()} ${duration(took.p50_ms)}`);
  return parts.join(" · ");
}

function row(erasure) {
  const age = Math.max(0, (erasure.completed_at_ms ?? serverNow()) - erasure.requested_at_ms);
  return [erasure.request.slice(0, 8), h("span", { class: erasure.late ? "error" : "" }, word(`erasure.${erasure.state}`)), word(`erasure.${erasure.scope}`), timeText(erasure.requested_at_ms),
    waited(age, erasure), timeText(erasure.due_at_ms), h("span", { title: erasure.signed.map(({ service }) => service).join(", ") }, `${erasure.signed.length} / ${signers}`)];
}

/** How long it took or has waited, in words and as a part of the time it has. */
const waited = (age, erasure) => h("span", {}, duration(age), " ", h("meter", { min: 0, max: 1, low: 0.5, high: 0.999, optimum: 0,
  value: Math.min(1, age / (erasure.due_at_ms - erasure.requested_at_ms)), ariaLabel: word("shareOfTime") }));
