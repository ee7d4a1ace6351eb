// Where there are alarms: badges with numbers from far, frames of cells from near.

import { cellOf, severities } from "../alarms/alarms.js";
import { h } from "../support/dom.js";
import { boundsOf, townAt } from "../support/places.js";
import { countedSeverity, number } from "../support/words.js";

/** Pixels that badges keep between each other. */
const apart = 30;

const cellsOf = (groups) => groups.flatMap(({ members }) => members).map(cellOf).filter(Boolean);

/** Groups whose badges would lie on each other, as one; towns first, as these have a name to stand at. */
function clusters(map, marks) {
  const found = [];
  for (const group of marks.filter(({ isQuiet }) => !isQuiet).toSorted((a, b) => !townAt(a.area) - !townAt(b.area))) {
    const place = L.latLng(townAt(group.area) ?? L.latLngBounds(cellsOf([group]).flatMap(boundsOf)).getCenter());
    const point = map.latLngToContainerPoint(place);
    const near = found.find((other) => other.point.distanceTo(point) < apart);
    if (near) near.groups.push(group);
    else found.push({ place, point, groups: [group] });
  }
  return found;
}

/** Badges: the worst severity of each place and how many alarms have it. `write` puts text on the map, `choose` shows cells. */
export function drawBadges(map, layer, marks, { write, choose }) {
  for (const { place, groups } of clusters(map, marks)) {
    const found = groups.toSorted((a, b) => severities.indexOf(a.severity) - severities.indexOf(b.severity));
    const worst = found[0].severity, quadkeys = cellsOf(found.filter(({ severity }) => severity === worst));
    const marker = write(layer, place, "badge", number(quadkeys.length), true);
    marker.getElement().dataset.severity = worst;
    marker.setZIndexOffset(1000 * (severities.length - severities.indexOf(worst)));
    marker.bindTooltip(() => summary(found));
    marker.on("click", () => choose(quadkeys));
  }
}

/** "Douala: 25 major, 14 minor", one line an area. */
function summary(groups) {
  return h("div", {}, [...new Set(groups.map((group) => group.area))].map((area) => {
    const counts = severities.map((severity) => [severity, cellsOf(groups.filter((group) => group.area === area
      && group.severity === severity)).length]).filter(([, count]) => count > 0);
    return h("div", {}, `${area}: ${counts.map(([severity, count]) => countedSeverity(count, severity)).join(", ")}`);
  }));
}

/** Frames of a group's cells; of a quiet group only those that were chosen. */
export function drawAlarmCells(group, layer, chosen, renderer) {
  for (const alarm of group.members) {
    const isChosen = chosen.includes(cellOf(alarm));
    if (!cellOf(alarm) || (group.isQuiet && !isChosen)) continue;
    L.rectangle(boundsOf(cellOf(alarm)), { className: `mark ${group.severity}`, fill: false, weight: isChosen ? 5 : 2, interactive: false, renderer }).addTo(layer);
  }
}
