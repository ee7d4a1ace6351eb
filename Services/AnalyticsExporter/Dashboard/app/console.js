// The page: log in, choose a view, follow. Everything comes from this server; nothing is loaded from elsewhere.

import { closeAlarms, openAlarms, severityOf } from "../alarms/alarms.js";
import { announcement } from "../alarms/texts.js";
import { allow, isOn, isWanted, play, want } from "../alarms/sound.js";
import { route, watch } from "../support/address.js";
import { clockSpeed, dayAndTime, followsRecording, serverNow, setClock, zoneName } from "../support/clock.js";
import { $ } from "../support/dom.js";
import { agePanels } from "../support/panel.js";
import { openPickers } from "../support/pickers.js";
import { drawPulse, endPulse, isLate, isLost, watchPulse } from "../support/pulse.js";
import { LoggedOut, Offline, checkSession, fetchJSON, logIn, logOut } from "../support/server.js";
import { number, switchLanguage, translate, word } from "../support/words.js";
import { showHelp } from "./help.js";
import { listenToKeys } from "./keys.js";
import { nextTheme, showTheme } from "./theme.js";
import { drawNavigation, viewNamed } from "./views.js";

/** Between two looks at figures: what is played fast must be seen fast. */
const interval = () => (followsRecording() && clockSpeed() !== 1 ? 1500 : 10000);
const framed = ["board", "logout", "who", "skip", "clock", "stream", "sound", "help-button"];
let session = null, view = null, timer = null, looking = null, isWanting = false, redraw = null;

async function start() {
  clearTimeout(timer);
  try {
    setClock(await checkSession());
    session = await fetchJSON("v1/session");
  } catch (error) {
    showLogin(error instanceof LoggedOut ? "" : "offline");
    if (error instanceof Offline) timer = setTimeout(start, 5000);
    return;
  }
  setClock(session);
  $("login").hidden = true;
  for (const id of framed) $(id).hidden = false;
  $("who").textContent = session.contact === session.tenant ? session.tenant : `${session.contact} · ${session.tenant}`;
  openPickers(session);
  watchPulse(changed, () => showLogin("sessionOver"));
  openAlarms({ changed, raised, stream: showStream, loggedOut: () => showLogin("sessionOver") });
  showClock();
  showRoute();
  round();
}

/** Shows what the address says. */
function showRoute() {
  if (!session) return;
  const wanted = viewNamed(route().view, session);
  if (wanted !== view) {
    view?.close();
    $("stage").replaceChildren();
    view = wanted;
    document.body.dataset.view = view.name;
    view.open($("stage"), session);
    $("view").scrollTop = 0;
  }
  document.body.classList.toggle("wall", route().parameters.get("wall") === "1");
  drawNavigation($("views"), session);
  document.title = `Nkul · ${word(`view.${view.name}`)}`;
  view.show(route().parameters);
  look();
}

function showLogin(reason) {
  session = null;
  closeAlarms();
  endPulse();
  clearTimeout(timer);
  view?.close();
  view = null;
  $("stage").replaceChildren();
  if ($("help").open) $("help").close();
  for (const id of framed) $(id).hidden = true;
  $("login").hidden = false;
  $("login-error").textContent = reason ? word(reason) : "";
  $("token").focus();
}

/** One look after the other while somebody is logged in. */
async function round() {
  clearTimeout(timer);
  if (!session) return;
  if (!document.hidden) await look();
  if (session) timer = setTimeout(round, interval());
}

/** Has the view fetch what it shows; one look at a time, the last wish wins. */
function look() {
  if (looking) { isWanting = true; return looking; }
  looking = (async () => {
    do {
      isWanting = false;
      await lookOnce();
    } while (isWanting && session);
  })().finally(() => { looking = null; });
  return looking;
}

async function lookOnce() {
  try {
    setClock(await checkSession());
    if (session) await view?.refresh?.();
    $("trouble").textContent = "";
  } catch (error) {
    if (!session || error.name === "AbortError") return;
    if (error instanceof LoggedOut) showLogin("sessionOver");
    else $("trouble").textContent = error instanceof Offline ? word("offlineNow") : error.message;
  }
}

function showClock() {
  if (!session) return;
  $("clock").dataset.state = followsRecording() ? "recording" : "";
  $("clock-time").textContent = `${dayAndTime(serverNow())} ${zoneName()}`;
  $("clock-note").hidden = !followsRecording();
  $("clock-speed").textContent = clockSpeed() === 1 ? "" : `× ${number(clockSpeed())}`;
}

/** Alarms or the state of the pipeline have changed: many changes at once are drawn once. */
function changed() {
  redraw ??= setTimeout(() => {
    redraw = null;
    if (!session) return;
    showStream($("stream").dataset.state ?? "");
    view?.changed?.();
    agePanels();
  }, 100);
}

function raised(alarm) {
  play(severityOf(alarm));
  $("announcement").textContent = announcement(alarm);
}

/** The stream is open or not; alarms come by it, so it is not called live while they are late or the server is silent. */
function showStream(state) {
  $("stream").dataset.state = state;
  const isBehind = state === "live" && isLate("alarms");
  $("stream").classList.toggle("behind", isBehind || isLost());
  $("stream").textContent = state ? word(isLost() ? "streamLost" : isBehind ? "behind" : state) : "";
}

function showSound() {
  $("sound").setAttribute("aria-checked", `${isWanted()}`);
  $("sound-text").textContent = word(!isWanted() ? "soundOff" : isOn() ? "soundOn" : "soundBlocked");
}

$("login").addEventListener("submit", async (event) => {
  event.preventDefault();
  $("login-error").textContent = "";
  $("login-button").disabled = true;
  const { status, wait } = await logIn($("token").value.trim()).catch(() => ({ status: 0 }));
  $("login-button").disabled = false;
  if (status === 204) {
    $("token").value = "";
    return start();
  }
  $("login-error").textContent = status === 429 ? `${word("tooManyLogins")} ${wait} s`
    : word(status === 401 ? "badToken" : "offline");
  $("token").select();
});
$("logout").addEventListener("click", async () => {
  session = null;
  closeAlarms();
  // What is under way is given up, and nothing stays readable meanwhile.
  view?.close();
  view = null;
  $("stage").replaceChildren();
  await Promise.all([Promise.resolve(looking).catch(() => {}), endPulse()]);
  showLogin(await logOut().catch(() => false) ? "" : "offline");
});
$("language").addEventListener("click", () => {
  switchLanguage();
  showSound();
  showTheme();
  if (!session) return;
  drawNavigation($("views"), session);
  document.title = `Nkul · ${word(`view.${view.name}`)}`;
  view.show(route().parameters);
  view.changed?.();
  view.translated?.();
  showClock();
  drawPulse();
  showStream($("stream").dataset.state ?? "");
  agePanels();
});
$("theme").addEventListener("click", () => { nextTheme(); view?.translated?.(); });
$("help-button").addEventListener("click", () => showHelp(view?.keys ?? []));
$("sound").addEventListener("click", async () => {
  // Wanted but not allowed yet: this click allows it.
  await want(!isWanted() || !isOn());
  showSound();
  if (isOn()) play("minor");
});
// Wanted in an earlier visit: the first gesture, wherever it is, allows it.
for (const gesture of ["pointerdown", "keydown"]) {
  addEventListener(gesture, async (event) => {
    if (!isWanted() || isOn() || $("sound").contains(event.target)) return;
    await allow();
    showSound();
  });
}
document.addEventListener("sounded", (event) => { $("sound").dataset.last = event.detail; });
document.addEventListener("look", () => { if (session) look(); });
document.addEventListener("session-over", () => showLogin("sessionOver"));
document.addEventListener("visibilitychange", () => { if (!document.hidden) round(); });
watch(showRoute);
listenToKeys(() => (session ? view?.keys ?? [] : null), () => showHelp(view?.keys ?? []));
setInterval(() => { if (session) { showClock(); view?.tick?.(); agePanels(); } }, 1000);
// Alarms become quiet as time passes.
setInterval(changed, 30000);

translate();
showTheme();
showSound();
start();
