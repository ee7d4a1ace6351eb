// Kinds of documents, where they are, and what a new one begins with. What may stand in them is in docs/rules.md, docs/channels.md, docs/oncall.md.

import { serverNow, stamp } from "../support/clock.js";
import { ruleForm } from "./rule-form.js";
import { ruleTest } from "./rule-test.js";

const hour = 3600000;
const soon = (hours) => stamp(Math.ceil(serverNow() / hour) * hour + hours * hour);
const text = (english, french) => ({ text: english, text_fr: french });

/** What rules begin with, in words: English, French. */
const texts = { slow: ["downloads are slow", "téléchargements lents"], latency: ["long response times", "temps de réponse longs"], outage: ["no service", "pas de service"] };
const ours = Object.values(texts).map(([english]) => english);

/** `list`: the member of the answer that has all of them, or none if the answer is the list; `templates(session)`: documents to begin with, by name. */
export const kinds = {
  rules: {
    path: "v1/rules", list: "rules", isForManagers: true, form: (area, session) => ruleForm(area, session, ours), test: ruleTest, document: (each) => each.document,
    templates: (session) => {
      const scope = session.regulator ? {} : { scope: { owners: session.operators.map(({ plmn }) => `plmn:${plmn}`) } };
      const shared = { version: 1, min_devices: 8, window_s: 1800, hold_set_s: 300, hold_clear_s: 900, level: 11, severity: "minor", type: "qualityOfServiceAlarm", ...scope };
      return {
        slow: { ...shared, kind: "ratio", metric: "download_kbps", bad: { below: 500 }, set: 0.6, clear: 0.3, cause: "bandwidthReduced", ...text(...texts.slow) },
        latency: { ...shared, kind: "ratio", metric: "latency_ms", bad: { above: 200 }, set: 0.6, clear: 0.3, cause: "responseTimeExcessive", ...text(...texts.latency) },
        outage: { version: 1, kind: "count", metric: "event", bad: ["no_service"], window_s: 900, set: 3, clear: 0, hold_clear_s: 2700, level: 11, severity: [{ devices: 3, severity: "minor" }, { devices: 10, severity: "major" }],
          type: "communicationsAlarm", cause: "lossOfSignal", ...scope, ...text(...texts.outage) },
      };
    },
  },
  channels: {
    path: "v1/channels", list: "channels", isForManagers: true,
    document: ({ id, has_secrets: secrets, ...each }) => each,
    templates: () => ({
      webhook: { kind: "webhook", url: "", secrets: { hmac_key: "" }, filter: { severity: "major" }, per_minute: 60 },
      email: { kind: "email", to: "noc@example.org", filter: { severity: "minor" }, digest_seconds: 60 },
      alertmanager: { kind: "alertmanager", url: "", filter: { severity: "warning" }, resend_seconds: 60 },
    }),
  },
  schedules: {
    path: "v1/schedules", check: true, document: ({ id, tenant, ...each }) => each,
    templates: (session) => ({ week: { zone: session.time_zone, shifts: [
      { days: ["mon", "tue", "wed", "thu", "fri"], from: "08:00", to: "20:00", contact: session.contacts[0] ?? session.contact },
      { days: ["mon", "tue", "wed", "thu", "fri"], from: "20:00", to: "08:00", contact: session.contacts.at(-1) ?? session.contact }] } }),
  },
  escalations: {
    path: "v1/escalations", check: true, document: ({ id, tenant, ...each }) => each,
    templates: (session) => ({ steps: { filter: { severity: "major" }, steps: [{ after_minutes: 0, contacts: [session.contacts[0] ?? session.contact] }, { after_minutes: 10, contacts: session.contacts.slice(0, 2) }] } }),
  },
  maintenance: {
    path: "v1/maintenance", check: true, document: ({ id, tenant, ...each }) => each,
    templates: (session) => ({
      once: { reason: "", filter: { networks: session.operators.slice(0, 1).map(({ plmn }) => plmn) }, from: soon(1), to: soon(5) },
      weekly: { reason: "", filter: { networks: session.operators.slice(0, 1).map(({ plmn }) => plmn) }, weekly: { zone: session.time_zone, days: ["sun"], from: "23:00", to: "04:00" } },
    }),
  },
};
