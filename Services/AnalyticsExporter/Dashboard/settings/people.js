// Who may have alarms, who looks now, and whether this browser is told by Web Push.

import { h, table } from "../support/dom.js";
import { panel } from "../support/panel.js";
import { fetchJSON } from "../support/server.js";
import { word } from "../support/words.js";
import { makePush } from "./push.js";

export function makePeople(first) {
  const made = panel("setting.people", { id: "people" });
  const told = h("div"), push = makePush();
  let session = first;
  made.body.append(told, push);
  const draw = () => {
    const { contacts, contact, role, tenant } = session;
    told.replaceChildren(h("p", {}, `${word("youAre")} ${contact} (${word(`role.${role}`)}), ${tenant}.`),
      table([word("contact"), ""], contacts.map((name) => [h("strong", {}, name), name === contact ? word("you") : ""]), { caption: word("setting.people") }), h("p", { class: "hint" }, word("peopleHint")));
  };
  return {
    name: "people", root: made.root, draw,
    async refresh(signal) {
      try {
        session = await fetchJSON("v1/session", signal);
        made.told(session);
        draw();
      } catch (error) { if (!signal?.aborted) made.failed(error); }
    },
  };
}
