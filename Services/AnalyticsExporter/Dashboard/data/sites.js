// Doors of the tenant's sites: a press of a button opens one, for whoever has a key. What became of it is shown beside it.

import { serverNow } from "../support/clock.js";
import { $, h, put } from "../support/dom.js";
import { panel } from "../support/panel.js";
import { LoggedOut, Offline, fetchJSON, openDoor } from "../support/server.js";
import { word } from "../support/words.js";

/** By the number of the door: what became of the last press, as its answer or its error; `null` while it is under way. */
const pressed = new Map();
let doors = [], made = null;

function open(stage) {
  made = panel("doors", { id: "doors" });
  made.body.append(h("p", { id: "no-doors", class: "hint", hidden: true, word: "noDoors" }), h("div", { class: "scroll", tabIndex: 0 }, h("table", {},
    h("thead", {}, h("tr", {}, ["door", "site", "open", "result"].map((key) => h("th", { scope: "col", word: key })))), h("tbody", { id: "door-rows" }))));
  stage.append(h("div", { class: "page-head" }, h("h2", { word: "view.sites" })), made.root);
}

/** The buttons stay the same elements while the doors do, so that focus survives. */
function draw() {
  if (!made) return;
  $("no-doors").hidden = doors.length > 0;
  const rows = $("door-rows"), known = [...rows.children].map(({ dataset }) => dataset.door).join();
  if (known !== doors.map(({ id }) => id).join()) rows.replaceChildren(...doors.map(row));
  doors.forEach((door, index) => {
    const [name, site, press, result] = rows.children[index].children, last = pressed.get(door.id);
    put(name, door.name);
    put(site, `${door.site}`);
    put(press.firstChild, word("open"));
    press.firstChild.ariaLabel = `${word("open")}: ${door.name}`;
    // A disabled button would lose the focus.
    press.firstChild.setAttribute("aria-disabled", `${last === null}`);
    put(result, last === undefined ? "" : last === null ? word("waiting") : outcome(last));
    result.className = last instanceof Error || last?.state === "failed" ? "error" : "";
  });
}

function row(door) {
  const button = h("button", { type: "button", on: { click: () => press(door) } });
  return h("tr", { data: { door: door.id } }, h("td"), h("td"), h("td", {}, button), h("td", { role: "status" }));
}

async function press(door) {
  if (pressed.get(door.id) === null) return;
  pressed.set(door.id, null);
  draw();
  pressed.set(door.id, await openDoor(door.id, serverNow()).catch((error) => error));
  draw();
}

/** In words. */
function outcome(became) {
  if (became instanceof LoggedOut) return word("sessionOver");
  if (became instanceof Offline) return word("doorUnknown");
  if (became instanceof Error) return became.message;
  if (became.state === "pending") return word("undecided");
  if (became.state === "done") return word("opened");
  const known = word(`door.${became.code}`);
  return known === `door.${became.code}` ? became.reason ?? became.code : known;
}

export const sites = {
  name: "sites", open, show: draw, translated: draw,
  async refresh() {
    const answer = await fetchJSON("v1/doors");
    doors = answer.doors;
    made?.told(answer);
    draw();
  },
  close() { made = null; doors = []; pressed.clear(); },
};
