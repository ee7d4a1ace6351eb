/* Sends what is kept. The same record may be sent twice, by the page and by the service worker, or again after an answer was
   lost: it has an id and counts once. Nothing is dropped before the server has said what became of it. */
"use strict";

nkul.outbox = (() => {
  const most = 50;
  const days = 7;
  const paths = { report: "/v1/reports", prompt: "/v1/me/prompts" };
  let waitUntil = 0;

  /** Sends everything that is kept. Returns what happened: {sent, refused, left, problem?}. */
  async function flush() {
    const locks = globalThis.navigator?.locks;
    return locks ? locks.request("nkul-outbox", send) : send();
  }

  async function send() {
    const outcome = { sent: 0, refused: 0, left: await nkul.store.count() };
    if (outcome.left === 0) return outcome;
    const token = await nkul.store.get("token");
    if (!token || Date.now() < waitUntil) return outcome;
    await dropOld();
    for (;;) {
      const kept = (await nkul.store.kept()).sort((a, b) => a.captured_at_ms - b.captured_at_ms);
      if (kept.length === 0) break;
      // Of one kind at a time: what says nothing of itself is a feedback.
      const records = kept.filter((record) => record.kind === kept[0].kind).slice(0, most);
      const { problem, refused } = await upload(records, token);
      if (problem) {
        outcome.problem = problem;
        break;
      }
      // Nobody is thanked for what became of a question.
      if (records[0].kind !== "prompt") outcome.sent += records.length - refused;
      outcome.refused += refused;
    }
    outcome.left = await nkul.store.count();
    return outcome;
  }

  /** Sends some records; returns why they are still kept, or how many the server did not want. */
  async function upload(records, token) {
    let answer;
    try {
      answer = await fetch(paths[records[0].kind] ?? "/v1/feedback", {
        method: "POST",
        headers: {
          "Authorization": `Bearer ${token}`, "Content-Type": "application/json", "X-Nkul-Sent-At": String(Date.now()),
        },
        body: JSON.stringify(records.map(({ kind, ...record }) => record)),
      });
    } catch {
      return { problem: "offline" };
    }
    const retry = Number(answer.headers.get("Retry-After"));
    if (retry > 0) waitUntil = Date.now() + retry * 1000;
    if (answer.status === 410) return { problem: "erased" };
    if (answer.status === 401 || answer.status === 403) return { problem: "refused" };
    if (!answer.ok && answer.status !== 422) return { problem: "later" };
    return { refused: await settle(records, answer) };
  }

  /** The server has judged the records: what it refused would be refused again. */
  async function settle(records, answer) {
    const receipt = await answer.json();
    const refused = answer.ok ? receipt.rejected : records.length;
    if (refused > 0) await add("refusedRecords", refused);
    await nkul.store.drop(records.map((record) => record.id));
    return refused;
  }

  /** What is older than phones keep it would be refused. */
  async function dropOld() {
    const oldest = Date.now() - days * 86_400_000;
    const old = (await nkul.store.kept()).filter((record) => record.captured_at_ms < oldest);
    if (old.length === 0) return;
    await add("expiredRecords", old.length);
    await nkul.store.drop(old.map((record) => record.id));
  }

  async function add(key, count) {
    await nkul.store.set(key, ((await nkul.store.get(key)) ?? 0) + count);
  }

  return { flush };
})();
