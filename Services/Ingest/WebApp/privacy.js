/** What a person allows, a copy of everything, its erasure with the receipts, a key for other apps, and what a browser cannot see. */

import { busy, element, find, tell } from "./page.js";
import * as passkeys from "./passkey.js";
import { ask, askJSON, isRight, readStanding, Refusal } from "./server.js";
import { chosenConsent, consentChoices, operatorChoice, readPolicy } from "./welcome.js";
import { time, word } from "./words.js";

const { store, questions } = globalThis.nkul;
const pause = 3000;
let timer;
let changed = () => {};

const card = (id, title, ...children) =>
  element("div", { class: "card", id }, element("h3", {}, title), ...children);
const say = (text) => element("p", { class: "quiet" }, text);

export function prepare(whenChanged) { changed = whenChanged; }

export async function show() {
  clearTimeout(timer);
  const body = find("privacy-body"), erasure = await store.get("erasure");
  if (erasure) return showErasure(body, erasure);
  const [allowed, copied, proof, asked, own] = await Promise.all([consents(), copy(), passkey(), asking(), phone()]);
  body.replaceChildren(
    allowed, copied, erasing(), ...proof, ...asked, key(), own,
    card("limits", word("limits"), element("p", {}, word("limitsText"))), policy());
}

/** Does what a button asks and says what the server refused. */
const action = (name, kind, act, failed = "passkeyFailed") => {
  const button = element("button", { type: "button", class: kind, onclick: () => busy(button, tried) }, word(name));
  async function tried() {
    tell("");
    try {
      await act();
    } catch (problem) {
      const isRefused = typeof problem.code === "string";
      if (isRefused && problem.code === "device_erased") return forget();
      // The person has not shown who it is, or the browser would not ask.
      if (problem instanceof DOMException) return tell(word(failed), "bad");
      tell(isRefused ? word("refused", { problem: problem.message }) : word("offline"), "bad");
    }
  }
  return element("div", { class: "row" }, button);
};

// MARK: consents

async function consents() {
  const known = await askJSON("GET", "/v1/me/consent").then(({ consent }) => consent).catch(() => store.get("consent"));
  return card("consents", word("consents"), ...consentChoices(known ?? {}), action("save", "primary", save));
}

async function save() {
  const consent = chosenConsent();
  await askJSON("PUT", "/v1/me/consent", { consent, policy_version: await store.get("policy") });
  await store.set("consent", consent);
  await changed();
  tell(word("saved"), "good");
}

async function phone() {
  const select = await operatorChoice("my-operator", await store.get("operator"));
  select.addEventListener("change", async () => {
    await store.set("operator", select.value);
    tell(word("saved"), "good");
  });
  const lost = [];
  for (const name of ["refusedRecords", "expiredRecords"]) {
    const count = await store.get(name);
    if (count) lost.push(say(word(name, { count })));
  }
  return card(
    "phone", word("phone"), element("label", { for: "my-operator" }, word("operator")), select, ...lost,
    say((await store.get("device")) ?? ""));
}

// MARK: a copy

async function copy() {
  const request = await store.get("copy");
  if (request) return card("copy", word("copy"), ...(await copyUnderWay(request)));
  return card("copy", word("copy"), element("p", {}, word("copyText")), action("copyAsk", "", askCopy));
}

async function askCopy() {
  const { request_id: request } = await askJSON("POST", "/v1/me/data", undefined, await passkeys.use());
  await store.set("copy", request);
  await show();
}

async function copyUnderWay(request) {
  try {
    const answer = await ask("GET", `/v1/me/data/${request}`);
    if (answer.status === 202) {
      timer = setTimeout(() => { if (!find("privacy").hidden) show(); }, pause);
      return [say(word("copyWait"))];
    }
    const file = URL.createObjectURL(new Blob([await answer.text()], { type: "application/x-ndjson" }));
    return [element("p", {}, element("a", { class: "button", href: file, download: "nkul-data.ndjson" }, word("copyReady")))];
  } catch (problem) {
    // What is gone, or never was, is forgotten; a server that is busy is asked again.
    if (!(problem instanceof Refusal) || ![404, 410].includes(problem.status)) {
      timer = setTimeout(() => { if (!find("privacy").hidden) show(); }, pause);
      return [say(word("offline"))];
    }
    await store.set("copy", undefined);
    return [element("p", {}, word("copyText")), action("copyAsk", "", askCopy)];
  }
}

// MARK: erasure

function erasing() {
  const sure = action("eraseSure", "danger", erase);
  sure.hidden = true;
  const first = action("eraseAsk", "danger", () => {
    first.hidden = true;
    sure.hidden = false;
    sure.querySelector("button").focus();
  });
  return card("erase", word("erase"), element("p", {}, word("eraseText")), first, sure);
}

async function erase() {
  const standing = await askJSON("POST", "/v1/me/erasures", { scope: { all: true } }, await passkeys.use());
  navigator.serviceWorker?.ready.then(questions.forget).catch(() => {});
  await store.set("erasure", { request: standing.request_id, due: standing.expected_completion_time_ms });
  await changed();
  await show();
}

/** Where the erasure stands. The token reads nothing else any more, and is forgotten when the person begins again. */
async function showErasure(body, { request, due }) {
  const lines = [element("p", {}, word("erasing", { request, time: time(due) }))];
  try {
    const told = await (await ask("GET", `/v1/me/erasures/${request}`)).text(), standing = readStanding(told);
    const name = standing.state === "pending" ? "pending_state" : standing.state;
    lines.push(element("p", {}, word("eraseState", { state: word(name) })));
    if (standing.receipts.length) lines.push(...(await receipts(standing, told)));
    if (standing.state !== "completed") timer = setTimeout(() => { if (!find("privacy").hidden) show(); }, pause);
  } catch (problem) {
    lines.push(say(problem instanceof Refusal ? word("refused", { problem: problem.message }) : word("offline")));
  }
  body.replaceChildren(card("erasure", word("erase"), ...lines, action("startAgain", "primary", forget)));
}

async function receipts(standing, told) {
  const { keys } = await askJSON("GET", "/.well-known/nkul-keys.json");
  const lines = await Promise.all(standing.receipts.map(async (receipt) => {
    const right = await isRight(receipt, keys);
    const name = right === undefined ? "receiptUnchecked" : right ? "receiptRight" : "receiptWrong";
    return element("li", {}, word(name, receipt));
  }));
  const file = URL.createObjectURL(new Blob([told], { type: "application/json" }));
  return [
    element("h3", {}, word("receipts")), element("ul", {}, ...lines),
    element("p", {}, element("a", { class: "button", href: file, download: "nkul-erasure.json" }, word("saveReceipt"))),
  ];
}

async function forget() {
  await store.forget();
  await changed();
  tell(word("erased"), "good");
}

// MARK: a passkey, a key for other apps, the policy

/** The card of passkeys; nothing where the browser or the server has none. */
async function passkey() {
  const standing = await passkeys.standing();
  if (!standing) return [];
  const act = async (turn, said) => {
    await turn();
    await show();
    tell(word(said), "good");
  };
  const button = standing.is_on
    ? action("passkeyOff", "", () => act(passkeys.turnOff, "passkeyGone"))
    : action("passkeyOn", "", () => act(passkeys.turnOn, "passkeySet"));
  return [card("passkey", word("passkey"), element("p", {}, word(standing.is_on ? "passkeyIsOn" : "passkeyText")), button)];
}

/** The card of questions; nothing where this browser cannot be asked or the server asks nobody. */
async function asking() {
  if (!globalThis.PushManager || !globalThis.Notification || !navigator.serviceWorker) return [];
  const standing = await questions.standing().catch(() => undefined);
  if (!standing?.vapid_key) return [];
  const act = async (turn, said) => {
    await turn(await navigator.serviceWorker.ready);
    await show();
    tell(word(said), "good");
  };
  const on = async () => {
    if ((await Notification.requestPermission()) !== "granted") return tell(word("askingDenied"), "bad");
    await act(questions.turnOn, "askingSet");
  };
  const button = standing.is_on
    ? action("askingOff", "", () => act(questions.turnOff, "askingGone")) : action("askingOn", "", on, "askingFailed");
  return [card("asking", word("asking"), element("p", {}, word(standing.is_on ? "askingIsOn" : "askingText")), button)];
}

function key() {
  const told = element("div", {});
  return card("key", word("key"), element("p", {}, word("keyText")), told, action("keyAsk", "", async () => {
    const made = await askJSON("POST", "/v1/me/upload-key");
    told.replaceChildren(
      element("p", {}, word("keyTold")), element("p", { class: "code" }, location.origin + made.path));
  }));
}

function policy() {
  const text = element("div", {});
  return card("policy", word("policy"), text, action("policyShow", "", async () => {
    const { text: words, version, sha256, lang } = await readPolicy();
    text.replaceChildren(
      element("div", { class: "policy", tabindex: "0", role: "region", "aria-label": word("policy"), lang }, words),
      say(word("policyHash", { version })), element("p", { class: "code" }, sha256));
  }));
}
