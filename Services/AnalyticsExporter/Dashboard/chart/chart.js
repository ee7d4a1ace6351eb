// A chart that can be looked into: by mouse and by keyboard, with a table of the same, as CSV and as PNG.

import { stamp, timeText } from "../support/clock.js";
import { csv, h, keep, put, table } from "../support/dom.js";
import { word } from "../support/words.js";
import { seriesColour, seriesDash, theme } from "./colours.js";
import { extent, layout, paint } from "./paint.js";

/** Charts that are painted anew for paper. */
const paper = new Set();
matchMedia("print").addEventListener("change", () => {
  for (const chart of paper) if (chart.root.isConnected) chart.paint(); else paper.delete(chart);
});

/**
 * A chart.
 *
 * Its model: `from`, `to` (Unix milliseconds), `unit`, `text(value)`, `isFromZero`, `isBars`, `threshold`, `marks`
 * (`{from, to, kind, text}`), and `series` (`{name, points}`) whose points are `{from, to, value, low, high, n, devices, state, complete}`
 * in the order of time; a value of null is a gap. `zoom(from, to)` is called when somebody has drawn over a part.
 */
export class Chart {
  constructor({ height = 300, zoom = null } = {}) {
    this.height = height;
    this.zoom = zoom;
    this.model = null;
    this.cursor = null;
    this.canvas = h("canvas", { class: "chart-canvas", tabIndex: 0, role: "img" });
    this.tip = h("div", { class: "chart-tip", hidden: true });
    this.band = h("div", { class: "chart-band", hidden: true });
    this.legend = h("ul", { class: "chart-legend" });
    this.said = h("p", { class: "unseen", "aria-live": "polite" });
    this.rows = h("details", { class: "chart-rows", on: { toggle: () => this.fillTable() } }, h("summary", { word: "asTableChart" }));
    this.area = h("div", { class: "chart-area" }, this.canvas, this.band, this.tip);
    this.root = h("figure", { class: "chart" }, this.legend, this.area, this.said, this.rows);
    new ResizeObserver(() => this.paint()).observe(this.area);
    for (const chart of paper) if (!chart.root.isConnected) paper.delete(chart);
    this.listen();
  }

  draw(model) {
    this.model = model;
    paper.add(this);
    this.canvas.ariaLabel = `${model.title}: ${model.series.map(({ name }) => name).join(", ")}`;
    this.legend.replaceChildren(...model.series.map(({ name }, index) => h("li", {}, this.swatch(index), h("span", {}, name))));
    this.legend.hidden = model.series.length < 2 && !model.isLegend;
    this.paint();
    if (this.rows.open) this.fillTable();
  }

  swatch(index) {
    const made = h("canvas", { width: 44, height: 16, class: "swatch" }), context = made.getContext("2d"), { isDark } = theme();
    context.scale(2, 2);
    context.strokeStyle = seriesColour(index, isDark);
    context.lineWidth = 3;
    context.setLineDash(seriesDash(index));
    context.beginPath();
    context.moveTo(0, 4);
    context.lineTo(22, 4);
    context.stroke();
    return made;
  }

  paint() {
    const width = this.area.clientWidth;
    if (!this.model || width === 0) return;
    const ratio = devicePixelRatio || 1, shown = theme(this.root), height = Math.round(this.height * shown.size);
    const place = layout({ ...this.model, ...extent(this.model.series, this.model) }, width, height, shown.size);
    Object.assign(this.canvas, { width: Math.round(width * ratio), height: Math.round(height * ratio) });
    this.canvas.style.height = `${height}px`;
    const context = this.canvas.getContext("2d");
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    paint(context, this.model, place, shown);
    this.place = place;
    this.showCursor();
  }

  /** The points of all series at a moment. */
  pointsAt(moment) {
    return this.model.series.map(({ name, points }) => {
      let [low, high] = [0, points.length - 1];
      while (low < high) {
        const half = (low + high) >> 1;
        if (points[half].to <= moment) low = half + 1; else high = half;
      }
      const point = points[low];
      return { name, point: point && point.from <= moment && moment < point.to ? point : null };
    });
  }

  listen() {
    let begun = null;
    const at = (event) => this.place.at(event.clientX - this.canvas.getBoundingClientRect().left);
    this.canvas.addEventListener("pointermove", (event) => {
      if (!this.model) return;
      this.cursor = at(event);
      this.showCursor();
      if (begun !== null) this.showBand(begun, this.cursor);
    });
    this.canvas.addEventListener("pointerleave", () => { this.cursor = null; this.showCursor(); });
    this.canvas.addEventListener("pointerdown", (event) => {
      if (!this.zoom || event.button !== 0) return;
      begun = at(event);
      this.canvas.setPointerCapture(event.pointerId);
    });
    this.canvas.addEventListener("pointerup", (event) => {
      if (begun === null) return;
      const [from, to] = [begun, at(event)].sort((a, b) => a - b);
      begun = null;
      this.band.hidden = true;
      if (this.place.x(to) - this.place.x(from) > 8) this.zoom(Math.max(from, this.model.from), Math.min(to, this.model.to));
    });
    this.canvas.addEventListener("keydown", (event) => this.step(event));
  }

  /** The arrows go from point to point and say each. */
  step(event) {
    const points = this.model?.series[0]?.points ?? [];
    if (!["ArrowLeft", "ArrowRight", "Home", "End"].includes(event.key) || points.length === 0) return;
    event.preventDefault();
    const now = this.cursor === null ? -1 : points.findIndex((point) => this.cursor < point.to);
    const next = { ArrowLeft: now - 1, ArrowRight: now + 1, Home: 0, End: points.length - 1 }[event.key];
    const point = points[Math.max(0, Math.min(points.length - 1, next))];
    this.cursor = (point.from + point.to) / 2;
    this.showCursor();
    put(this.said, [...this.tip.children].map((line) => line.textContent).join(". "));
  }

  showCursor() {
    const { cursor, model } = this;
    this.tip.hidden = cursor === null || cursor < model?.from || cursor > model?.to;
    if (this.tip.hidden) return;
    const found = this.pointsAt(cursor), first = found.find(({ point }) => point)?.point;
    if (!first) { this.tip.hidden = true; return; }
    const marks = (model.marks ?? []).filter((mark) => mark.from <= cursor && cursor < (mark.to ?? Infinity) && mark.text);
    this.tip.replaceChildren(h("strong", {}, `${timeText(first.from)} – ${timeText(first.to)}`),
      ...found.filter(({ point }) => point).map(({ name, point }) => h("div", {}, `${name}: ${this.describe(point)}`)),
      ...marks.map((mark) => h("em", {}, mark.text)));
    const x = this.place.x(cursor), isLeft = x > this.place.width / 2;
    this.tip.style.left = isLeft ? "" : `${x + 12}px`;
    this.tip.style.right = isLeft ? `${this.place.width - x + 12}px` : "";
  }

  describe(point) {
    const { text, unit } = this.model;
    if (point.value === null) return word("noValue");
    const parts = [`${text(point.value)} ${unit}`];
    if (point.low !== null && point.low !== undefined) parts.push(`95 %: ${text(point.low)} … ${text(point.high)}`);
    if (point.n !== undefined) parts.push(`n ${point.n}`);
    if (point.devices) parts.push(`${point.devices} ${word("devices").toLowerCase()}`);
    if (point.state && point.state !== "ok") parts.push(word(`cell.${point.state}`));
    if (point.complete === false) parts.push(word("mayGrow"));
    return parts.join(" · ");
  }

  showBand(from, to) {
    const [left, right] = [this.place.x(from), this.place.x(to)].sort((a, b) => a - b);
    const { inset } = this.place;
    this.band.hidden = false;
    this.band.style.left = `${Math.max(inset.left, left)}px`;
    this.band.style.width = `${right - Math.max(inset.left, left)}px`;
  }

  fillTable() {
    this.rows.querySelector(".scroll")?.remove();
    if (!this.rows.open || !this.model) return;
    const { series, text, unit } = this.model, most = 500;
    const lines = series.flatMap(({ name, points }) => points.slice(-most).map((point) => [timeText(point.from), name,
      point.value === null ? "–" : `${text(point.value)} ${unit}`,
      point.low === null || point.low === undefined ? "–" : `${text(point.low)} … ${text(point.high)}`, point.n === null ? "–" : `${point.n ?? "–"}`, point.devices ?? "–"]));
    this.rows.append(table([word("from"), word("series"), word("value"), "95 %", "n", word("devices")], lines, { numeric: [2, 3, 4, 5], caption: this.model.title }));
  }

  /** Everything that is drawn, and nothing else, in the API's units; what is drawn beside another period has its own times. */
  asCSV(head) {
    const rows = this.model.series.flatMap(({ name, points }) => points.map((point) => [name, stamp(point.raw?.from ?? point.from), stamp(point.raw?.to ?? point.to),
      point.raw?.value ?? point.value, point.raw?.low ?? point.low, point.raw?.high ?? point.high, point.n, point.devices, point.state, point.complete === undefined ? null : `${point.complete}`]));
    return csv([["series", "from", "to", head, "interval_low", "interval_high", "n", "devices", "state", "complete"], ...rows]);
  }

  /** The picture that is shown, with its title and its legend, as a file. */
  async keepPNG(name, lines) {
    const { card, ink, faint, font, isDark, size } = theme(this.root), ratio = (devicePixelRatio || 1) * size, row = 20;
    const height = row * (lines.length + 1) + 8, made = h("canvas", { width: this.canvas.width, height: this.canvas.height + Math.round(height * ratio) });
    const context = made.getContext("2d");
    context.fillStyle = card;
    context.fillRect(0, 0, made.width, made.height);
    context.scale(ratio, ratio);
    context.textBaseline = "middle";
    lines.forEach((text, index) => {
      context.font = `${index === 0 ? "600 15" : "12"}px ${font}`;
      context.fillStyle = index === 0 ? ink : faint;
      context.fillText(text, 12, 8 + row * (index + 0.5));
    });
    let x = 12;
    context.font = `12px ${font}`;
    this.model.series.forEach(({ name: title }, index) => {
      context.strokeStyle = seriesColour(index, isDark);
      context.lineWidth = 3;
      context.setLineDash(seriesDash(index));
      context.beginPath();
      context.moveTo(x, 8 + row * (lines.length + 0.5));
      context.lineTo(x + 22, 8 + row * (lines.length + 0.5));
      context.stroke();
      context.fillStyle = ink;
      context.fillText(title, x + 28, 8 + row * (lines.length + 0.5));
      x += 44 + context.measureText(title).width;
    });
    context.setTransform(1, 0, 0, 1, 0, 0);
    context.drawImage(this.canvas, 0, Math.round(height * ratio));
    keep(name, await new Promise((done) => { made.toBlob(done, "image/png"); }));
  }
}
