/* Keeps the app's files of one version on this phone, sends what is kept when there is a network again, and shows questions.

   The server writes a hash of all files in the place of the version: when it has a newer app, this file is another, and the browser
   installs it, whole, in the place of the old one. A page that is open goes on with what it has loaded. */
"use strict";

importScripts("store.js", "outbox.js", "questions.js");

const cacheName = "nkul-__VERSION__";
const files = [
  "/", "app.css", "icon.svg", "app.webmanifest", "store.js", "outbox.js", "questions.js", "app.js", "page.js", "words.js",
  "words/english.js", "words/french.js", "server.js", "feedback.js", "welcome.js", "rewards.js", "privacy.js",
  "passkey.js", "speed.js", "speedtest.js",
];
const paths = new Set(files.map((name) => new URL(name, `${location.origin}/`).pathname));

self.addEventListener("install", (event) => {
  const fresh = files.map((name) => new Request(name, { cache: "reload" }));
  event.waitUntil(caches.open(cacheName).then((cache) => cache.addAll(fresh)).then(() => self.skipWaiting()));
});

self.addEventListener("activate", (event) => event.waitUntil(takeOver()));

async function takeOver() {
  const old = (await caches.keys()).filter((name) => name.startsWith("nkul-") && name !== cacheName);
  await Promise.all(old.map((name) => caches.delete(name)));
  await self.clients.claim();
}

self.addEventListener("fetch", (event) => {
  const url = new URL(event.request.url);
  if (event.request.method !== "GET" || url.origin !== location.origin || !paths.has(url.pathname)) return;
  event.respondWith(answer(event.request, url.pathname));
});

async function answer(request, path) {
  const cache = await caches.open(cacheName);
  return (await cache.match(path)) ?? fetch(request);
}

self.addEventListener("sync", (event) => {
  if (event.tag === "nkul-outbox") event.waitUntil(sync());
});

async function sync() {
  const outcome = await nkul.outbox.flush();
  // The browser tries again later if this fails.
  if (outcome.problem === "offline" || outcome.problem === "later") throw new Error(outcome.problem);
  for (const client of await self.clients.matchAll()) client.postMessage("flushed");
}

// MARK: questions

self.addEventListener("push", (event) => event.waitUntil(ask(event.data)));

/** Shows a question in the words that the app has kept in its person's language. Browsers want something shown for each push. */
async function ask(data) {
  let question;
  try { question = data.json(); } catch { return; }
  const words = (await nkul.store.get("questionWords")) ?? {};
  await self.registration.showNotification(words.title ?? "Nkul", {
    body: words[question.moment] ?? "", lang: words.language, icon: "icon.svg", tag: question.topic, data: question,
  });
  await nkul.questions.giveUp();
  await nkul.questions.show(question);
  await send();
}

self.addEventListener("notificationclick", (event) => {
  event.notification.close();
  event.waitUntil(open(event.notification.data));
});

/** Shows the feedback screen: in the app where it is open, else in a new window. */
async function open(question) {
  await nkul.questions.ask(question);
  const [page] = await self.clients.matchAll({ type: "window" });
  if (!page) return self.clients.openWindow("/#home");
  page.postMessage("question");
  await page.focus();
}

self.addEventListener("notificationclose", (event) => event.waitUntil(dismiss(event.notification.data)));

async function dismiss(question) {
  await nkul.questions.end(question, "dismissed");
  await send();
}

self.addEventListener("pushsubscriptionchange", (event) => event.waitUntil(nkul.questions.renew(self.registration)));

/** Sends what is kept, now or when the browser has a network again. */
async function send() {
  const outcome = await nkul.outbox.flush();
  if (outcome.problem) await self.registration.sync?.register("nkul-outbox").catch(() => {});
}
