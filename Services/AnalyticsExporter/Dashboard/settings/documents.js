// Documents of a kind: a list, and an editor in which one is written, checked and set. What is refused is said with the member that is wrong.

import { parameter, set } from "../support/address.js";
import { $, h, put, table } from "../support/dom.js";
import { panel } from "../support/panel.js";
import { fetchJSON, LoggedOut, putJSON, remove } from "../support/server.js";
import { timeText } from "../support/clock.js";
import { word } from "../support/words.js";
import { kinds } from "./kinds.js";

const isName = (text) => /^[A-Za-z0-9._-]{1,64}$/.test(text);

export function makeDocuments(name, session) {
  const kind = kinds[name], made = panel(`setting.${name}`, { id: `documents-${name}` }), isManager = session.role === "manager";
  let all = [], edited = null, isGone = false;
  const list = h("ul", { class: "documents" }), editor = h("form", { id: "editor", hidden: true, on: { submit: save } });
  const fresh = isManager ? h("div", { class: "fields" }, h("button", { id: "new-document", type: "button", class: "primary", word: "newDocument", on: { click: () => set({ name: "new" }) } })) : null;
  made.body.append(...[fresh, h("div", { class: "split" }, list, editor)].filter(Boolean));

  const wantedName = () => parameter("name");
  function draw() {
    list.replaceChildren(...all.map((each) => h("li", {}, h("button", { type: "button", class: "link", "aria-current": `${each.id === wantedName()}`, on: { click: () => set({ name: each.id }) } }, each.id), h("span", { class: "hint" }, ` ${summary(each)}`))));
    if (all.length === 0) list.replaceChildren(h("li", { class: "hint" }, word("noDocuments")));
    if (wantedName() !== edited) begin();
  }

  /** What one says of itself in a line. */
  const summary = (each) => {
    const document = kind.document(each);
    return [document.kind, document.metric, document.text, document.url ?? document.to, document.reason, each.tenant].filter((part) => typeof part === "string").join(" · ");
  };

  function begin() {
    const found = all.find(({ id }) => id === wantedName());
    if (wantedName() && wantedName() !== "new" && !found) return;
    edited = wantedName();
    editor.hidden = !edited;
    if (!edited) return;
    const templates = kind.templates(session), document = found ? kind.document(found) : Object.values(templates)[0];
    const area = h("textarea", { id: "document", rows: 18, spellcheck: false, value: JSON.stringify(document, null, 2), readOnly: !isManager });
    const fields = kind.form?.(area, session), test = isManager ? kind.test?.(kind.path, { read: written, failed, say }) : null;
    const template = found ? null : h("select", { id: "template", on: { change: () => { area.value = JSON.stringify(templates[template.value], null, 2); fields?.draw(); } } }, Object.keys(templates).map((each) => new Option(word(`template.${each}`), each)));
    editor.replaceChildren(h("div", { class: "fields" },
      h("label", {}, h("span", { word: "name" }), h("input", { id: "document-name", value: found ? found.id : "", required: true, pattern: "[A-Za-z0-9._\\-]{1,64}", readOnly: Boolean(found), autocomplete: "off" })),
      template && h("label", {}, h("span", { word: "template" }), template)),
    fields?.root ?? "", h("label", { class: "wide" }, h("span", { word: "document" }), area), h("p", { id: "document-answer", role: "status" }),
    h("span", { class: "buttons" }, isManager && h("button", { type: "submit", class: "primary", id: "save", word: "save" }),
      test?.buttons, found && kind.check && h("button", { type: "button", id: "check", word: "check", on: { click: () => check(found.id) } }),
      found && isManager && h("button", { type: "button", id: "remove", word: "remove", on: { click: (event) => removeOne(found.id, event.currentTarget) } }),
      h("button", { type: "button", word: "close", on: { click: () => set({ name: null }) } })), test?.root ?? "", h("div", { id: "checked" }));
    if (test) editor.oninput = editor.onchange = test.forget;
    if (!found) $("document-name")?.focus();
  }

  const say = (text, isError) => { const line = $("document-answer"); if (!line) return; put(line, text); line.classList.toggle("error", isError); };

  /** Name and document as they are written; null if they cannot be read, which is said. */
  function written() {
    const id = $("document-name").value.trim();
    if (!isName(id)) { say(word("badName"), true); return null; }
    try { return { id, document: JSON.parse($("document").value) }; } catch (error) { say(`${word("notJSON")} ${error.message}`, true); return null; }
  }

  async function save(event) {
    event.preventDefault();
    const found = written();
    if (!found) return undefined;
    const { id, document } = found;
    say(word("saving"), false);
    try {
      await putJSON(`${kind.path}/${id}`, document);
      await refresh();
      if (isGone) return undefined;
      edited = null;
      if (wantedName() === id) draw(); else set({ name: id });
      say(word("saved"), false);
    } catch (error) { failed(error); }
    return undefined;
  }

  function failed(error) {
    if (isGone) return undefined;
    if (error instanceof LoggedOut) return document.dispatchEvent(new CustomEvent("session-over"));
    say(error.field ? `${error.field}: ${error.message}` : error.message || word("offlineNow"), true);
    const at = error.field ? $("document")?.value.indexOf(`"${error.field.split(/[.[]/)[0]}"`) : -1;
    if (at >= 0) { $("document").focus(); $("document").setSelectionRange(at, at + error.field.split(/[.[]/)[0].length + 2); }
    return undefined;
  }

  /** The first press asks, the second removes. */
  async function removeOne(id, button) {
    if (button.dataset.sure !== "1") { button.dataset.sure = "1"; put(button, word("removeSure")); return; }
    try {
      await remove(`${kind.path}/${id}`);
      await refresh();
      if (!isGone) set({ name: null });
    } catch (error) { failed(error); }
  }

  async function check(id) {
    try {
      const answer = await fetchJSON(`${kind.path}/${id}/check?days=14`);
      if (isGone || wantedName() !== id) return;
      $("checked").replaceChildren(...Object.entries(answer).filter(([, value]) => Array.isArray(value) && value.length > 0).map(([key, rows]) => h("div", {}, h("h4", {}, key), typeof rows[0] === "object"
        ? table(membersOf(rows), rows.map((row) => membersOf(rows).map((member) => shown(row[member]))), { caption: key }) : h("p", {}, rows.join(", ")))));
      if ($("checked").children.length === 0) $("checked").replaceChildren(h("pre", {}, JSON.stringify(answer, null, 2)));
    } catch (error) { failed(error); }
  }
  /** Moments stand there twice; people read the text. */
  const membersOf = (rows) => [...new Set(rows.flatMap(Object.keys))].filter((member) => !member.endsWith("_ms"));
  const shown = (value) => (typeof value === "string" && /^\d{4}-\d\d-\d\dT/.test(value) ? timeText(Date.parse(value)) : typeof value === "object" ? JSON.stringify(value) : `${value ?? ""}`);

  async function refresh(signal) {
    try {
      const answer = await fetchJSON(kind.path, signal);
      if (isGone) return;
      all = kind.list ? answer[kind.list] : answer;
      made.told();
      draw();
    } catch (error) { if (!signal?.aborted) made.failed(error); }
  }

  return { name, root: made.root, draw, refresh, close: () => { isGone = true; } };
}
