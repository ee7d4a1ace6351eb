/** The main screen: stars, a face, a word, and an emergency. What is answered is on this phone's disk before it is thanked for. */

import { element, find, tell } from "./page.js";
import { word } from "./words.js";

const { store, outbox, questions } = globalThis.nkul;
const faces = ["😡", "😕", "😐", "🙂", "😍"];
const longest = 50;
/** How long a place is this phone's place. */
const freshness = 120_000;

let rating = 0;
let place;
let watching;

export function prepare() {
  for (let count = 1; count <= 5; count++) {
    find("stars").append(element("button", { type: "button", onclick: () => choose(count) }));
    find("faces").append(element("button", { type: "button", onclick: () => choose(count) }, faces[count - 1]));
  }
  find("details").addEventListener("submit", (event) => { event.preventDefault(); send(); });
  find("cancel").addEventListener("click", reset);
  find("comment").addEventListener("input", countComment);
  find("emergency-ask").addEventListener("click", () => askEmergency(true));
  find("emergency-cancel").addEventListener("click", () => askEmergency(false));
  find("emergency-send").addEventListener("click", sendEmergency);
  document.addEventListener("visibilitychange", () => { if (!document.hidden) look(); });
}

/** Shows the screen anew, in the language of now. */
export async function show() {
  draw();
  await drawQuestion();
  countComment();
  await look();
}

function draw() {
  [...find("stars").children].forEach((button, index) => {
    const isOn = index < rating;
    button.textContent = isOn ? "★" : "☆";
    button.className = isOn ? "on" : "";
    button.setAttribute("aria-label", word("star", { count: index + 1 }));
    button.setAttribute("aria-pressed", String(index + 1 === rating));
  });
  [...find("faces").children].forEach((button, index) => {
    button.setAttribute("aria-label", word(`face${index + 1}`));
    button.setAttribute("aria-pressed", String(index + 1 === rating));
  });
  find("details").hidden = rating === 0;
}

/** Says what the person is asked about, if a notification has brought it here. */
async function drawQuestion() {
  const question = await questions.open();
  find("question").hidden = !question;
  if (question) find("question").textContent = word(question.moment === "over" ? "questionOver" : "questionRaised");
}

function choose(count) {
  const isFirst = rating === 0;
  rating = count;
  tell("");
  draw();
  if (isFirst) find("send").scrollIntoView({ block: "nearest" });
}

function reset() {
  rating = 0;
  find("comment").value = "";
  countComment();
  draw();
}

/** Characters as a person counts them. */
function count(text) {
  if (!globalThis.Intl?.Segmenter) return [...text].length;
  return [...new Intl.Segmenter(undefined, { granularity: "grapheme" }).segment(text)].length;
}

function countComment() {
  const size = count(find("comment").value.trim()), isLong = size > longest;
  find("comment-count").textContent = word(isLong ? "commentLong" : "commentCount", { count: size });
  find("send").disabled = isLong;
}

async function send() {
  if (rating === 0 || find("send").disabled) return;
  const comment = find("comment").value.trim();
  const question = await questions.open(), record = { rating, trigger: question ? "prompt" : "voluntary" };
  if (question) record.prompt_id = question.prompt_id;
  if (comment) record.comment = comment;
  if (!(await keep(record, "thanks"))) return;
  reset();
  if (question) await questions.end(question, "answered");
  await drawQuestion();
}

function askEmergency(isAsked) {
  find("emergency-ask").hidden = isAsked;
  find("emergency-send").hidden = find("emergency-cancel").hidden = !isAsked;
  find(isAsked ? "emergency-send" : "emergency-ask").focus();
}

async function sendEmergency() {
  if (await keep({ rating: 1, trigger: "emergency" }, "emergencySent")) askEmergency(false);
}

/** Keeps a record with what is known of the moment, then sends what is kept. False if this phone could not keep it. */
async function keep(record, thanks) {
  try {
    await store.keep({ id: identifier(), captured_at_ms: Date.now(), ...(await context()), ...record });
  } catch (problem) {
    tell(word("notKept", { problem: problem.message }), "bad");
    return false;
  }
  tell(word("thanksLater"), "good");
  flush(thanks);
  return true;
}

/** Keeps what was measured as a report, and sends it. */
export async function keepReport(figures) {
  await keep({ kind: "report", ...figures }, "speedKept");
}

/** Sends what is kept and says what became of it. */
export async function flush(thanks) {
  const outcome = await outbox.flush().catch((problem) => ({ sent: 0, problem: problem.message }));
  await countUnsent();
  if (outcome.sent > 0 && outcome.left === 0 && thanks) tell(word(thanks), "good");
  if (outcome.refused > 0) tell(word("refusedRecords", { count: outcome.refused }), "bad");
  if (outcome.problem === "refused") tell(word("measurementOff"), "bad");
  if (outcome.problem) (await navigator.serviceWorker?.ready)?.sync?.register("nkul-outbox").catch(() => {});
  return outcome;
}

export async function countUnsent() {
  const unsent = await store.count(), chip = find("unsent");
  chip.hidden = unsent === 0;
  chip.textContent = word("unsent", { count: unsent });
  chip.setAttribute("aria-label", word("unsentLabel", { count: unsent }));
}

/** What a browser knows of the moment; what it does not know is left out. */
async function context() {
  const known = {}, operator = await store.get("operator"), link = navigator.connection?.type;
  if (operator) Object.assign(known, { mcc: operator.slice(0, 3), mnc: operator.slice(3), plmn_source: "manual" });
  if (link === "wifi" || link === "ethernet") known.network_type = link.toUpperCase();
  if (place && Date.now() - place.timestamp < freshness) {
    known.latitude = place.coords.latitude;
    known.longitude = place.coords.longitude;
    known.accuracy_m = Math.min(place.coords.accuracy, 20_000_000);
  }
  return known;
}

/** Looks where this phone is, if its person allows it. */
export async function look() {
  const consent = (await store.get("consent")) ?? {}, allowed = consent.location_precise || consent.location_coarse;
  if (watching !== undefined) navigator.geolocation.clearWatch(watching);
  watching = undefined;
  if (!allowed) place = undefined;
  const isOn = allowed && navigator.geolocation && (await store.get("placeAsked")) && !document.hidden;
  if (isOn) {
    watching = navigator.geolocation.watchPosition(
      (found) => { place = found; tellPlace(true); }, () => tellPlace(true), { maximumAge: 60_000 });
  }
  tellPlace(allowed);
}

function tellPlace(allowed) {
  const text = !allowed ? word("placeOff")
    : place ? word("placeKnown", { accuracy: Math.round(place.coords.accuracy) }) : word("placeUnknown");
  if (find("place").textContent !== text) find("place").textContent = text;
}

/** A random UUID, also where the page is not on a secure origin. */
function identifier() {
  if (crypto.randomUUID) return crypto.randomUUID();
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  bytes[6] = (bytes[6] & 0x0f) | 0x40;
  bytes[8] = (bytes[8] & 0x3f) | 0x80;
  const digits = [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  return digits.replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
}
