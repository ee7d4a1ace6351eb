// Figures that were released: of any network, the same for everybody, with what the releases leave open. Live figures are of those
// networks alone that one may see. `figures` of the address says which: the class of releases, or live.

import { parameter, route } from "./address.js";
import { word } from "./words.js";

export const classes = ["final", "technology", "provisional"];
/** Where there is a choice; elsewhere figures are live. */
const views = ["map", "trends", "compare"];

/** The class of releases that is chosen; null: live figures. */
export const released = () => (views.includes(route().view) && classes.includes(parameter("figures")) ? parameter("figures") : null);

/** What the figures of an answer are called, by its `release`: live, or of which class of releases. */
export const figuresName = (release) => (classes.includes(release) ? `${word("releasedFigures")}, ${word(`class.${release}`)}` : word("liveFigures"));

/** Where figures are asked for: `kpis`, `compare`, `heatmap`. */
export const pathOf = (name) => (released() ? `v1/released/${name}` : `v1/${name}`);

/** Parameters as that call has them: only releases by technology know technologies. */
export function asReleased({ technology, ...wanted }) {
  const chosen = released();
  return chosen ? { ...wanted, class: chosen, technology: chosen === "technology" ? technology : null } : { ...wanted, technology };
}

/** Releases by day have no shorter buckets, none has five minutes. */
export function bucketOf(bucket) {
  const chosen = released();
  if (chosen === "final") return "day";
  return chosen && bucket === "5min" ? "hour" : bucket;
}
