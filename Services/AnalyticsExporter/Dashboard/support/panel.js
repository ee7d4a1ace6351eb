// A part of the page that shows data: it says of when they are, and dims when they age or something of them is late.

import { followsRecording, serverNow, timeText } from "./clock.js";
import { h, put } from "./dom.js";
import { isLate, isLost } from "./pulse.js";
import { LoggedOut, Offline } from "./server.js";
import { duration, word } from "./words.js";

/** Milliseconds of this browser after which data that were not fetched again are old. */
const patience = 45000;
const panels = new Set();

/**
 * A panel.
 *
 * - `title`: key of a word; `figure`: of `GET /v1/status`, by which it is late; `isFixed`: what it shows does not age
 *   (a period that is over).
 * - `told(answer)`: an answer came; its `as_of_ms`, `at_ms` or `now_ms` is its time, the server's if it says none.
 * - `failed(error)`: none came; a session that is over is thrown on.
 */
export function panel(title, { figure = null, id, className = "", tools = [], level = "h2" } = {}) {
  const time = h("time", { class: "asof" }), note = h("p", { class: "error", role: "alert" });
  const body = h("div", { class: "panel-body" });
  const root = h("section", { class: `panel ${className}`, id, wordLabel: title },
    h("div", { class: "head" }, h(level, { word: title }), h("span", { class: "tools" }, tools), time), note, body);
  const made = {
    root, body, figure, time, fetchedAt: null, at: null, completeTo: null, isFixed: false, hasFailed: false,
    told(answer = {}) {
      panels.add(made);
      made.at = answer?.as_of_ms ?? answer?.at_ms ?? answer?.now_ms ?? serverNow();
      made.completeTo = answer?.complete_to_ms ?? null;
      made.fetchedAt = performance.now();
      made.hasFailed = false;
      put(note, "");
      draw(made);
    },
    failed(error) {
      if (error instanceof LoggedOut || error.name === "AbortError") throw error;
      panels.add(made);
      put(note, error instanceof Offline ? word("offlineNow") : error.message);
      if (error instanceof Offline) made.fetchedAt ??= -Infinity;
      made.hasFailed = true;
      root.classList.add("aged");
    },
  };
  return made;
}

function draw(one) {
  const isOld = one.fetchedAt !== null && !one.isFixed && performance.now() - one.fetchedAt > patience;
  const isBehind = !one.isFixed && ((one.figure && isLate(one.figure)) || isLost());
  one.root.classList.toggle("aged", one.hasFailed || (one.fetchedAt !== null && (isOld || isBehind)));
  if (one.at === null) return;
  // What is late lacks what came after its moment, however lately it was fetched.
  const age = Math.max(0, serverNow() - (isBehind ? one.completeTo ?? one.at : one.at));
  const mark = followsRecording() ? ` · ${word("recordingClock")}` : "";
  put(one.time, `${word("asOf")} ${timeText(isBehind ? one.completeTo ?? one.at : one.at)}${isOld || isBehind ? ` (${duration(age)})` : ""}${mark}`);
}

/** Looks again how old everything is; panels that are gone are forgotten. */
export function agePanels() {
  for (const one of panels) {
    if (!one.root.isConnected) panels.delete(one);
    else draw(one);
  }
}
