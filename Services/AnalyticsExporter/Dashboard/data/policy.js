// The policy by which phones ask for feedback: everybody sees it, managers of a regulator put another one in force.

import { h, put } from "../support/dom.js";
import { panel } from "../support/panel.js";
import { fetchJSON, LoggedOut, putJSON } from "../support/server.js";
import { word } from "../support/words.js";

const path = "v1/prompt-policy";

export function makePolicy(session) {
  const mayChange = session.regulator && session.role === "manager", made = panel("policy", { id: "policy" });
  const area = h("textarea", { id: "policy-document", rows: 20, spellcheck: false, readOnly: !mayChange, wordLabel: "policy" }), said = h("p", { id: "policy-answer", role: "status" });
  const save = h("button", { id: "policy-save", type: "submit", class: "primary", word: "save" });
  const form = h("form", { class: "policy", on: { submit: (event) => { event.preventDefault(); set(); } } }, h("p", { class: "hint", word: mayChange ? "policyChange" : "policyOnly" }), area, said, mayChange && h("span", { class: "buttons" }, save));
  made.body.append(h("details", {}, h("summary", { word: "policyDocument" }), form));
  let inForce = null, isWritten = false;
  area.addEventListener("input", () => { isWritten = true; });
  const say = (text, isError) => { put(said, text); said.classList.toggle("error", isError); };

  /** What is being written is not taken away by an answer; a new policy begins as the one in force, with the next version. */
  function draw(policy) {
    inForce = policy;
    if (isWritten) return;
    const text = JSON.stringify(mayChange ? { ...policy, version: policy.version + 1 } : policy, null, 2);
    if (area.value !== text) area.value = text;
  }

  async function set() {
    let written;
    try { written = JSON.parse(area.value); } catch (error) { return say(`${word("notJSON")} ${error.message}`, true); }
    try {
      const policy = await putJSON(path, written);
      isWritten = false;
      draw(policy);
      say(`${word("policySet")} ${policy.version}`, false);
    } catch (error) {
      if (error instanceof LoggedOut) return document.dispatchEvent(new CustomEvent("session-over"));
      say(error.field ? `${error.field}: ${error.message}` : error.message || word("offlineNow"), true);
    }
    return undefined;
  }

  return {
    root: made.root,
    async refresh(signal) {
      try {
        const policy = await fetchJSON(path, signal);
        if (policy.version !== inForce?.version) draw(policy);
        made.told();
      } catch (error) { if (!signal.aborted) made.failed(error); }
    },
  };
}
