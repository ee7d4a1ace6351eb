// What is chosen stands in the address: `#/view?name=value&…`. A link shows another person the same thing; back,
// forward and reload work by themselves. It holds no secret.

const first = "now";
/** What goes along from one view to another. */
const shared = ["metric", "plmn", "technology", "period", "from", "to", "place", "figures"];
const listeners = new Set();

/** The view and its parameters. */
export function route() {
  const [path, query] = location.hash.replace(/^#\/?/, "").split("?", 2);
  return { view: /^[a-z]+$/.test(path) ? path : first, parameters: new URLSearchParams(query ?? "") };
}

export const parameter = (name) => route().parameters.get(name) ?? "";
/** A parameter that has several values, with commas. */
export const several = (name) => parameter(name).split(",").filter(Boolean);

/** An address of a view, for a link. */
export function link(view, parameters = {}) {
  const chosen = new URLSearchParams(Object.entries(parameters).filter(([, value]) => value !== null && value !== undefined && value !== ""));
  const query = `${chosen}`.replaceAll("%2C", ",").replaceAll("%3A", ":");
  return `#/${view}${query && `?${query}`}`;
}

/** An address of another view that keeps what both understand. */
export function along(view) {
  const { parameters } = route();
  return link(view, Object.fromEntries(shared.map((name) => [name, parameters.get(name)])));
}

/** Changes parameters of this view: `null` and the empty text take one away. `isStep`: the browser's way back leads here. */
export function set(changes, isStep = true) {
  const { view, parameters } = route();
  const next = link(view, { ...Object.fromEntries(parameters), ...changes });
  if (next === location.hash) return;
  history[isStep ? "pushState" : "replaceState"](null, "", next);
  tell();
}

export function go(view, parameters = {}) {
  history.pushState(null, "", link(view, parameters));
  tell();
}

/** Calls back whenever the address has become another. */
export const watch = (listener) => { listeners.add(listener); };
const tell = () => listeners.forEach((listener) => listener());
addEventListener("popstate", tell);
