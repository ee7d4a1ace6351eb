// Has cells read by a worker, and hands them on in slices, between which the page answers to the pointer.

import { Offline } from "../support/server.js";

const waiting = new Map();
let worker = null, last = 0;

function start() {
  worker = new Worker(new URL("reading.js", import.meta.url), { type: "module" });
  worker.addEventListener("message", ({ data: { number, cells, head, isUnreadable } }) => {
    const reader = waiting.get(number);
    if (cells) return reader?.take(cells);
    waiting.delete(number);
    if (isUnreadable) reader?.reject(new Offline()); else reader?.resolve(head);
  });
  worker.addEventListener("error", () => {
    for (const { reject } of waiting.values()) reject(new Offline());
    waiting.clear();
    worker = null;
  });
}

/** Calls `take` with the properties of some cells after the others; kept with what else the answer says. A `signal` gives it up. */
export function readCells(bytes, take, signal) {
  if (!worker) start();
  const number = last += 1;
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    const giveUp = () => { waiting.delete(number); reject(signal.reason); };
    // The signal outlives what was read, and would keep it.
    const settling = (settle) => (value) => { signal?.removeEventListener("abort", giveUp); settle(value); };
    signal?.addEventListener("abort", giveUp, { once: true });
    waiting.set(number, { take, resolve: settling(resolve), reject: settling(reject) });
    worker.postMessage({ number, bytes }, [bytes]);
  });
}
