// Requests to the exporter. Whether one is logged in is asked by a call that answers 200 either way, because browsers
// log every 401 as an error.

/** The session is over: it ended, or its contact was revoked. */
export class LoggedOut extends Error {}
/** The exporter does not answer, or not in a way that this page understands. */
export class Offline extends Error {}

/** Longer than any answer takes. */
const patience = 20000;

const send = (path, options = {}) => {
  const limit = AbortSignal.timeout(options.patience ?? patience);
  return fetch(path, { credentials: "same-origin", ...options, signal: options.signal ? AbortSignal.any([limit, options.signal]) : limit })
    .catch((error) => { throw error.name === "AbortError" ? error : new Offline(); });
};
const json = (response) => response.json().catch(() => { throw new Offline(); });

/** `signal` gives it up: it throws an `AbortError` then. */
export async function fetchJSON(path, signal) {
  return answered(await send(path, { signal }));
}

/** The bytes of an answer, for who reads it beside the page. */
export async function fetchBytes(path, signal) {
  const response = await send(path, { signal });
  return response.ok ? response.arrayBuffer().catch((error) => { throw error.name === "AbortError" ? error : new Offline(); }) : answered(response);
}

/** What the server refused, in its words; `field` names what of it is wrong. */
export class Refused extends Error {
  constructor(body, response) {
    super(body.detail ?? body.title ?? response.statusText);
    Object.assign(this, { status: response.status, code: body.code, field: body.field });
  }
}

async function answered(response) {
  if (response.status === 401) throw new LoggedOut();
  if (response.status === 204) return null;
  const body = await json(response);
  if (!response.ok) throw new Refused(body, response);
  return body;
}

const headers = { "Content-Type": "application/json" };

/** Sets a document; as the server has it now. */
export const putJSON = async (path, body) => answered(await send(path, { method: "PUT", headers, body: JSON.stringify(body) }));
export const postJSON = async (path, body = {}) => answered(await send(path, { method: "POST", headers, body: JSON.stringify(body) }));
export const remove = async (path) => answered(await send(path, { method: "DELETE" }));

/** Does something to an alarm; the task as the router has decided within two seconds, or as it still stands. */
export async function act(alarm, name, members) {
  const response = await send(`v1/alarms/${alarm}/${name}?wait=2`, {
    method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(members),
  });
  return answered(response);
}

/** Has a door opened, by a press of now; the task once it is over, or as it stands after ten seconds. */
export async function openDoor(door, now) {
  const key = Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");
  const response = await send(`v1/doors/${door}/open?wait=10`, {
    method: "POST", headers: { "Content-Type": "application/json", "Idempotency-Key": key },
    body: JSON.stringify({ pressed_at_ms: Math.round(now) }),
  });
  return answered(response);
}

/** `{logged_in, now_ms, clock}`; throws `LoggedOut` if nobody is logged in. */
export async function checkSession(limit = patience) {
  const response = await send("v1/session/state", { patience: limit });
  const state = response.ok ? await json(response) : null;
  if (state === null) throw new Offline();
  if (!state.logged_in) throw new LoggedOut();
  return state;
}

/** Logs in; the answer's status, and how many seconds to wait where it says so. */
export async function logIn(token) {
  const response = await send("v1/session", {
    method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify({ token }),
  });
  await response.text();
  return { status: response.status, wait: Number(response.headers.get("Retry-After") ?? 0) };
}

/** Logs out; whether the server did. */
export async function logOut() {
  const response = await send("v1/session", { method: "DELETE" });
  await response.text();
  return response.ok;
}
