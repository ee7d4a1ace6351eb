// Figures of a place on the map: one that was drawn, or a region or town that was searched.

import { parameter, set } from "../support/address.js";
import { h, keep, put } from "../support/dom.js";
import { ask, compareAll } from "../support/kpis.js";
import { panel } from "../support/panel.js";
import { operators } from "../support/pickers.js";
import { asReleased, figuresName, pathOf } from "../support/released.js";
import { boundsOfRegion, regionName, regionOf } from "../support/regions.js";
import { forest, forestCSV } from "../compare/forest.js";
import { word } from "../support/words.js";
import { wanted } from "./cells.js";
import { frame } from "./map.js";

/** `area=west,south,east,north` of the address as numbers; null if there is none. */
export function drawnArea() {
  const values = parameter("area").split(",").map(Number);
  return values.length === 4 && values.every(Number.isFinite) ? values : null;
}

/** What of the API's parameters name the place; null where none is chosen. */
function place() {
  const area = drawnArea(), region = regionOf(parameter("place"));
  if (area) return { name: word("drawnArea"), wanted: { bbox: area.map((value) => value.toFixed(5)).join(",") }, boxes: [[[area[1], area[0]], [area[3], area[2]]]] };
  return region ? { name: regionName(region), wanted: { region: region.id }, boxes: [boundsOfRegion(region)] } : null;
}

export function makeArea() {
  const title = h("strong"), box = h("div"), made = panel("areaFigures", { figure: "statistics", id: "area", level: "h3" });
  let last = null, stamp = "";
  made.root.querySelector(".tools").append(
    h("button", { type: "button", word: "csv", on: { click: () => { if (last) keep("area.csv", forestCSV([last]), "text/csv"); } } }),
    h("button", { type: "button", class: "quiet", wordLabel: "close", on: { click: () => set({ area: null, place: null }) } }, "×"));
  made.body.append(title, box);
  made.root.hidden = true;
  return {
    root: made.root,
    /** Asks for the figures of the place of the address, and frames it. */
    async refresh(signal) {
      const chosen = place();
      made.root.hidden = chosen === null;
      if (stamp !== JSON.stringify(chosen)) { stamp = JSON.stringify(chosen); frame(chosen?.boxes ?? []); box.replaceChildren(); last = null; }
      if (!chosen) return;
      put(title, chosen.name);
      try {
        last = await compareThere(chosen, signal);
        box.replaceChildren(...(last.release === "live" ? [] : [h("p", { class: "released" }, figuresName(last.release))]), forest(last));
        made.told(last);
      } catch (error) { made.failed(error); }
    },
  };
}

/** Two operators and more are compared; of one alone its day's figure is asked for. */
async function compareThere(chosen, signal) {
  const plmns = operators(), { plmn, ...rest } = wanted(chosen.wanted), label = chosen.name;
  if (plmns.length < 2) {
    const answer = await ask(pathOf("kpis"), { ...asReleased(rest), plmn: plmns[0] ?? plmn, bucket: "day" }, signal);
    return { ...answer, label, ranking: null, scale: null, networks: answer.points.filter(({ value }) => value !== null).map((point) => ({ ...point, plmn: plmns[0], at: point.from_ms })) };
  }
  return { ...await compareAll(rest, plmns, signal), label };
}
