/** Calls of the device API. */

const store = globalThis.nkul.store;

/** What the server refused, in its words; `code` is stable. */
export class Refusal extends Error {
  constructor(status, problem) {
    super(problem.detail ?? problem.title ?? `HTTP ${status}`);
    this.status = status;
    this.code = problem.code;
  }
}

/** Asks; returns the answer. Throws a TypeError without network, a Refusal for 400 and above. A signature by a clock that is wrong is
    made again by the server's. */
export async function ask(method, path, body, fields) {
  try {
    return await askOnce(method, path, body, fields);
  } catch (problem) {
    if (problem.code !== "signature_expired" || !(await learnTime(problem.message))) throw problem;
    return askOnce(method, path, body, fields);
  }
}

async function askOnce(method, path, body, fields) {
  const token = await store.get("token"), headers = { ...fields };
  const bytes = body === undefined ? undefined : new TextEncoder().encode(JSON.stringify(body));
  if (token) headers.Authorization = `Bearer ${token}`;
  if (bytes) headers["Content-Type"] = "application/json";
  if (isSigned(method, path)) await sign(method, path, bytes, headers);
  const answer = await fetch(path, { method, headers, body: bytes, cache: "no-store" });
  if (!answer.ok) throw new Refusal(answer.status, await answer.json().catch(() => ({})));
  return answer;
}

export async function askJSON(method, path, body, fields) {
  const answer = await ask(method, path, body, fields);
  return { ...(await answer.json()), status: answer.status };
}

// MARK: signatures (RFC 9421): these calls are this phone's alone

const signed = ["/v1/me/payout", "/v1/me/data", "/v1/me/erasures", "/v1/me/passkey"];
const isSigned = (method, path) =>
  signed.some((prefix) => path.startsWith(prefix)) || (method === "PUT" && path === "/v1/me/consent");
const algorithm = { name: "ECDSA", namedCurve: "P-256" };

/** Makes this phone's key, which no script can read; returns its public half in base64. Nothing where the browser has none. */
export async function makeKey() {
  if (!globalThis.crypto?.subtle) return undefined;
  const pair = await crypto.subtle.generateKey(algorithm, false, ["sign"]);
  const point = await crypto.subtle.exportKey("raw", pair.publicKey);
  await store.set("key", pair.privateKey);
  return base64(point);
}

async function sign(method, path, body, headers) {
  const key = await store.get("key");
  if (!key) return;
  const url = new URL(path, location.origin), lines = [["@method", method], ["@path", url.pathname]];
  if (url.search) lines.push(["@query", url.search]);
  if (body) {
    headers["Content-Digest"] = `sha-256=:${base64(await crypto.subtle.digest("SHA-256", body))}:`;
    lines.push(["content-digest", headers["Content-Digest"]]);
  }
  const names = lines.map(([name]) => `"${name}"`).join(" ");
  const parameters = `(${names});created=${await nextSecond()}`;
  const base = [...lines.map(([name, value]) => `"${name}": ${value}`), `"@signature-params": ${parameters}`].join("\n");
  const signature = await crypto.subtle.sign({ name: "ECDSA", hash: "SHA-256" }, key, new TextEncoder().encode(base));
  headers["Signature-Input"] = `app=${parameters}`;
  headers.Signature = `app=:${base64(signature)}:`;
}

/** Each signature is of a second of its own, as the server takes none of an earlier one. */
async function nextSecond() {
  const now = Math.floor(Date.now() / 1000) + ((await store.get("clockShift")) ?? 0);
  const second = Math.max(now, ((await store.get("signedAt")) ?? 0) + 1);
  await store.set("signedAt", second);
  return second;
}

/** The server says how many seconds ago a signature was made: by that its clock is known. */
async function learnTime(detail) {
  const [, age] = /^created is (-?[0-9]+) s ago/.exec(detail) ?? [];
  if (age === undefined) return false;
  const made = await store.get("signedAt"), time = made + Number(age);
  await store.set("clockShift", time - Math.floor(Date.now() / 1000));
  // What was refused was not noted there.
  await store.set("signedAt", Math.min(made, time - 1));
  return true;
}

// MARK: receipts

/** Reads how an erasure stands. Numbers of lanes have 64 bits, more than a number of JavaScript: they stay text. */
export function readStanding(text) {
  return JSON.parse(text.replace(/"(generation|block)":(\d+)/g, '"$1":"$2"'));
}

/** Whether a receipt of an erasure is signed by the service that it names: true, false, or undefined if nobody can tell here. */
export async function isRight(receipt, keys) {
  const known = keys.find((key) => key.key_id === receipt.key_id && key.service === receipt.service);
  if (!known) return false;
  const lines = [
    "nkul erasure receipt 1", receipt.request, receipt.subject, receipt.service,
    ...receipt.barriers.map((place) => `${place.lane}/${place.generation}/${place.block}`), receipt.removed,
    receipt.signed_at_ms, receipt.key_id,
  ];
  const text = new TextEncoder().encode(lines.map((line) => `${line}\n`).join(""));
  try {
    const key = await crypto.subtle.importKey("raw", bytes(known.public_key), "Ed25519", false, ["verify"]);
    return await crypto.subtle.verify("Ed25519", key, bytes(receipt.signature), text);
  } catch {
    return undefined;
  }
}

const bytes = (hexadecimal) => Uint8Array.from(hexadecimal.match(/../g) ?? [], (pair) => parseInt(pair, 16));
const base64 = (buffer) => btoa(String.fromCharCode(...new Uint8Array(buffer)));
