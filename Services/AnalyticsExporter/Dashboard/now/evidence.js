// What was measured where an alarm is, before, during and after it: the figures of its cell, and their course.

import { cellOf, isOpen, isOwn, raisedAt } from "../alarms/alarms.js";
import { Chart } from "../chart/chart.js";
import { serverNow, timeText } from "../support/clock.js";
import { h, table } from "../support/dom.js";
import { ask, bucketFor, series } from "../support/kpis.js";
import { figure, isFromZero, unit, valueText } from "../support/metrics.js";
import { panel } from "../support/panel.js";
import { operatorName } from "../support/pickers.js";
import { boundsOf } from "../support/places.js";
import { number, word } from "../support/words.js";

const hour = 3600000, before = 2 * hour, after = hour, most = 72 * hour;
/** What a rule, or a cause, is seen by; the first that its name has. */
const metrics = [["lossOfSignal", "rsrp_dbm"], ["latency", "latency_ms"], ["responseTime", "latency_ms"], ["loss", "loss_pct"], ["retransmission", "loss_pct"], ["jitter", "jitter_ms"],
  ["upload", "upload_kbps"], ["signal", "rsrp_dbm"], ["rating", "rating"], ["download", "download_kbps"]];
/** Rules whose alarms are of something that happened, which is counted. */
const events = [["no_service", "no_service"], ["call", "call_drop"], ["emergency", "emergency"]];

const named = (alarm, list) => list.find(([part]) => `${alarm.rule} ${alarm.probableCause}`.includes(part))?.[1];
export const metricOf = (alarm) => named(alarm, metrics) ?? "latency_ms";
export const eventOf = (alarm) => named(alarm, events);

/** From two hours before an alarm to an hour after its end, three days at most. */
export function spanOf(alarm) {
  const raised = raisedAt(alarm), end = isOpen(alarm) ? serverNow() : Date.parse(alarm.alarmClearedTime) || serverNow();
  return { raised, end, from: raised - before, to: Math.min(serverNow(), Math.max(end + after, raised + hour), raised - before + most) };
}

/** A little inside a cell, so that its neighbours are not touched. */
function inside(quadkey) {
  const [[south, west], [north, east]] = boundsOf(quadkey), x = (east - west) / 1000, y = (north - south) / 1000;
  return [west + x, south + y, east - x, north - y].map((each) => each.toFixed(6)).join(",");
}

export class Evidence {
  constructor() {
    this.panel = panel("evidence", { figure: "statistics", id: "evidence", level: "h3" });
    this.root = this.panel.root;
    this.chart = new Chart({ height: 170 });
    this.figures = h("div", { id: "evidence-figures" });
    this.panel.body.append(this.figures, this.chart.root);
    this.stamp = "";
    this.root.hidden = true;
  }

  clear() {
    this.stamp = "";
    this.root.hidden = true;
    this.stop?.abort();
  }

  /** Fetches what is known of an alarm that is another or has changed; every minute while it goes on. */
  async show(alarm) {
    if (isOwn(alarm) || !alarm.plmn || cellOf(alarm).length < 6) return this.clear();
    const minute = isOpen(alarm) ? Math.floor(serverNow() / 60000) : 0;
    const stamp = `${alarm.id} ${alarm.state} ${minute} ${document.documentElement.lang}`;
    if (stamp === this.stamp) return;
    if (!this.stamp.startsWith(alarm.id)) { this.figures.replaceChildren(); this.chart.root.hidden = true; }
    this.stamp = stamp;
    this.root.hidden = false;
    this.panel.isFixed = !isOpen(alarm);
    this.stop?.abort();
    this.stop = new AbortController();
    try {
      const answer = await this.fetch(alarm, this.stop.signal);
      if (this.stamp === stamp) { this.panel.told(answer); this.chart.root.hidden = false; }
    } catch (error) {
      if (error.name === "AbortError" || this.stamp !== stamp) return;
      this.stamp = "";
      try { this.panel.failed(error); } catch { document.dispatchEvent(new CustomEvent("session-over")); }
    }
  }

  async fetch(alarm, signal) {
    const metric = metricOf(alarm), span = spanOf(alarm), cell = cellOf(alarm), { raised, end, from, to } = span;
    const place = { plmn: alarm.plmn, bbox: inside(cell), level: cell.length };
    const parts = [["beforeIt", from, raised], ["duringIt", raised, Math.max(end, raised + 300000)], ["afterIt", end, to]]
      .filter(([name, begin, stop]) => (name !== "afterIt" || !isOpen(alarm)) && stop - begin >= 60000);
    const happened = eventOf(alarm);
    const rows = await Promise.all(parts.map(async ([name, begin, stop]) => {
      const cells = await ask("v1/cells.json", { ...place, metric, from: Math.round(begin), to: Math.round(stop) }, signal);
      return [name, begin, stop, cells.find((each) => each.quadkey === cell)];
    }));
    this.figures.replaceChildren(table([word(metric), word("median"), "95 %", "n", word("devices")], rows.map(([name, begin, stop, found]) => [
      h("span", {}, h("strong", {}, word(name)), h("br"), h("small", {}, `${timeText(begin)} – ${timeText(stop)}`)), valueText(metric, found?.value ?? null),
      found && found.interval_low !== null ? `${figure(metric, found.interval_low)} … ${figure(metric, found.interval_high)}` : "–",
      number(found?.samples ?? 0), `${found?.devices ?? (found ? `≥ ${found.devices_at_least}` : 0)}`]), { numeric: [1, 2, 3, 4], caption: word("evidence") }));
    const model = happened ? await this.counts(happened, place, cell, span, signal) : await this.course(metric, alarm, span, signal);
    this.chart.draw({ ...model, from, to, marks: [{ from: raised, to: end, kind: "alarm", text: word("duringIt") }] });
    return model.answer;
  }

  async course(metric, alarm, { from, to }, signal) {
    const answer = await series({ metric, plmn: alarm.plmn, quadkey: cellOf(alarm), from, to, bucket: bucketFor(from, to) }, signal);
    return { answer, title: word(metric), unit: unit(metric), text: (value) => number(value, Math.abs(value) < 10 ? 1 : 0), isFromZero: isFromZero(metric),
      series: [{ name: operatorName(alarm.plmn), points: answer.points }] };
  }

  /** How often it happened in the cell, by five minutes. */
  async counts(event, place, cell, { from, to }, signal) {
    const bucket = bucketFor(from, to), length = bucket === "5min" ? 300000 : 3600000;
    const answer = await ask("v1/events", { ...place, bucket, from: Math.round(from), to: Math.round(to) }, signal);
    const points = [];
    for (let begin = Math.floor(from / length) * length; begin < to; begin += length) points.push({ from: begin, to: begin + length, value: 0, n: 0, state: "ok" });
    for (const each of answer.events) {
      const point = each.event === event && each.quadkey === cell ? points.find(({ from: begin }) => begin === each.from_ms) : null;
      if (point) { point.value += each.n; point.n += each.n; point.devices = each.devices ?? each.devices_at_least; }
    }
    return { answer, title: word(`event.${event}`), unit: word(`event.${event}`), text: (value) => number(value, 0), isFromZero: true, isBars: true, isLegend: true,
      series: [{ name: word(`event.${event}`), points }] };
  }
}
