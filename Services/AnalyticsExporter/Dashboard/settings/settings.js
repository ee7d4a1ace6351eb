// What managers set for their tenant: rules, channels, schedules, escalations, planned work; and who is a contact.

import { parameter, set } from "../support/address.js";
import { $, h, put } from "../support/dom.js";
import { word } from "../support/words.js";
import { makePeople } from "./people.js";
import { makeDocuments } from "./documents.js";
import { kinds } from "./kinds.js";

let tabs = null, body = null, part = null, session = null, stop = null;

/** What this contact may see: everybody sees who is on call; rules and channels are for managers. */
const offered = () => ["people", ...Object.keys(kinds).filter((name) => !kinds[name].isForManagers || session.role === "manager")];

function open(stage, told) {
  session = told;
  stop = new AbortController();
  part = null;
  tabs = h("div", { class: "tabs", role: "tablist", wordLabel: "view.settings" });
  body = h("div", { id: "setting", role: "tabpanel", tabIndex: -1 });
  stage.append(h("div", { id: "settings" }, h("div", { class: "page-head" }, h("h2", { word: "view.settings" })), tabs, body));
}

function show() {
  const names = offered(), chosen = names.includes(parameter("part")) ? parameter("part") : names[0];
  if (tabs.children.length !== names.length) {
    tabs.replaceChildren(...names.map((name) => h("button", { type: "button", role: "tab", id: `tab-${name}`, on: { click: () => set({ part: name, name: null }), keydown: step } })));
  }
  names.forEach((name, index) => {
    const tab = tabs.children[index];
    put(tab, word(`setting.${name}`));
    tab.setAttribute("aria-selected", `${name === chosen}`);
    tab.tabIndex = name === chosen ? 0 : -1;
  });
  body.setAttribute("aria-labelledby", `tab-${chosen}`);
  if (part?.name !== chosen) {
    part?.close?.();
    part = chosen === "people" ? makePeople(session) : makeDocuments(chosen, session);
    body.replaceChildren(part.root);
  }
  part.draw();
}

/** The arrows go from tab to tab. */
function step(event) {
  const all = [...tabs.children], at = all.indexOf(event.target), next = { ArrowRight: at + 1, ArrowLeft: at - 1 }[event.key];
  if (next === undefined || !all[next]) return;
  event.preventDefault();
  all[next].click();
  all[next].focus();
}

export const settings = {
  name: "settings", open, show, translated: show,
  async refresh() { await part?.refresh(stop.signal); },
  close() { stop.abort(); part?.close?.(); part = null; },
  keys: [{ key: "c", word: "newDocument", act: () => { if (!$("new-document")) return false; $("new-document").click(); return true; } }],
};
