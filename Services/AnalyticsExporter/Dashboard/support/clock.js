// The server's clock and the time zone of its home. The browser's own clock only measures what passed since an answer.

import { locale } from "./words.js";

let told = Date.now(), toldAt = Date.now(), zone = "UTC", recording = false, speed = 1;

/** Takes over what an answer of the server says; what it leaves out stays. */
export function setClock({ now_ms, clock, clock_speed, time_zone }) {
  if (clock) recording = clock === "recording";
  if (Number.isFinite(clock_speed)) speed = clock_speed;
  if (time_zone) zone = time_zone;
  if (Number.isFinite(now_ms)) { told = now_ms; toldAt = Date.now(); }
}

/** Whether the home's clock follows a recording. */
export const followsRecording = () => recording;
/** Milliseconds of the server's clock in one of ours. */
export const clockSpeed = () => speed;

/** Unix milliseconds of the server. */
export const serverNow = () => Math.round(told + (Date.now() - toldAt) * speed);

/** The name of the zone that times are shown in, without its continent. */
export const zoneName = () => zone.split("/").pop().replaceAll("_", " ");

/** Formats are dear to make and cheap to use. */
const formats = new Map();
function formatter(language, options) {
  const key = `${language} ${zone} ${JSON.stringify(options)}`;
  if (!formats.has(key)) formats.set(key, new Intl.DateTimeFormat(language, { timeZone: zone, ...options }));
  return formats.get(key);
}
export const format = (milliseconds, options) => formatter(locale(), options).format(milliseconds);
const clockFace = { hour: "2-digit", minute: "2-digit", hourCycle: "h23" };
const dayFace = { day: "numeric", month: "short" };

/** "Mon 2 Mar, 20:31" */
export const dayAndTime = (milliseconds) => format(milliseconds, { weekday: "short", ...dayFace, ...clockFace });

/** The server's present day, as a text. */
export const today = () => format(serverNow(), { dateStyle: "short" });

/** "20:31" of the server's present day, "2 Mar, 20:31" of another. */
export function timeText(milliseconds) {
  const isToday = format(milliseconds, { dateStyle: "short" }) === today();
  return format(milliseconds, isToday ? clockFace : { ...dayFace, ...clockFace });
}

/** Milliseconds that the zone is ahead of UTC at a moment. */
function ahead(milliseconds) {
  const parts = formatter("en-US", { hourCycle: "h23", year: "numeric", month: "numeric", day: "numeric", hour: "numeric",
    minute: "numeric", second: "numeric" }).formatToParts(milliseconds);
  const part = (type) => Number(parts.find((each) => each.type === type).value);
  return Date.UTC(part("year"), part("month") - 1, part("day"), part("hour"), part("minute"), part("second"))
    - Math.floor(milliseconds / 1000) * 1000;
}

/** The value of a `datetime-local` field, in the home's zone. */
export const fieldText = (milliseconds) => new Date(milliseconds + ahead(milliseconds)).toISOString().slice(0, 16);

/** The moment that a `datetime-local` field names in the home's zone; NaN if it names none. */
export function fieldTime(text) {
  const asUTC = Date.parse(`${text}Z`);
  return Number.isNaN(asUTC) ? NaN : asUTC - ahead(asUTC - ahead(asUTC));
}

/** Local time of the home as if it were UTC, for counting in whole local hours and days; and the moment back from it. */
export const toLocal = (milliseconds) => milliseconds + ahead(milliseconds);
export const fromLocal = (local) => local - ahead(local - ahead(local));

/** "2026-03-02T20:31:00+01:00": exact, for files. */
export function stamp(milliseconds) {
  const offset = Math.round(ahead(milliseconds) / 60000), size = Math.abs(offset), two = (value) => `${value}`.padStart(2, "0");
  const zoneText = `${offset < 0 ? "-" : "+"}${two(Math.floor(size / 60))}:${two(size % 60)}`;
  return `${new Date(milliseconds + offset * 60000).toISOString().slice(0, 19)}${zoneText}`;
}
