// How erasures stand, for regulators: how many are open and late, and since when each waits for whom.

import { serverNow, timeText } from "./clock.js";
import { fetchJSON } from "./server.js";
import { counted, duration, word } from "./words.js";

const $ = (id) => document.getElementById(id);
/** Rows of the list at most; the API has the others. */
const listed = 50;
/** Services that must sign. */
const signers = 6;
let last = null;

/** Asks how they stand and shows it; to whom it is not told there is nothing to see. */
export async function refreshErasures(isRegulator) {
  if (isRegulator) last = await fetchJSON(`v1/erasures?limit=${$("erasures").open ? listed : 1}`);
  else last = null;
  drawErasures();
}

/** Draws again what was told last: in another language, or opened. */
export function drawErasures() {
  $("erasures").hidden = last === null;
  if (last === null) return;
  $("erasures-standing").textContent = standing(last);
  $("erasures-standing").dataset.state = last.late > 0 ? "late" : "";
  if ($("erasures").open) $("erasure-rows").replaceChildren(...last.erasures.map(row));
}

function standing({ counts, late, oldest_open_age_ms, completed_took }) {
  const open = counts.pending + counts.in_progress, parts = [];
  if (open > 0) parts.push(counted(open, "erasuresOpen"), `${word("oldest")} ${duration(oldest_open_age_ms)}`);
  if (late > 0) parts.push(counted(late, "erasuresLate"));
  parts.push(counted(counts.completed, "erasuresCompleted"));
  if (completed_took) parts.push(`${word("median").toLowerCase()} ${duration(completed_took.p50_ms)}`);
  return parts.join(" · ");
}

function row(erasure) {
  const line = document.createElement("tr"), end = erasure.completed_at_ms ?? serverNow();
  const age = Math.max(0, end - erasure.requested_at_ms);
  line.classList.toggle("late", erasure.late);
  const texts = [erasure.request.slice(0, 8), word(`erasure.${erasure.state}`), word(`erasure.${erasure.scope}`),
    timeText(erasure.requested_at_ms), waited(age, erasure), timeText(erasure.due_at_ms),
    `${erasure.signed.length} / ${signers}`];
  line.append(...texts.map((content) => {
    const cell = document.createElement("td");
    cell.append(content);
    return cell;
  }));
  line.title = erasure.signed.map((signature) => signature.service).join(", ");
  return line;
}

/** How long it took or has waited, in words and as a part of the time it has. */
function waited(age, erasure) {
  const place = document.createElement("span");
  const meter = Object.assign(document.createElement("meter"), {
    min: 0, max: 1, low: 0.5, high: 0.999, optimum: 0,
    value: Math.min(1, age / (erasure.due_at_ms - erasure.requested_at_ms)),
  });
  meter.ariaLabel = word("shareOfTime");
  place.append(duration(age), " ", meter);
  return place;
}
