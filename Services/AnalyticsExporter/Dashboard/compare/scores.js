// Networks judged by a profile, explained down to each indicator and the number of its values.

import { parameter } from "../support/address.js";
import { h, keep, csv, table } from "../support/dom.js";
import { ask } from "../support/kpis.js";
import { drawable, valueText } from "../support/metrics.js";
import { panel } from "../support/panel.js";
import { choice, operatorName, operators } from "../support/pickers.js";
import { fetchJSON } from "../support/server.js";
import { number, word } from "../support/words.js";

export function makeScores() {
  let profiles = [], last = null;
  const picker = choice("profile", "profile", () => (profiles.length > 0 ? profiles : [{ id: "", title: "…" }]).map(({ id, title }) => [id, title]), () => profiles[0]?.id ?? "");
  const made = panel("scores", { figure: "statistics", id: "scores", tools: [picker,
    h("button", { id: "scores-csv", type: "button", word: "csv", on: { click: () => { if (last) keep(`nkul-scores-${last.profile.id}.csv`, asCSV(last), "text/csv"); } } })] });
  const draw = () => {
    picker.draw();
    if (last) made.body.replaceChildren(h("p", { class: "hint" }, `${last.profile.title} (${word("version")} ${last.profile.version}). ${last.profile.method}. ${word("source")}: ${last.profile.source}`),
      overview(last), ...last.scores.filter(({ plmn }) => operators().includes(plmn)).map((score) => details(score, last.profile)));
  };
  return {
    root: made.root, panel: made, draw,
    async refresh(wanted, signal) {
      try {
        if (profiles.length === 0) profiles = (await fetchJSON("v1/score-profiles", signal)).profiles;
        last = await ask("v1/scores", { ...wanted, profile: parameter("profile") || profiles[0].id }, signal);
        made.told(last);
        draw();
      } catch (error) { made.failed(error); }
    },
  };
}

function overview({ scores, profile }) {
  const [low, high] = profile.scale ?? [0, 100], shown = scores.filter(({ plmn }) => operators().includes(plmn));
  return table([word("operator"), word("score"), "", word("dataQuality")], shown.map(({ plmn, score, quality }) => {
    const bar = h("span", { class: "score-bar", "aria-hidden": "true" }), fill = h("i");
    fill.style.width = score === null ? "0" : `${Math.max(0, Math.min(100, ((score - low) / (high - low)) * 100))}%`;
    bar.append(fill);
    return [h("strong", {}, operatorName(plmn)), score === null ? "–" : `${number(score, 1)} / ${number(high)}`, score === null ? word("noScore") : bar, qualityText(quality)];
  }), { numeric: [1], caption: word("scores") });
}

const qualityText = ({ level, devices_at_least: devices, days, cells }) =>
  `${level} / 5 · ≥ ${number(devices ?? 0)} ${word("devices").toLowerCase()} · ${number((days ?? 0) * 100)} % ${word("ofDays")} · ${number((cells ?? 0) * 100)} % ${word("ofCells")}`;

/** A score taken apart. */
function details({ plmn, score, parts }, { scale }) {
  const rows = parts.flatMap((part) => [
    ...part.items.map((item) => [parts.length > 1 ? `${part.id} · ${item.id}` : item.id, item.metric ? word(item.metric) : "–", item.statistic ?? "–",
      item.metric && drawable(item.metric) ? valueText(item.metric, item.value) : item.value === null ? "–" : number(item.value, 2), number(item.n), item.share === null ? "–" : `${number(item.share * 100, 1)} %`, item.points === null ? "–" : number(item.points, 1)]),
    ...(part.missing.length > 0 ? [[`${part.id}: ${word("missing")}`, part.missing.join(", "), "", "", "", "", part.points === null ? "–" : ""]] : [])]);
  return h("details", { class: "score" }, h("summary", {}, `${operatorName(plmn)}: ${score === null ? "–" : number(score, 1)}${scale ? ` (${number(scale[0])} … ${number(scale[1])})` : ""}`),
    table([word("indicator"), word("metric"), word("statistic"), word("value"), "n", word("share"), word("points")], rows, { numeric: [3, 4, 5, 6], caption: operatorName(plmn) }));
}

const asCSV = ({ profile, scores, from_ms: from, to_ms: to, as_of_ms: at }) => csv([["profile", "version", "plmn", "score", "part", "indicator", "metric", "statistic", "value", "n", "weight", "share", "points", "quality", "from", "to", "as_of"],
  ...scores.flatMap(({ plmn, score, parts, quality }) => parts.flatMap((part) => part.items.map((item) => [profile.id, profile.version, plmn, score, part.id, item.id, item.metric, item.statistic, item.value, item.n, item.weight, item.share, item.points, quality.level,
    ...[from, to, at].map((moment) => new Date(moment).toISOString())])))]);
