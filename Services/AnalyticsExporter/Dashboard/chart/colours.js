// Colours of series: those of Okabe and Ito, which colour-blind eyes tell apart, each with a dash of its own.

const light = ["#0072b2", "#d55e00", "#007a5a", "#a8507f", "#8a6d00", "#333333", "#3a86a8", "#7a4a00"];
const dark = ["#5ab4f0", "#ff9a4d", "#3fd6a6", "#f09ac4", "#f0d34a", "#dddddd", "#8ad0ee", "#d9a05a"];
const dashes = [[], [7, 3], [2, 3], [9, 3, 2, 3], [4, 4], [12, 4], [1, 2], [6, 2, 2, 2]];

/** What the style sheet says now, also in print. */
export function theme(element = document.documentElement) {
  const style = getComputedStyle(element), value = (name) => style.getPropertyValue(name).trim();
  const probe = document.createElement("i");
  element.append(probe);
  const colour = (name) => { probe.style.color = `var(${name})`; return getComputedStyle(probe).color; };
  const found = { ink: colour("--ink"), faint: colour("--faint"), line: colour("--line"), card: colour("--card"), accent: colour("--accent"),
    critical: colour("--critical"), amber: colour("--amber"), font: value("font-family") || getComputedStyle(document.body).fontFamily };
  probe.remove();
  found.isDark = luminance(found.card) < 0.4;
  // On screens of many pixels letters grow; they never become smaller than 12 pixels.
  found.size = Math.max(1, parseFloat(getComputedStyle(document.documentElement).fontSize) / 16);
  return found;
}

function luminance(css) {
  const [red, green, blue] = (css.match(/[\d.]+/g) ?? [255, 255, 255]).map(Number);
  return (0.2126 * red + 0.7152 * green + 0.0722 * blue) / 255;
}

export const seriesColour = (index, isDark) => (isDark ? dark : light)[index % light.length];
export const seriesDash = (index) => dashes[index % dashes.length];
