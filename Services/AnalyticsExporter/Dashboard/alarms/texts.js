// What an alarm is about, in words.

import { operatorName } from "../support/pickers.js";
import { placeOf } from "../support/places.js";
import { capital, word } from "../support/words.js";
import { cellOf, isOwn, severityOf } from "./alarms.js";

/** What a rule says in the language of the page if it is one of ours, in its own words if not. */
const problem = (alarm) => {
  const key = `rule.${`${alarm.rule}`.replace(/^(storm\.)?(urgent|built-in)\./, "own.")}`, known = word(key);
  return known === key ? (alarm.specificProblem ?? alarm.probableCause ?? "") : known;
};
const subject = (alarm) => (isOwn(alarm) ? "Nkul" : alarm.plmn ? operatorName(alarm.plmn) : alarm.sensor?.site ?? alarm.alarmedObject?.id ?? operatorName(""));
export const what = (alarm) => `${subject(alarm)} · ${problem(alarm)}`;
export const where = (alarm) => (isOwn(alarm) ? "" : placeOf(cellOf(alarm)));

/** What a screen reader says of a new alarm. */
export const announcement = (alarm) => [`${capital(word(severityOf(alarm)))}: ${what(alarm)}`, where(alarm)].filter(Boolean).join(", ");

/** What a search looks into, once for each alarm and language. */
const texts = new WeakMap();
export function searched(alarm) {
  const language = document.documentElement.lang, known = texts.get(alarm);
  if (known?.language === language) return known.text;
  const text = textOf(alarm);
  texts.set(alarm, { language, text });
  return text;
}

const textOf = (alarm) => [what(alarm), where(alarm), alarm.id, alarm.rule, alarm.owner, alarm.cell, alarm.specificProblem,
  ...(alarm.comment ?? []).map(({ comment }) => comment)].filter(Boolean).join("\n").toLowerCase();
