/* Keeps the app's files of one version on this phone, and sends what is kept when there is a network again.

   The server writes a hash of all files in the place of the version: when it has a newer app, this file is another, and the browser
   installs it, whole, in the place of the old one. A page that is open goes on with what it has loaded. */
"use strict";

importScripts("store.js", "outbox.js");

const cacheName = "nkul-__VERSION__";
const files = [
  "/", "app.css", "icon.svg", "app.webmanifest", "store.js", "outbox.js", "app.js", "page.js", "words.js",
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
