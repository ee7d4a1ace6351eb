// Whether what is shown is as new as it should be, in words for people who do not know the services behind it.

import { timeText } from "./clock.js";
import { fetchJSON } from "./server.js";
import { word } from "./words.js";

const $ = (id) => document.getElementById(id);
/** Milliseconds between two questions: who looks is told within five seconds. */
const interval = 1500;
const words = { alarms: "lateAlarms", statistics: "lateStatistics", rows: "lateRows" };
let state = null, timer = null;

/** Asks again and again, and calls `changed` when something becomes late or is so no more. */
export function watchLateness(changed) {
  clearTimeout(timer);
  const ask = async () => {
    const before = JSON.stringify(late());
    if (!document.hidden) {
      // Whoever does not answer is told of elsewhere on the page.
      try { state = await fetchJSON("v1/status"); } catch { state = null; }
    }
    if (timer === null) return;
    drawLateness();
    if (JSON.stringify(late()) !== before) changed();
    timer = setTimeout(ask, interval);
  };
  timer = setTimeout(ask, 0);
}

export function clearLateness() {
  clearTimeout(timer);
  timer = state = null;
  drawLateness();
}

const late = () => Object.keys(words).filter((figure) => state?.figures?.[figure]?.late);

export const isLate = (figure) => late().includes(figure);

export function drawLateness() {
  const lines = late().map((figure) => {
    const since = state.figures[figure].complete_to_ms;
    return since === null ? null : `${word(words[figure])} ${timeText(since)}.`;
  });
  const known = lines.filter((line) => line !== null);
  $("late").textContent = known.length > 0 ? known.join(" ") : lines.length > 0 ? word("lateUnknown") : "";
}
