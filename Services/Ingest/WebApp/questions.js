/* Questions by Web Push: whether this browser is asked, and what became of each question. Loaded by the page and by the service worker. */
"use strict";

nkul.questions = (() => {
  const path = "/v1/me/push";
  /** How long after it is shown a question that nobody touched counts as ignored. */
  const patience = 3_600_000;
  /** How long a question that was opened waits for its answer. */
  const freshness = 1_800_000;
  const most = 20;

  // MARK: whether this browser is asked

  async function call(method, body) {
    const headers = { Authorization: `Bearer ${await nkul.store.get("token")}` };
    if (body) headers["Content-Type"] = "application/json";
    const answer = await fetch(path, { method, headers, body: body && JSON.stringify(body), cache: "no-store" });
    const told = await answer.json().catch(() => ({}));
    if (!answer.ok) throw Object.assign(new Error(told.detail ?? told.title), { code: told.code ?? "unknown" });
    return told;
  }

  /** What the server says of it: {is_on, vapid_key}. */
  const standing = () => call("GET");

  /** Subscribes with the browser maker's push service and tells the server where. */
  async function turnOn(registration) {
    const { vapid_key: key } = await standing();
    const known = await registration.pushManager.getSubscription();
    // A subscription of another key is of no use.
    if (known && text(known.options?.applicationServerKey) !== key) await known.unsubscribe();
    const subscription = await registration.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: bytes(key) });
    await call("PUT", subscription.toJSON());
    await nkul.store.set("pushed", JSON.stringify(subscription));
  }

  async function turnOff(registration) {
    await call("DELETE");
    await nkul.store.set("pushed", undefined);
    await forget(registration);
  }

  /** Has the push service forget this browser. */
  async function forget(registration) {
    await (await registration.pushManager?.getSubscription())?.unsubscribe();
  }

  /** Browsers change subscriptions by themselves: the server is told where this one is now. */
  async function renew(registration) {
    const told = await nkul.store.get("pushed");
    if (!told) return;
    const subscription = await registration.pushManager.getSubscription();
    if (subscription && JSON.stringify(subscription) === told) return;
    // Where it ended at the server, the person has to turn it on again.
    if ((await standing()).is_on) await turnOn(registration);
    else await nkul.store.set("pushed", undefined);
  }

  // MARK: what became of questions

  /** Keeps an outcome until it is sent. */
  async function tell(question, outcome) {
    const operator = await nkul.store.get("operator");
    await nkul.store.keep({
      kind: "prompt", id: crypto.randomUUID(), captured_at_ms: Date.now(), prompt_id: question.prompt_id, outcome,
      policy_version: question.policy_version, rule: question.rule,
      ...(operator ? { mcc: operator.slice(0, 3), mnc: operator.slice(3) } : {}),
    });
  }

  const shown = async () => (await nkul.store.get("questions")) ?? [];

  /** Notes that a question is before the person's eyes; the same one twice is one. */
  async function show(question) {
    const list = await shown();
    if (list.some((one) => one.prompt_id === question.prompt_id)) return;
    await nkul.store.set("questions", [...list, { ...question, at: Date.now() }].slice(-most));
    await tell(question, "shown");
  }

  /** Ends a question: the first outcome counts. */
  async function end(question, outcome) {
    const list = await shown();
    if (!list.some((one) => one.prompt_id === question.prompt_id)) return;
    await nkul.store.set("questions", list.filter((one) => one.prompt_id !== question.prompt_id));
    if ((await nkul.store.get("question"))?.prompt_id === question.prompt_id) await nkul.store.set("question", undefined);
    await tell(question, outcome);
  }

  /** What was shown long ago and not touched was ignored. */
  async function giveUp() {
    for (const one of await shown()) if (Date.now() - one.at > patience) await end(one, "ignored");
  }

  /** The question that the person has opened, while it waits for its answer. */
  async function open() {
    const question = await nkul.store.get("question");
    return question && Date.now() - question.openedAt < freshness ? question : undefined;
  }

  const ask = (question) => nkul.store.set("question", { ...question, openedAt: Date.now() });

  const bytes = (words) => Uint8Array.from(atob(words.replaceAll("-", "+").replaceAll("_", "/")), (letter) => letter.charCodeAt(0));
  const text = (buffer) => buffer && btoa(String.fromCharCode(...new Uint8Array(buffer)))
    .replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");

  return { standing, turnOn, turnOff, forget, renew, show, end, giveUp, open, ask };
})();
