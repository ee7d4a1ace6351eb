// Whether what is shown is as new as it should be, in words for people who do not know the services behind it.

import { timeText } from "./clock.js";
import { LoggedOut, checkSession, fetchJSON } from "./server.js";
import { word } from "./words.js";

const $ = (id) => document.getElementById(id);
/** Milliseconds between two questions: who looks is told within five seconds. */
const interval = 1500;
const words = { alarms: "lateAlarms", statistics: "lateStatistics", rows: "lateRows" };
let state = null, timer = null, running = Promise.resolve(), isWatching = false;

/** Asks again and again, and calls `changed` when something becomes late or is so no more. */
export function watchLateness(changed) {
  isWatching = true;
  clearTimeout(timer);
  const round = async () => {
    const before = JSON.stringify(late());
    if (!document.hidden) state = await ask();
    if (!isWatching) return;
    drawLateness();
    if (JSON.stringify(late()) !== before) changed();
    timer = setTimeout(start, interval);
  };
  const start = () => { running = round(); };
  start();
}

/** What the server says; null if it does not answer or the session is over, of which the page tells elsewhere. */
async function ask() {
  try {
    await checkSession();
    return isWatching ? await fetchJSON("v1/status") : null;
  } catch (error) {
    if (error instanceof LoggedOut) isWatching = false;
    return null;
  }
}

/** Ends it; nothing is on the way to the server any more when the promise is kept. */
export function clearLateness() {
  isWatching = false;
  clearTimeout(timer);
  state = null;
  drawLateness();
  return running;
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
