/** The subscriber's app: which page is shown, and when what is kept is sent. */

import * as feedback from "./feedback.js";
import { find, tell } from "./page.js";
import * as privacy from "./privacy.js";
import * as rewards from "./rewards.js";
import * as speed from "./speed.js";
import * as welcome from "./welcome.js";
import { language, preferred, speak, word } from "./words.js";

const store = globalThis.nkul.store, questions = globalThis.nkul.questions;
const pages = { home: feedback, speed, rewards, privacy };
const every = 60_000;

async function isEnrolled() { return Boolean(await store.get("token")); }

/** Shows the page that the address names, or the welcome to who is new. */
async function show() {
  const enrolled = await isEnrolled(), isErased = Boolean(await store.get("erasure"));
  const wanted = isErased ? "privacy" : pages[location.hash.slice(1)] ? location.hash.slice(1) : "home";
  for (const name of ["welcome", ...Object.keys(pages)]) find(name).hidden = name !== (enrolled ? wanted : "welcome");
  find("tabs").hidden = !enrolled || isErased;
  for (const link of find("tabs").children) {
    if (link.hash === `#${wanted}`) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
  await (enrolled ? pages[wanted] : welcome).show();
}

async function turn() {
  tell("");
  await show();
  const title = document.querySelector("main > section:not([hidden]) h2");
  window.scrollTo(0, 0);
  title?.focus({ preventScroll: true });
}

async function begin() {
  speak((await store.get("language")) ?? preferred());
  feedback.prepare();
  privacy.prepare(async () => {
    if (!(await isEnrolled())) location.hash = "";
    await show();
  });
  welcome.begin(async () => {
    location.hash = "#home";
    await turn();
  });
  find("language").addEventListener("click", async () => {
    speak(language() === "en" ? "fr" : "en");
    await store.set("language", language());
    await keepWords();
    tell("");
    await show();
    await feedback.countUnsent();
  });
  find("unsent").addEventListener("click", () => feedback.flush("thanks"));
  window.addEventListener("hashchange", turn);
  await keepWords();
  await show();
  keepSending();
}

/** The worker shows questions when no page is open, in these words. */
async function keepWords() {
  await store.set("questionWords", {
    language: language(), title: word("questionTitle"), raised: word("questionRaised"), over: word("questionOver"),
  });
}

/** Sends at open, when the network comes back, when the page is looked at again, and now and then. */
function keepSending() {
  const flush = () => feedback.flush("thanks");
  window.addEventListener("online", flush);
  document.addEventListener("visibilitychange", () => { if (!document.hidden) flush(); });
  setInterval(flush, every);
  questions.giveUp().finally(flush);
  const worker = navigator.serviceWorker;
  worker?.addEventListener("message", async ({ data }) => {
    if (data !== "question") return feedback.countUnsent();
    if (location.hash === "#home") await turn();
    else location.hash = "#home";
  });
  worker?.register("worker.js").then(() => worker.ready).then((ready) => questions.renew(ready)).catch(() => {});
  // What is kept here is somebody's: the browser shall not clear it away.
  navigator.storage?.persist?.();
}

begin().catch((problem) => tell(problem.message, "bad"));
