import { english } from "./words/english.js";
import { french } from "./words/french.js";

const languages = { en: english, fr: french };
let current = "en";

/** The words of the language that is shown; `{name}` in them is replaced. */
export function word(key, values = {}) {
  const text = languages[current][key];
  if (text === undefined) throw new Error(`no word ${key} in ${current}`);
  return text.replace(/\{(\w+)\}/g, (_, name) => values[name] ?? "");
}

export const language = () => current;

/** Chooses a language and puts its words into the page. */
export function speak(code) {
  current = languages[code] ? code : "en";
  document.documentElement.lang = current;
  for (const node of document.querySelectorAll("[data-word]")) node.textContent = word(node.dataset.word);
  for (const node of document.querySelectorAll("[data-word-label]")) {
    node.setAttribute("aria-label", word(node.dataset.wordLabel));
  }
  const button = document.getElementById("language"), other = current === "en" ? "fr" : "en";
  button.textContent = languages[other].name;
  button.lang = other;
}

/** The language to begin with. */
export const preferred = () => (navigator.language?.toLowerCase().startsWith("fr") ? "fr" : "en");

/** A time as people of the language write it. */
export function time(milliseconds) {
  return new Date(milliseconds).toLocaleString(current, { dateStyle: "medium", timeStyle: "short" });
}
