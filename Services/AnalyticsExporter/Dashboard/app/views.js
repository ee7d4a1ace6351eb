// The views that there are, and who sees which.

import { along, route } from "../support/address.js";
import { h, icon } from "../support/dom.js";
import { word } from "../support/words.js";
import { campaigns } from "../campaigns/campaigns.js";
import { compare } from "../compare/compare.js";
import { data } from "../data/data.js";
import { engagement } from "../data/engagement.js";
import { sites } from "../data/sites.js";
import { map } from "../map/view.js";
import { now } from "../now/now.js";
import { settings } from "../settings/settings.js";
import { trends } from "../trends/trends.js";

/** In the order of the navigation: each with its drawing, and its key after `g`. */
export const all = [
  { view: now, key: "n", line: "M6 16v-5a6 6 0 1 1 12 0v5l2 2H4l2-2Zm4 5a2 2 0 0 0 4 0" },
  { view: map, key: "m", line: "M9 4 3 6.5v13L9 17l6 3 6-2.5v-13L15 7 9 4Zm0 0v13m6-10v13" },
  { view: trends, key: "t", line: "M3 20h18M4 15l5-6 4 4 7-8" },
  { view: compare, key: "c", line: "M4 6h11M4 12h16M4 18h7M15 4v4M20 10v4M11 16v4" },
  { view: engagement, key: "e", line: "M4 5h16v11H9l-5 4V5Z" },
  { view: campaigns, key: "p", line: "M3 7h18v11H3V7Zm9 8.5a3 3 0 1 0 0-6 3 3 0 0 0 0 6ZM6 7v3M18 15v3" },
  { view: sites, key: "s", line: "M6 21V4h9v17M4 21h16M12 12h.01M15 6l4 1v14" },
  { view: data, key: "d", line: "M4 6c0-1.7 3.6-3 8-3s8 1.3 8 3-3.6 3-8 3-8-1.3-8-3Zm0 0v12c0 1.7 3.6 3 8 3s8-1.3 8-3V6M4 12c0 1.7 3.6 3 8 3s8-1.3 8-3" },
  { view: settings, key: "o", line: "M4 7h9m4 0h3M4 17h3m4 0h9M15 4v6M9 14v6" },
];

const may = (session) => all.filter(({ view }) => !view.isFor || view.isFor(session));

/** The view of an address; the first one if this session has none of that name. */
export const viewNamed = (name, session) => (may(session).find(({ view }) => view.name === name) ?? all[0]).view;

/** Links stay the same elements, so that focus survives. */
export function drawNavigation(box, session) {
  const offered = may(session), chosen = viewNamed(route().view, session);
  if (box.children.length !== offered.length) {
    box.replaceChildren(...offered.map(({ view, line }) => h("a", { data: { view: view.name } }, icon(line), h("span"))));
  }
  offered.forEach(({ view, key }, index) => {
    const anchor = box.children[index];
    anchor.href = along(view.name);
    anchor.title = `${word(`view.${view.name}`)} (g ${key})`;
    anchor.lastChild.textContent = word(`view.${view.name}`);
    if (view === chosen) anchor.setAttribute("aria-current", "page");
    else anchor.removeAttribute("aria-current");
  });
}
