// Whether what is shown is as new as it should be: every second and a half the server is asked for its time and for how
// complete its figures are. Who looks is told within five seconds that it does not answer.

import { setClock, timeText } from "./clock.js";
import { $ } from "./dom.js";
import { LoggedOut, checkSession, fetchJSON } from "./server.js";
import { word } from "./words.js";

/** Milliseconds between two questions, how long an answer may take, and after how long without one nothing is live. */
const interval = 1500, patience = 3000, lostAfter = 4000;
const words = { alarms: "lateAlarms", statistics: "lateStatistics", rows: "lateRows", campaigns: "lateCampaigns" };
let state = null, timer = null, running = Promise.resolve(), isWatching = false, heardAt = 0, listener = () => {}, over = () => {};

/** Asks again and again; calls `changed` when something has become late, lost or is so no more, `ended` when the session is over. */
export function watchPulse(changed, ended) {
  isWatching = true;
  heardAt = performance.now();
  [listener, over] = [changed, ended];
  clearTimeout(timer);
  const round = async () => {
    if (!document.hidden) await ask();
    if (isWatching) timer = setTimeout(start, interval);
  };
  const start = () => { running = round(); };
  start();
}

async function ask() {
  try {
    setClock(await checkSession(patience));
    if (!isWatching) return;
    state = await fetchJSON("v1/status", AbortSignal.timeout(patience));
    heardAt = performance.now();
  } catch (error) {
    if (error instanceof LoggedOut && isWatching) return over();
  }
}

/** Ends it; nothing is on the way to the server any more when the promise is kept. */
export function endPulse() {
  isWatching = false;
  clearTimeout(timer);
  state = null;
  drawPulse();
  return running;
}

export const isLate = (figure) => state?.figures?.[figure]?.late ?? false;
/** Whether somebody has to be told of it: a home that pays no rewards has no figures of campaigns. */
export const isTold = (figure) => isLate(figure) && (figure !== "campaigns" || state.figures.campaigns.complete_to_ms !== null);
const late = () => Object.keys(words).filter(isTold);
/** Whether the server has not answered for so long that nothing is live. */
export const isLost = () => isWatching && !document.hidden && performance.now() - heardAt > lostAfter;
/** What `GET /v1/status` said last; null before the first answer. */
export const status = () => state;

export function drawPulse() {
  const lines = late().map((figure) => {
    const since = state.figures[figure].complete_to_ms;
    return since === null ? null : `${word(words[figure])} ${timeText(since)}.`;
  });
  const known = lines.filter((line) => line !== null);
  $("late").textContent = isLost() ? "" : known.length > 0 ? known.join(" ") : lines.length > 0 ? word("lateUnknown") : "";
  $("lost").hidden = !isLost();
  $("lost").textContent = isLost() ? word("lost") : "";
  document.body.classList.toggle("stale", isLost());
}

// Who comes back to this tab has not been without an answer for longer than since then.
document.addEventListener("visibilitychange", () => { if (!document.hidden) heardAt = Math.max(heardAt, performance.now() - 1000); });
let before = "";
setInterval(() => {
  if (!isWatching) return;
  drawPulse();
  const now = `${isLost()} ${late()} ${state?.services?.map((each) => each.state)}`;
  if (now !== before) { before = now; listener(); }
}, 500);
