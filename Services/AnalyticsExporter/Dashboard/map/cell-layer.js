// All cells on one canvas: ten thousand of them are drawn in a few milliseconds, and the one under the pointer is found by
// its name instead of by trying all.

/** Width of the lines of hatching, in pixels of the screen. */
const stripe = 7;

/** What is drawn of a cell: its colour, and by its state how: `ok` full, `low_density` hatched, `dominated` thin with a dot. */
function paintCell(context, cell, left, top, width, height, hatching) {
  const { state, fill } = cell;
  context.fillStyle = fill;
  context.globalAlpha = state === "dominated" ? 0.35 : 0.8;
  context.fillRect(left, top, width, height);
  context.globalAlpha = 1;
  if (state === "low_density") {
    context.fillStyle = hatching;
    context.fillRect(left, top, width, height);
  }
  if (width < 4) return;
  context.strokeStyle = fill;
  context.lineWidth = 1;
  context.strokeRect(left + 0.5, top + 0.5, width - 1, height - 1);
  if (state !== "dominated" || width < 10) return;
  context.fillStyle = fill;
  context.beginPath();
  context.arc(left + width / 2, top + height / 2, Math.min(4, width / 6), 0, 2 * Math.PI);
  context.fill();
}

function hatch(context, isDark) {
  const tile = document.createElement("canvas");
  tile.width = tile.height = stripe;
  const pen = tile.getContext("2d");
  pen.strokeStyle = isDark ? "rgb(20 22 28 / .75)" : "rgb(255 255 255 / .8)";
  pen.lineWidth = 2;
  pen.beginPath();
  for (const shift of [-stripe, 0, stripe]) { pen.moveTo(shift, stripe); pen.lineTo(shift + stripe, 0); }
  pen.stroke();
  return context.createPattern(tile, "repeat");
}

/** West, north, east and south of a cell as parts of the world's square. */
function square(quadkey) {
  let x = 0, y = 0;
  for (const digit of quadkey) { x = x * 2 + (digit & 1); y = y * 2 + (digit >> 1); }
  const size = 2 ** quadkey.length;
  return [x / size, y / size, (x + 1) / size, (y + 1) / size];
}

/** The layer; `isDark()`: whether the page is. */
export function makeCellLayer(isDark) {
  const Cells = L.Renderer.extend({
    options: { padding: 0.25 },
    _initContainer() { this._container = L.DomUtil.create("canvas", "cells"); },
    _destroyContainer() { this._container.remove(); delete this._container; },
    _updatePaths() {},
    _update() {
      if (!this._map || (this._map._animatingZoom && this._bounds)) return;
      L.Renderer.prototype._update.call(this);
      const size = this._bounds.getSize(), ratio = devicePixelRatio || 1;
      L.DomUtil.setPosition(this._container, this._bounds.min);
      Object.assign(this._container, { width: size.x * ratio, height: size.y * ratio });
      this._container.style.width = `${size.x}px`;
      this._container.style.height = `${size.y}px`;
      this.paint();
    },
    paint() {
      if (!this._map || !this._bounds) return;
      const context = this._container.getContext("2d"), ratio = devicePixelRatio || 1, size = this._bounds.getSize();
      const scale = 256 * 2 ** this._map.getZoom(), origin = this._map.getPixelOrigin().add(this._bounds.min);
      context.setTransform(ratio, 0, 0, ratio, 0, 0);
      context.clearRect(0, 0, size.x, size.y);
      const hatching = hatch(context, isDark());
      for (const cell of this.cells.values()) {
        const [west, north, east, south] = cell.square, left = Math.round(west * scale - origin.x), top = Math.round(north * scale - origin.y);
        const right = Math.round(east * scale - origin.x), bottom = Math.round(south * scale - origin.y);
        if (right < 0 || bottom < 0 || left > size.x || top > size.y || cell.fill === null) continue;
        paintCell(context, cell, left, top, Math.max(1, right - left), Math.max(1, bottom - top), hatching);
      }
    },
    cells: new Map(),
    levels: [],
    /** `found`: `{quadkey, state, fill, properties}` of each; a `fill` of null leaves it blank. */
    show(found) {
      this.cells = new Map(found.map((cell) => [cell.quadkey, { ...cell, square: square(cell.quadkey) }]));
      this.levels = [...new Set(found.map(({ quadkey }) => quadkey.length))].sort((a, b) => b - a);
      this.paint();
    },
    /** The finest cell at a place; undefined if there is none. */
    at({ lat, lng }) {
      const x = (((lng + 180) / 360) % 1 + 1) % 1, y = 0.5 - Math.asinh(Math.tan((lat * Math.PI) / 180)) / (2 * Math.PI);
      for (const level of this.levels) {
        const column = Math.floor(x * 2 ** level), row = Math.floor(y * 2 ** level);
        let quadkey = "";
        for (let bit = level - 1; bit >= 0; bit -= 1) quadkey += `${((column >> bit) & 1) + 2 * ((row >> bit) & 1)}`;
        const cell = this.cells.get(quadkey);
        if (cell) return cell;
      }
      return undefined;
    },
  });
  return new Cells();
}
