// The page: log in, pick, draw, follow. Everything comes from this server; nothing is loaded from elsewhere.

import { announcement, clearAlarmList, drawAlarms, openAlarmList, refreshTimes, returnTo, visibleGroups, what } from "./alarm-list.js";
import { closeAlarms, openAlarms, severityOf } from "./alarms.js";
import { clearCells, draw, refreshCells, settled, showAll } from "./cells.js";
import { clockSpeed, dayAndTime, followsRecording, serverNow, setClock, zoneName } from "./clock.js";
import { clearLateness, drawLateness, isLate, watchLateness } from "./lateness.js";
import { drawDoors, refreshDoors } from "./doors.js";
import { drawErasures, refreshErasures } from "./erasures.js";
import { openHandling } from "./handling.js";
import { choose, hasLibrary, isOpen, markAlarms, openMap } from "./map.js";
import { downloadPath, fillPickers, watchPickers } from "./pickers.js";
import { LoggedOut, Offline, checkSession, fetchJSON, logIn, logOut } from "./server.js";
import { allow, isOn, isWanted, play, want } from "./sound.js";
import { number, switchLanguage, translate, word } from "./words.js";

const $ = (id) => document.getElementById(id);
/** Between two looks at cells and clock: what is played fast must be seen fast. */
const interval = () => (followsRecording() && clockSpeed() !== 1 ? 1500 : 10000);
let session = null, timer = null, moved = null, alarmsDrawn = null;

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
  for (const id of ["board", "logout", "who", "skip"]) $(id).hidden = false;
  $("who").textContent = session.contact === session.tenant ? session.tenant : `${session.contact} · ${session.tenant}`;
  fillPickers(session);
  openAlarmList(new Map(session.operators.map(({ plmn, name }) => [plmn, name])), session.contact, showPlaces);
  openHandling(session, what, returnTo);
  showMap();
  drawAlarms();
  watchLateness(() => showStream($("stream").dataset.state ?? ""));
  openAlarms({ changed: alarmsChanged, raised, stream: showStream, loggedOut: () => showLogin("sessionOver") });
  round();
}

function showMap() {
  if (hasLibrary()) {
    if (!isOpen()) openMap(session.base_map, () => { clearTimeout(moved); moved = setTimeout(look, 150); });
    return;
  }
  for (const id of ["map", "legend", "fit"]) $(id).hidden = true;
  $("table").open = true;
  $("map-missing").hidden = false;
}

function showLogin(reason) {
  session = null;
  closeAlarms();
  clearLateness();
  clearTimeout(timer);
  clearTimeout(moved);
  clearCells();
  clearAlarmList();
  refreshDoors(false);
  refreshErasures(false);
  for (const id of ["board", "logout", "who", "clock", "skip"]) $(id).hidden = true;
  $("login").hidden = false;
  $("login-error").textContent = reason ? word(reason) : "";
  $("token").focus();
}

/** One look after the other while somebody is logged in; each first asks for the server's time and the session. */
async function round() {
  clearTimeout(timer);
  if (!session) return;
  if (!document.hidden) await look();
  if (session) timer = setTimeout(round, interval());
}

async function look() {
  try {
    setClock(await checkSession());
    showClock();
    if (session) await refreshCells();
    if (session) await refreshDoors(true);
    if (session) await refreshErasures(session.regulator);
    showTrouble("");
  } catch (error) {
    if (!session) return;
    if (error instanceof LoggedOut) showLogin("sessionOver");
    else showTrouble(error instanceof Offline ? word("offlineNow") : error.message);
  }
}

function showTrouble(text) {
  $("trouble").textContent = text;
  document.body.classList.toggle("stale", text !== "");
}

function showClock() {
  if (!session) return;
  $("clock").hidden = false;
  $("clock").dataset.state = followsRecording() ? "recording" : "";
  $("clock-time").textContent = `${dayAndTime(serverNow())} ${zoneName()}`;
  $("clock-note").hidden = !followsRecording();
  $("clock-speed").textContent = clockSpeed() === 1 ? "" : `× ${number(clockSpeed())}`;
}

/** Many changes at once are drawn once. */
function alarmsChanged() {
  alarmsDrawn ??= setTimeout(() => {
    alarmsDrawn = null;
    if (!session) return;
    drawAlarms();
    markAlarms(visibleGroups());
  }, 100);
}

function raised(alarm) {
  play(severityOf(alarm));
  $("announcement").textContent = announcement(alarm);
}

/** The stream is open or not; alarms come by it, so it is not called live while they are late. */
function showStream(state) {
  $("stream").dataset.state = state;
  const isBehind = state === "live" && isLate("alarms");
  $("stream").classList.toggle("behind", isBehind);
  $("stream").textContent = state ? word(isBehind ? "behind" : state) : "";
}

function showPlaces(quadkeys) {
  choose(quadkeys);
  if (isOpen() && quadkeys.length > 0) $("picture").scrollIntoView({ block: "nearest" });
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
  await Promise.all([settled(), clearLateness()]);
  const isDone = await logOut().catch(() => false);
  showLogin(isDone ? "" : "offline");
});
$("language").addEventListener("click", () => {
  switchLanguage();
  showSound();
  if (!session) return;
  fillPickers(session);
  drawAlarms();
  markAlarms(visibleGroups());
  draw();
  drawDoors();
  drawErasures();
  showClock();
  drawLateness();
  showStream($("stream").dataset.state ?? "");
});
$("fit").addEventListener("click", () => showAll().catch(() => look()));
$("download").addEventListener("click", () => { $("download").href = downloadPath(); });
$("table").addEventListener("toggle", draw);
$("erasures").addEventListener("toggle", () => { if (session) look(); });
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
document.addEventListener("severities", () => markAlarms(visibleGroups()));
document.addEventListener("visibilitychange", () => { if (!document.hidden) round(); });
watchPickers(look);
setInterval(() => { if (session) { refreshTimes(); showClock(); } }, 1000);
// Alarms become quiet as time passes.
setInterval(alarmsChanged, 30000);

translate();
showSound();
start();
