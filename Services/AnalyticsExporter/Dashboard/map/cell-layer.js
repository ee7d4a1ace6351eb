// All cells on one canvas. Those of a level are an image with a pixel each, which is drawn in one go however many they are; the one
// under the pointer is found by its column and row.

/** Width of the lines of hatching, in pixels of the screen. */
const stripe = 7;
/** Most pixels of an image; cells that lie farther apart are drawn one by one. */
const mostPixels = 4e6;
/** More cells in view than these have no outlines: they are too small for that. */
const mostOutlined = 1500;
const opacity = { dominated: 0.35 }, usual = 0.8;

const css = ([red, green, blue]) => `rgb(${red} ${green} ${blue})`;

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

/** Column and row of a cell within its level. */
function placeOf(quadkey) {
  let x = 0, y = 0;
  for (let index = 0; index < quadkey.length; index += 1) {
    const digit = quadkey.charCodeAt(index) - 48;
    x = x * 2 + (digit & 1);
    y = y * 2 + (digit >> 1);
  }
  return [x, y];
}

/** The number of a cell within its level: columns and rows have 20 bits at most. */
const numberOf = (x, y) => x * 1048576 + y;

/** The cells of a level: by their number, in a box of columns and rows, and as an image if that is not too great. */
class Level {
  constructor(level, cells) {
    this.level = level;
    this.cells = new Map(cells.map((cell) => [numberOf(cell.x, cell.y), cell]));
    this.drawn = cells.filter(({ fill }) => fill !== null);
    const [xs, ys] = [cells.map(({ x }) => x), cells.map(({ y }) => y)];
    this.left = xs.reduce((a, b) => Math.min(a, b), Infinity);
    this.top = ys.reduce((a, b) => Math.min(a, b), Infinity);
    this.width = xs.reduce((a, b) => Math.max(a, b), 0) - this.left + 1;
    this.height = ys.reduce((a, b) => Math.max(a, b), 0) - this.top + 1;
    this.image = this.width * this.height <= mostPixels ? this.makeImage() : null;
  }

  makeImage() {
    const image = document.createElement("canvas"), pixels = new ImageData(this.width, this.height), { data } = pixels;
    for (const { x, y, fill, state } of this.drawn) {
      const at = 4 * ((y - this.top) * this.width + x - this.left);
      [data[at], data[at + 1], data[at + 2], data[at + 3]] = [...fill, Math.round(255 * (opacity[state] ?? usual))];
    }
    Object.assign(image, { width: this.width, height: this.height });
    image.getContext("2d").putImageData(pixels, 0, 0);
    return image;
  }

  /** `edge(column)` and `brow(row)`: where they begin on the canvas; `size`: of the canvas. */
  paint(context, edge, brow, size, hatching) {
    const cellsOf = (from, to, length, place) => {
      const one = place(from + 1) - place(from), first = Math.max(0, Math.floor(-place(from) / one)), last = Math.min(to - from, Math.ceil((length - place(from)) / one));
      return [first, last - first];
    };
    const [column, columns] = cellsOf(this.left, this.left + this.width, size.x, edge), [row, rows] = cellsOf(this.top, this.top + this.height, size.y, brow);
    if (columns <= 0 || rows <= 0) return;
    if (this.image) {
      const x = edge(this.left + column), y = brow(this.top + row);
      context.imageSmoothingEnabled = false;
      context.drawImage(this.image, column, row, columns, rows, x, y, edge(this.left + column + columns) - x, brow(this.top + row + rows) - y);
    }
    const isSeen = ({ x, y }) => x >= this.left + column && x < this.left + column + columns && y >= this.top + row && y < this.top + row + rows;
    this.paintStates(context, this.drawn.filter(isSeen), edge, brow, hatching);
  }

  /** What an image cannot say of cells: hatching, dots, outlines; and all of them where there is none. */
  paintStates(context, seen, edge, brow, hatching) {
    const boxOf = ({ x, y }) => {
      const [left, top] = [Math.round(edge(x)), Math.round(brow(y))];
      return [left, top, Math.max(1, Math.round(edge(x + 1)) - left), Math.max(1, Math.round(brow(y + 1)) - top)];
    };
    if (!this.image) {
      for (const cell of seen) {
        context.globalAlpha = opacity[cell.state] ?? usual;
        context.fillStyle = css(cell.fill);
        context.fillRect(...boxOf(cell));
      }
      context.globalAlpha = 1;
    }
    context.fillStyle = hatching;
    for (const cell of seen) if (cell.state === "low_density") context.fillRect(...boxOf(cell));
    const width = edge(this.left + 1) - edge(this.left);
    if (width >= 10) dots(context, seen.filter(({ state }) => state === "dominated").map((cell) => [boxOf(cell), cell.fill]));
    if (width < 4 || seen.length > mostOutlined) return;
    context.lineWidth = 1;
    for (const cell of seen) {
      const [left, top, across, down] = boxOf(cell);
      context.strokeStyle = css(cell.fill);
      context.strokeRect(left + 0.5, top + 0.5, across - 1, down - 1);
    }
  }
}

function dots(context, boxes) {
  if (boxes.length === 0) return;
  context.fillStyle = css(boxes[0][1]);
  context.beginPath();
  for (const [[left, top, width, height]] of boxes) {
    const x = left + width / 2, y = top + height / 2, radius = Math.min(4, width / 6);
    context.moveTo(x + radius, y);
    context.arc(x, y, radius, 0, 2 * Math.PI);
  }
  context.fill();
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
      const size = this._bounds.getSize(), ratio = devicePixelRatio || 1, [width, height] = [Math.round(size.x * ratio), Math.round(size.y * ratio)];
      L.DomUtil.setPosition(this._container, this._bounds.min);
      if (this._container.width !== width || this._container.height !== height) {
        Object.assign(this._container, { width, height });
        this._container.style.width = `${size.x}px`;
        this._container.style.height = `${size.y}px`;
      }
      this.paint();
    },
    paint() {
      if (!this._map || !this._bounds) return;
      const context = this._container.getContext("2d"), ratio = devicePixelRatio || 1, size = this._bounds.getSize();
      const scale = 256 * 2 ** this._map.getZoom(), origin = this._map.getPixelOrigin().add(this._bounds.min);
      context.setTransform(ratio, 0, 0, ratio, 0, 0);
      context.clearRect(0, 0, size.x, size.y);
      const hatching = hatch(context, isDark());
      for (const one of this.levels) {
        const width = scale / 2 ** one.level;
        one.paint(context, (column) => column * width - origin.x, (row) => row * width - origin.y, size, hatching);
      }
    },
    /** From the finest to the coarsest. */
    levels: [],
    /** `found`: `{quadkey, state, fill, properties}` of each; `fill` is red, green and blue, or null: then it is left blank. */
    show(found) {
      const cells = found.map((cell) => { const [x, y] = placeOf(cell.quadkey); return { ...cell, x, y }; });
      this.levels = [...Map.groupBy(cells, ({ quadkey }) => quadkey.length)].sort(([a], [b]) => b - a).map(([level, all]) => new Level(level, all));
      this.paint();
    },
    /** The finest cell at a place; undefined if there is none. */
    at({ lat, lng }) {
      const x = (((lng + 180) / 360) % 1 + 1) % 1, y = 0.5 - Math.asinh(Math.tan((lat * Math.PI) / 180)) / (2 * Math.PI);
      for (const { level, cells } of this.levels) {
        const cell = cells.get(numberOf(Math.floor(x * 2 ** level), Math.floor(y * 2 ** level)));
        if (cell) return cell;
      }
      return undefined;
    },
  });
  return new Cells();
}
