// The page's words in English and French.

const english = {
  subtitle: "mobile quality of experience", skipToAlarms: "Skip to alarms", recordingClock: "Clock of the recording",
  logIn: "Log in", logOut: "Log out", token: "Token",
  tokenHint: "The regulator’s token is in the file keys/regulator.token of the home.",
  badToken: "This token is not known.", tooManyLogins: "Several tokens were wrong. Wait a moment before the next.", offline: "The exporter does not answer.", filters: "Filters", map: "Map",
  metric: "Metric", operator: "Operator", technology: "Technology", period: "Period", from: "From", to: "To",
  cellSize: "Cells", auto: "by zoom", level: "level", showAll: "Show all data", alarms: "Alarms", noAlarms: "No alarms.",
  asTable: "Cells in view as a table", cell: "Cell", median: "Median", samples: "Samples", devices: "Devices", devicesOne: "device", samplesOne: "sample", cellsOne: "cell",
  all: "All", unknown: "unknown", loading: "Loading…", noCells: "No measurements here in this period.",
  cells: "cells", live: "live", reconnecting: "reconnecting…", atLeast: "at least",
  leafletMissing: "The map library is missing. Install the package libjs-leaflet on the server "
    + "(or set NKUL_EXPORTER_LEAFLET to its directory) and reload. Alarms and the table work without it.",
  hour: "Last hour", hours6: "Last 6 hours", day: "Last 24 hours", days3: "Last 3 days", days8: "Last 8 days",
  custom: "From … to …", noData: "No values of this metric", noInterval: "No interval yet", others: "our own scale",
  critical: "critical", major: "major", minor: "minor", warning: "warning", indeterminate: "indeterminate",
  cleared: "cleared", download_kbps: "Download", upload_kbps: "Upload", latency_ms: "Latency", jitter_ms: "Jitter",
  loss_pct: "Packet loss", rsrp_dbm: "Signal (RSRP)", rsrq_db: "Signal quality (RSRQ)", sinr_db: "SINR",
  rssi_dbm: "Signal (RSSI)", rating: "Rating",
};

const french = {
  subtitle: "qualité d’expérience mobile", skipToAlarms: "Aller aux alarmes", recordingClock: "Horloge de l’enregistrement",
  logIn: "Se connecter", logOut: "Se déconnecter", token: "Jeton",
  tokenHint: "Le jeton du régulateur est dans le fichier keys/regulator.token du dossier de données.",
  badToken: "Ce jeton est inconnu.", tooManyLogins: "Plusieurs jetons étaient faux. Attendez un peu avant le suivant.", offline: "Le serveur ne répond pas.", filters: "Filtres", map: "Carte",
  metric: "Mesure", operator: "Opérateur", technology: "Technologie", period: "Période", from: "Du", to: "Au",
  cellSize: "Cellules", auto: "selon le zoom", level: "niveau", showAll: "Tout montrer", alarms: "Alarmes",
  noAlarms: "Aucune alarme.", asTable: "Les cellules visibles en tableau", cell: "Cellule", median: "Médiane",
  samples: "Mesures", devices: "Appareils", devicesOne: "appareil", samplesOne: "mesure", cellsOne: "cellule", all: "Tous", unknown: "inconnu", loading: "Chargement…",
  noCells: "Aucune mesure ici pendant cette période.", cells: "cellules", live: "en direct",
  reconnecting: "reconnexion…", atLeast: "au moins",
  leafletMissing: "La bibliothèque de cartes manque. Installez le paquet libjs-leaflet sur le serveur "
    + "(ou donnez son dossier par NKUL_EXPORTER_LEAFLET) et rechargez. Les alarmes et le tableau marchent sans elle.",
  hour: "Dernière heure", hours6: "6 dernières heures", day: "24 dernières heures", days3: "3 derniers jours",
  days8: "8 derniers jours", custom: "Du … au …", noData: "Aucune valeur de cette mesure",
  noInterval: "Pas encore d’intervalle", others: "échelle propre", critical: "critique", major: "majeure",
  minor: "mineure", warning: "avertissement", indeterminate: "indéterminée", cleared: "terminée",
  download_kbps: "Réception", upload_kbps: "Émission", latency_ms: "Latence", jitter_ms: "Gigue",
  loss_pct: "Pertes de paquets", rsrp_dbm: "Signal (RSRP)", rsrq_db: "Qualité du signal (RSRQ)", sinr_db: "SINR",
  rssi_dbm: "Signal (RSSI)", rating: "Note",
};

const dictionaries = { en: english, fr: french };
let language = localStorage.getItem("language") ?? (navigator.language.startsWith("fr") ? "fr" : "en");

export const word = (key) => dictionaries[language][key] ?? key;
export const locale = () => (language === "fr" ? "fr-CM" : "en-GB");
export const number = (value, digits = 0) =>
  new Intl.NumberFormat(locale(), { maximumFractionDigits: digits }).format(value);

/** "1 device", "2 devices": the word of a count, by its plural rule. */
export const counted = (count, key) =>
  `${number(count)} ${word(new Intl.PluralRules(locale()).select(count) === "one" ? `${key}One` : key).toLowerCase()}`;

/** Writes the words of the chosen language into every element that names one. */
export function translate() {
  document.documentElement.lang = language;
  for (const element of document.querySelectorAll("[data-word]")) element.textContent = word(element.dataset.word);
  for (const element of document.querySelectorAll("[data-word-label]")) {
    element.setAttribute("aria-label", word(element.dataset.wordLabel));
  }
  const button = document.getElementById("language");
  button.textContent = language === "fr" ? "English" : "Français";
  button.lang = language === "fr" ? "en" : "fr";
}

export function switchLanguage() {
  language = language === "fr" ? "en" : "fr";
  localStorage.setItem("language", language);
  translate();
}

/** "3 min ago" in the chosen language; the finest unit is the second. */
export function ago(milliseconds) {
  const format = new Intl.RelativeTimeFormat(locale(), { numeric: "auto", style: "short" });
  const seconds = Math.round(milliseconds / 1000);
  if (seconds < 60) return format.format(-seconds, "second");
  if (seconds < 3600) return format.format(-Math.round(seconds / 60), "minute");
  if (seconds < 86400) return format.format(-Math.round(seconds / 3600), "hour");
  return format.format(-Math.round(seconds / 86400), "day");
}
