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
  constructor(level) {
    Object.assign(this, { level, cells: new Map(), drawn: [], left: Infinity, top: Infinity, right: 0, bottom: 0, image: null });
  }

  get width() { return this.right - this.left; }
  get height() { return this.bottom - this.top; }

  add(cell) {
    const { x, y } = cell;
    this.cells.set(numberOf(x, y), cell);
    if (cell.fill !== null) this.drawn.push(cell);
    [this.left, this.top] = [Math.min(this.left, x), Math.min(this.top, y)];
    [this.right, this.bottom] = [Math.max(this.right, x + 1), Math.max(this.bottom, y + 1)];
  }

  /** Once all cells are there. */
  finish() {
    if (this.width * this.height > mostPixels) return;
    const image = document.createElement("canvas"), pixels = new ImageData(this.width, this.height), { data } = pixels;
    for (const { x, y, fill, state } of this.drawn) {
      const at = 4 * ((y - this.top) * this.width + x - this.left);
      data[at] = fill[0];
      data[at + 1] = fill[1];
      data[at + 2] = fill[2];
      data[at + 3] = Math.round(255 * (opacity[state] ?? usual));
    }
    Object.assign(image, { width: this.width, height: this.height });
    image.getContext("2d").putImageData(pixels, 0, 0);
    this.image = image;
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

/** Cells on their way to the layer. */
export class GatheredCells {
  constructor() { this.byLevel = new Map(); }

  /** `fill` is red, green and blue, or null: then it is left blank. */
  add(quadkey, state, fill, properties) {
    const [x, y] = placeOf(quadkey), level = quadkey.length;
    if (!this.byLevel.has(level)) this.byLevel.set(level, new Level(level));
    this.byLevel.get(level).add({ x, y, state, fill, properties });
  }

  levels() {
    const found = [...this.byLevel.values()].sort((a, b) => b.level - a.level);
    for (const one of found) one.finish();
    return found;
  }
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
    /** Draws what was gathered, in place of what was there. */
    show(gathered) {
      this.levels = gathered.levels();
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
