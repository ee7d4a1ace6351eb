/** A passkey: the phone's finger, face or code, asked for before a copy or an erasure if the person has turned it on (WebAuthn). */

import { askJSON, Refusal } from "./server.js";

const store = globalThis.nkul.store;
const path = "/v1/me/passkey";
const patience = 120_000;

/** What the server says of it; undefined where this browser or this server has none. */
export async function standing() {
  if (!globalThis.PublicKeyCredential || !navigator.credentials) return undefined;
  const told = await askJSON("GET", path).catch(() => undefined);
  return told?.origin === location.origin ? told : undefined;
}

/** Makes one, which the server asks for from then on. */
export async function turnOn() {
  const { challenge, rp_id: id } = await askJSON("POST", path);
  const made = await navigator.credentials.create({ publicKey: {
    rp: { id, name: "Nkul" }, challenge: bytes(challenge), timeout: patience, attestation: "none",
    // Nobody has a name here.
    user: { id: crypto.getRandomValues(new Uint8Array(16)), name: "Nkul", displayName: "Nkul" },
    pubKeyCredParams: [{ type: "public-key", alg: -7 }, { type: "public-key", alg: -257 }],
    authenticatorSelection: { userVerification: "required" },
  } });
  const { response } = made;
  await askJSON("PUT", path, {
    client_data: text(response.clientDataJSON), authenticator_data: text(response.getAuthenticatorData()),
    public_key: text(response.getPublicKey()), algorithm: response.getPublicKeyAlgorithm(),
  });
  await store.set("passkey", made.rawId);
}

/** Turns it off. */
export async function turnOff() {
  await askJSON("DELETE", path, undefined, await use());
  await store.set("passkey", undefined);
}

/** The field by which the server knows that the person is there; none where nothing was turned on. */
export async function use() {
  const id = await store.get("passkey");
  if (!id) return {};
  const { challenge, rp_id: rpId } = await askJSON("POST", path).catch((problem) => {
    // Where the server asks for none any more, none is used.
    if (problem instanceof Refusal && problem.status === 404) return {};
    throw problem;
  });
  if (!challenge) return {};
  const { response } = await navigator.credentials.get({ publicKey: {
    rpId, challenge: bytes(challenge), timeout: patience, userVerification: "required",
    allowCredentials: [{ type: "public-key", id }],
  } });
  const parts = [
    ["client-data", response.clientDataJSON], ["authenticator-data", response.authenticatorData], ["signature", response.signature],
  ];
  return { "Nkul-Passkey": parts.map(([name, value]) => `${name}=:${base64(value)}:`).join(", ") };
}

const base64 = (buffer) => btoa(String.fromCharCode(...new Uint8Array(buffer)));
const text = (buffer) => base64(buffer).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
const bytes = (words) => Uint8Array.from(atob(words.replaceAll("-", "+").replaceAll("_", "/")), (letter) => letter.charCodeAt(0));
