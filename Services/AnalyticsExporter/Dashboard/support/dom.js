// Elements from words and numbers. Whatever comes from elsewhere becomes text; nothing here reads HTML.

import { word } from "./words.js";

export const $ = (id) => document.getElementById(id);

/**
 * An element with properties and children.
 *
 * `class`, `data` (of `dataset`), `on` (listeners by event), `word`, `wordLabel`, `wordTitle` (keys of words, which
 * follow the language); names with a hyphen, `role`, `for`, `colspan`, `scope` and `list` are attributes; all else are properties.
 */
export function h(name, properties = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(properties)) {
    if (value === undefined || value === null) continue;
    if (key === "class") made.className = value;
    else if (key === "data") Object.assign(made.dataset, value);
    else if (key === "on") for (const [event, listener] of Object.entries(value)) made.addEventListener(event, listener);
    else if (key === "word") { made.dataset.word = value; made.textContent = word(value); }
    else if (key === "wordLabel") { made.dataset.wordLabel = value; made.ariaLabel = word(value); }
    else if (key === "wordTitle") { made.dataset.wordTitle = value; made.title = word(value); }
    else if (key.includes("-") || ["role", "for", "colspan", "scope", "list"].includes(key)) made.setAttribute(key, value);
    else made[key] = value;
  }
  made.append(...children.flat().filter((child) => child !== null && child !== undefined && child !== false));
  return made;
}

/** Changes nothing where nothing changed: a selection in the text would be lost. */
export const put = (node, text) => { if (node.textContent !== text) node.textContent = text; };

/** Fills a list of choices; what was chosen stays if it is still there, and an open list stays open if nothing changed. */
export function fillOptions(select, entries) {
  const isSame = entries.length === select.options.length
    && entries.every(([value, text], index) => select.options[index].value === value && select.options[index].text === text);
  if (isSame) return;
  const kept = select.value;
  select.replaceChildren(...entries.map(([value, text]) => new Option(text, value)));
  if (entries.some(([value]) => value === kept)) select.value = kept;
}

/** A table: heads as keys of words or texts, rows as lists of texts and elements. `numeric`: columns that are aligned right. */
export function table(heads, rows, { numeric = [], caption } = {}) {
  const align = (index) => (numeric.includes(index) ? "number" : undefined);
  return h("div", { class: "scroll", tabIndex: 0, role: "region", "aria-label": caption ?? "" }, h("table", {},
    caption && h("caption", { class: "unseen" }, caption),
    h("thead", {}, h("tr", {}, heads.map((head, index) => h("th", { scope: "col", class: align(index) }, head)))),
    h("tbody", {}, rows.map((row) => h("tr", {}, row.map((content, index) => h("td", { class: align(index) }, content)))))));
}

const svg = "http://www.w3.org/2000/svg";
/** A line drawing of 24 × 24, as wide as the text is high. */
export function icon(path) {
  const made = document.createElementNS(svg, "svg"), line = document.createElementNS(svg, "path");
  for (const [name, value] of Object.entries({ viewBox: "0 0 24 24", class: "icon", "aria-hidden": "true" })) made.setAttribute(name, value);
  line.setAttribute("d", path);
  made.append(line);
  return made;
}

/** Has the browser keep a text or a picture as a file. */
export function keep(name, content, type) {
  const blob = content instanceof Blob ? content : new Blob([content], { type });
  const link = h("a", { href: URL.createObjectURL(blob), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
}

/** A field of CSV (RFC 4180). What a spreadsheet would take for a formula gets an apostrophe before it. */
export function field(value) {
  if (value === null || value === undefined) return "";
  if (typeof value === "number") return `${value}`;
  const text = /^[\s"]*[=+\-@\t\r]/.test(value) ? `'${value}` : `${value}`;
  return /[",;\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

export const csv = (rows) => `${rows.map((row) => row.map(field).join(",")).join("\r\n")}\r\n`;
