// Doors of the tenant's sites: a press of a button opens one, for whoever has a key. What became of it is shown beside it.

import { serverNow } from "./clock.js";
import { LoggedOut, Offline, fetchJSON, openDoor } from "./server.js";
import { word } from "./words.js";

const $ = (id) => document.getElementById(id);
/** By the number of the door: what became of the last press, as its answer or its error; `null` while it is under way. */
const pressed = new Map();
let doors = [];

/** Asks which doors there are; where there are none, or nobody is logged in, there is nothing to see. */
export async function refreshDoors(isLoggedIn) {
  if (isLoggedIn) doors = (await fetchJSON("v1/doors")).doors;
  else {
    doors = [];
    pressed.clear();
  }
  drawDoors();
}

/** Draws again what was told last. The buttons stay the same elements while the doors do, so that focus survives. */
export function drawDoors() {
  $("doors").hidden = doors.length === 0;
  const rows = $("door-rows"), known = [...rows.children].map(({ dataset }) => dataset.door).join();
  if (known !== doors.map(({ id }) => id).join()) rows.replaceChildren(...doors.map(row));
  doors.forEach((door, index) => {
    const [name, site, press, result] = rows.children[index].children, last = pressed.get(door.id);
    name.textContent = door.name;
    site.textContent = `${door.site}`;
    press.firstChild.textContent = word("open");
    press.firstChild.ariaLabel = `${word("open")}: ${door.name}`;
    // A disabled button would lose the focus.
    press.firstChild.setAttribute("aria-disabled", `${last === null}`);
    result.textContent = last === undefined ? "" : last === null ? word("waiting") : outcome(last);
    result.className = last instanceof Error || last?.state === "failed" ? "error" : "";
  });
}

function row(door) {
  const line = document.createElement("tr"), button = Object.assign(document.createElement("button"), { type: "button" });
  line.dataset.door = door.id;
  line.append(...[0, 1, 2, 3].map(() => document.createElement("td")));
  line.children[2].append(button);
  line.children[3].setAttribute("role", "status");
  button.addEventListener("click", () => press(door));
  return line;
}

async function press(door) {
  if (pressed.get(door.id) === null) return;
  pressed.set(door.id, null);
  drawDoors();
  let became;
  try {
    became = await openDoor(door.id, serverNow());
  } catch (error) {
    became = error;
  }
  pressed.set(door.id, became);
  drawDoors();
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
