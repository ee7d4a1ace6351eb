/** How a person begins (UC-002): the policy, the age, each consent with what it is for, the operator, the place. */

import { busy, choice, element, find, tell } from "./page.js";
import { askJSON, makeKey, Refusal } from "./server.js";
import { language, word } from "./words.js";

const store = globalThis.nkul.store;
const purposes = [
  "measurement", "location_precise", "location_coarse", "call_events", "rewards", "operator_sharing", "research",
  "standings",
];

/** A purpose's name and what it is for; "rewards" is a page's name, too, "standings" a card's. */
export const purposeWords = (purpose) => {
  const key = { rewards: "purposeRewards", standings: "purposeStandings" }[purpose] ?? purpose;
  return [word(key), word(`${key}Why`)];
};

export const consentChoices = (consent) =>
  purposes.map((purpose) => choice(`allow-${purpose}`, ...purposeWords(purpose), consent[purpose] === true));

export const chosenConsent = () =>
  Object.fromEntries(purposes.map((purpose) => [purpose, find(`allow-${purpose}`)?.checked === true]));

/** A list of operators to choose one from. */
export async function operatorChoice(id, chosen) {
  const { operators } = await askJSON("GET", "/v1/operators").catch(() => ({ operators: [] }));
  return element(
    "select", { id }, element("option", { value: "" }, word("operatorUnknown")),
    ...operators.map(({ plmn, name }) => element("option", { value: plmn, selected: plmn === chosen }, name)));
}

export const readPolicy = () => askJSON("GET", `/v1/policy?lang=${language()}`);

let place = 0;
let draft = { consent: {} };
let finished = () => {};
let accept = () => undefined;

const steps = [policyStep, ageStep, consentStep, operatorStep, placeStep];

export function begin(whenFinished) {
  finished = whenFinished;
  find("next").onclick = () => busy(find("next"), next);
  find("back").onclick = () => { place -= 1; return show(); };
}

/** Shows the step under way. */
export async function show() {
  const step = await steps[place]();
  find("step").textContent = word("step", { step: place + 1, steps: steps.length });
  find("welcome-title").textContent = step.title;
  find("welcome-body").replaceChildren(...step.body);
  find("next").textContent = step.next ?? word("next");
  find("back").hidden = place === 0;
  accept = step.accept;
  find("welcome-title").focus();
}

async function next() {
  tell("");
  const problem = await accept();
  if (problem) return tell(problem, "bad");
  if (place + 1 < steps.length) {
    place += 1;
    return show();
  }
  return enrol();
}

async function policyStep() {
  try {
    const policy = await readPolicy();
    draft.policy = policy;
    return {
      title: word("welcomePolicy"), next: word("policyAgree"), accept: () => undefined,
      body: [
        element("div", { class: "policy", tabindex: "0", role: "region", "aria-label": word("policy"), lang: policy.lang }, policy.text),
        element("p", { class: "quiet" }, word("policyHash", { version: policy.version }), " ",
          element("span", { class: "code" }, policy.sha256)),
      ],
    };
  } catch {
    return {
      title: word("welcomePolicy"), next: word("tryAgain"), body: [element("p", {}, word("policyMissing"))],
      accept: () => { place -= 1; },
    };
  }
}

function ageStep() {
  const bands = [["under_16", "ageUnder16"], ["16-17", "age16"], ["18+", "age18"]];
  const radios = bands.map(([band, key]) => element(
    "label", { class: "choice" },
    element("input", { type: "radio", name: "age", value: band, checked: draft.age === band }),
    element("span", {}, word(key))));
  return {
    title: word("welcomeAge"),
    body: [
      element("fieldset", { class: "card", "aria-labelledby": "welcome-title" }, ...radios),
      element("div", { class: "card" }, choice("guardian", word("guardian"), word("guardianWhy"), draft.guardian)),
    ],
    accept() {
      draft.age = document.querySelector("input[name=age]:checked")?.value;
      draft.guardian = find("guardian").checked;
      if (!draft.age) return word("ageNeeded");
      if (draft.age === "under_16" && !draft.guardian) return word("guardianNeeded");
    },
  };
}

function consentStep() {
  return {
    title: word("welcomeConsent"),
    body: [element("p", {}, word("consentIntro")), element("div", { class: "card" }, ...consentChoices(draft.consent))],
    accept() {
      draft.consent = chosenConsent();
      if (!draft.consent.measurement) return word("measurementNeeded");
    },
  };
}

async function operatorStep() {
  return {
    title: word("welcomeOperator"),
    body: [
      element("p", {}, word("operatorWhy")),
      element("label", { for: "sim" }, word("operator")), await operatorChoice("sim", draft.operator),
    ],
    accept() { draft.operator = find("sim").value; },
  };
}

function placeStep() {
  const wanted = draft.consent.location_precise || draft.consent.location_coarse;
  const body = wanted
    ? [
        element("p", {}, word("placeWhy")),
        element("button", { type: "button", id: "place-ask", onclick: askPlace }, word("placeAllow")),
      ]
    : [element("p", {}, word("placeOff"))];
  return {
    title: word("welcomePlace"), next: word("finish"), accept: () => undefined,
    body: [
      ...body, element("p", {}), element("label", { for: "code" }, word("code")),
      element("input", { type: "text", id: "code", autocomplete: "off", autocapitalize: "characters", spellcheck: "false" }),
    ],
  };
}

/** Has the browser ask; what it says is heard again whenever the app is opened. */
function askPlace() {
  if (!navigator.geolocation) return tell(word("placeDenied"), "bad");
  navigator.geolocation.getCurrentPosition(
    (found) => { draft.placeAsked = true; tell(word("placeKnown", { accuracy: Math.round(found.coords.accuracy) }), "good"); },
    (problem) => {
      draft.placeAsked = problem.code !== problem.PERMISSION_DENIED;
      tell(word(draft.placeAsked ? "placeUnknown" : "placeDenied"), draft.placeAsked ? "" : "bad");
    }, { timeout: 10_000 });
}

async function enrol() {
  const code = find("code").value.trim();
  const body = {
    platform: "web", app_version: "1", consent: draft.consent, policy_version: draft.policy.version, age_band: draft.age,
    device_key: await makeKey(),
  };
  if (draft.age === "under_16") body.guardian = draft.guardian;
  if (code) body.activation_code = code;
  try {
    const { token, device_id: device } = await askJSON("POST", "/v1/devices", body);
    await store.set("consent", draft.consent);
    await store.set("policy", draft.policy.version);
    await store.set("operator", draft.operator);
    await store.set("placeAsked", draft.placeAsked === true);
    await store.set("device", device);
    await store.set("token", token);
  } catch (problem) {
    return tell(told(problem), "bad");
  }
  draft = { consent: {} };
  place = 0;
  await finished();
}

function told(problem) {
  if (!(problem instanceof Refusal)) return word("offline");
  if (problem.code === "activation_required") return word("codeNeeded");
  if (problem.code === "activation_code_invalid" || problem.code === "bad_format") return word("codeWrong");
  return word("refused", { problem: problem.message });
}
