// Web Push of this browser: switched on and off by a button, which asks the browser for leave.

import { h, put } from "../support/dom.js";
import { fetchJSON, putJSON, remove } from "../support/server.js";
import { word } from "../support/words.js";

const path = "v1/contact/push";
const isPossible = () => "serviceWorker" in navigator && "PushManager" in window && isSecureContext;

/** A button and what it says. What is known of this browser is asked for when it is pressed: without a notifier there is nothing to ask. */
export function makePush() {
  const said = h("p", { id: "push-said", class: "hint", role: "status" });
  const on = h("button", { id: "push-on", type: "button", word: "pushOn", on: { click: () => run(begin) } });
  const off = h("button", { id: "push-off", type: "button", word: "pushOff", on: { click: () => run(end) } });
  const run = async (act) => {
    try { put(said, word(await act())); said.classList.remove("error"); } catch (error) { put(said, error.message || word("offlineNow")); said.classList.add("error"); }
  };
  return h("section", { class: "push" }, h("h3", { word: "push" }), h("p", { class: "hint", word: "pushHint" }), h("span", { class: "buttons" }, on, off), said);
}

/** Subscribes and has the exporter seal what is needed to the notifier; the key of the word for how it went. */
async function begin() {
  if (!isPossible()) return "pushImpossible";
  const { vapid_key: key } = await fetchJSON(path);
  if (await Notification.requestPermission() !== "granted") return "pushDenied";
  const worker = await navigator.serviceWorker.register("push.js");
  await navigator.serviceWorker.ready;
  const subscription = await worker.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key });
  await putJSON(path, { ...subscription.toJSON(), filter: { severity: "warning" }, tells: "all" });
  return "pushIsOn";
}

async function end() {
  await remove(path);
  const worker = isPossible() ? await navigator.serviceWorker.getRegistration() : null;
  await (await worker?.pushManager.getSubscription())?.unsubscribe();
  return "pushIsOff";
}
