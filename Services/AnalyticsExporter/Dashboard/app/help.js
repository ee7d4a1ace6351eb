// The list of keys.

import { $, h } from "../support/dom.js";
import { word } from "../support/words.js";
import { all } from "./views.js";

const names = { " ": "Space", ArrowDown: "↓", ArrowUp: "↑", Escape: "Esc" };
const shown = (key) => key.split(" ").filter(Boolean).map((each) => h("kbd", {}, names[each] ?? each));

/** `keys`: of the view that is shown. */
export function showHelp(keys) {
  const rows = [...keys.filter(({ key }) => key !== "Escape").map(({ key, word: text }) => [shown(key), word(text)]),
    ...all.map(({ key, view }) => [[h("kbd", {}, "g"), " ", h("kbd", {}, key)], word(`view.${view.name}`)]),
    [[h("kbd", {}, "?")], word("help")], [[h("kbd", {}, "Esc")], word("close")]];
  $("help").replaceChildren(
    h("div", { class: "head" }, h("h2", { id: "help-title" }, word("help")),
      h("button", { type: "button", class: "quiet", ariaLabel: word("close"), on: { click: () => $("help").close() } }, "×")),
    h("dl", { class: "keys" }, rows.map(([left, right]) => h("div", {}, h("dt", {}, left), h("dd", {}, right)))));
  $("help").showModal();
}
