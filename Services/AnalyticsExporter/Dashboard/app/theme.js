// Light, dark, or as the system says; kept in this browser.

import { $ } from "../support/dom.js";
import { word } from "../support/words.js";

const order = ["", "light", "dark"];
const signs = { "": "◐", light: "☀", dark: "☾" };
let theme = order.includes(localStorage.getItem("theme")) ? localStorage.getItem("theme") : "";

export function showTheme() {
  document.documentElement.dataset.theme = theme;
  $("theme").textContent = signs[theme];
  $("theme").title = `${word("theme")}: ${word(`theme.${theme || "system"}`)}`;
  $("theme").ariaLabel = $("theme").title;
}

export function nextTheme() {
  theme = order[(order.indexOf(theme) + 1) % order.length];
  localStorage.setItem("theme", theme);
  showTheme();
}
