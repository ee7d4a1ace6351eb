// The page's words in the language of the visitor, and numbers and plurals as that language writes them.

import { english } from "../words/english.js";
import { french } from "../words/french.js";

const dictionaries = { en: english, fr: french };
let language = localStorage.getItem("language") ?? (navigator.language.startsWith("fr") ? "fr" : "en");

export const word = (key) => dictionaries[language][key] ?? key;
export const locale = () => (language === "fr" ? "fr-CM" : "en-GB");
export const capital = (text) => text.charAt(0).toLocaleUpperCase(locale()) + text.slice(1);
/** Formats are dear to make and cheap to use: one of each kind and language is kept. */
const formats = new Map();
function format(Kind, options = {}) {
  const key = `${Kind.name} ${locale()} ${JSON.stringify(options)}`;
  if (!formats.has(key)) formats.set(key, new Kind(locale(), options));
  return formats.get(key);
}

export const number = (value, digits = 0) => format(Intl.NumberFormat, { maximumFractionDigits: digits }).format(value);
const isOne = (count) => format(Intl.PluralRules).select(count) === "one";

/** "1 device", "2 devices": the word of a count, by its plural rule. */
export const counted = (count, key) =>
  `${number(count)} ${word(isOne(count) ? `${key}One` : key).toLowerCase()}`;

/** "2 major": how many alarms of a severity, the adjective agreeing with them. */
export const countedSeverity = (count, severity) =>
  `${number(count)} ${word(isOne(count) ? severity : `${severity}Many`)}`;

/** Writes the words of the chosen language into every element that names one. */
export function translate() {
  document.documentElement.lang = language;
  for (const element of document.querySelectorAll("[data-word]")) element.textContent = word(element.dataset.word);
  for (const labelled of document.querySelectorAll("[data-word-label]")) {
    labelled.ariaLabel = word(labelled.dataset.wordLabel);
  }
  for (const titled of document.querySelectorAll("[data-word-title]")) titled.title = word(titled.dataset.wordTitle);
  const button = document.getElementById("language");
  button.textContent = language === "fr" ? "English" : "Français";
  button.lang = language === "fr" ? "en" : "fr";
}

export function switchLanguage() {
  language = language === "fr" ? "en" : "fr";
  localStorage.setItem("language", language);
  translate();
}

/** "3 min", "2 days" in the chosen language: how long something takes, in its largest unit; the finest is the second. */
export function duration(milliseconds) {
  const seconds = milliseconds / 1000;
  const [length, unit] = [[86400, "day"], [3600, "hour"], [60, "minute"], [1, "second"]]
    .find(([length]) => seconds >= length) ?? [1, "second"];
  const text = format(Intl.NumberFormat, { style: "unit", unit, unitDisplay: "short", maximumFractionDigits: 0 })
    .format(Math.max(1, Math.floor(seconds / length)));
  return seconds < 1 ? `< ${text}` : text;
}

/** "3 min ago" in the chosen language; the finest unit is the second. */
export function ago(milliseconds) {
  const relative = format(Intl.RelativeTimeFormat, { numeric: "auto", style: "short" });
  const seconds = Math.round(milliseconds / 1000);
  if (seconds < 60) return relative.format(-seconds, "second");
  if (seconds < 3600) return relative.format(-Math.round(seconds / 60), "minute");
  if (seconds < 86400) return relative.format(-Math.round(seconds / 3600), "hour");
  return relative.format(-Math.round(seconds / 86400), "day");
}
