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

/** Asks; returns the answer's JSON with its `status`. Throws a TypeError without network, a Refusal for 400 and above. */
export async function ask(method, path, body) {
  const token = await store.get("token"), headers = {};
  const bytes = body === undefined ? undefined : new TextEncoder().encode(JSON.stringify(body));
  if (token) headers.Authorization = `Bearer ${token}`;
  if (bytes) headers["Content-Type"] = "application/json";
  if (signed.some((prefix) => path.startsWith(prefix))) await sign(method, path, bytes, headers);
  const answer = await fetch(path, { method, headers, body: bytes, cache: "no-store" });
  if (!answer.ok) throw new Refusal(answer.status, await answer.json().catch(() => ({})));
  return answer;
}

export async function askJSON(method, path, body) {
  const answer = await ask(method, path, body);
  return { ...(await answer.json()), status: answer.status };
}

// MARK: signatures (RFC 9421): these calls are this phone's alone

const signed = ["/v1/me/payout", "/v1/me/data", "/v1/me/erasures"];
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
  const second = Math.max(Math.floor(Date.now() / 1000), ((await store.get("signedAt")) ?? 0) + 1);
  await store.set("signedAt", second);
  return second;
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
