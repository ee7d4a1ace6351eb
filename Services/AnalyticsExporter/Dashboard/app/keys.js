// One key each: the view's own, `g` and a letter for another view, `?` for the list. Fields keep their keys.

import { along, go, parameter } from "../support/address.js";
import { $ } from "../support/dom.js";
import { all } from "./views.js";

const isWriting = (element) => element?.matches?.("input:not([type=checkbox]):not([type=radio]), select, textarea, [contenteditable]");
let isGoing = null;

/** `keys()`: those of the view that is shown, `{key, word, act}`; null if nobody is logged in. `help()`: shows them. */
export function listenToKeys(keys, help) {
  addEventListener("keydown", (event) => {
    const known = keys();
    if (known === null || event.ctrlKey || event.metaKey || event.altKey || $("help").open) return;
    if (isWriting(event.target)) {
      // A field of a search keeps what was written.
      if (event.key === "Escape") { event.preventDefault(); event.target.blur(); }
      return;
    }
    if (isGoing) {
      clearTimeout(isGoing);
      isGoing = null;
      const wanted = all.find(({ key }) => key === event.key);
      if (wanted) { event.preventDefault(); location.hash = along(wanted.view.name); }
      return;
    }
    if (event.key === "g") { isGoing = setTimeout(() => { isGoing = null; }, 1500); return; }
    if (event.key === "?") { event.preventDefault(); return help(); }
    if (event.key === "Escape" && parameter("wall")) return go("now");
    const found = known.find(({ key }) => key === event.key || key.split(" ").includes(event.key));
    if (!found || found.act(event) === false) return;
    event.preventDefault();
  });
}
