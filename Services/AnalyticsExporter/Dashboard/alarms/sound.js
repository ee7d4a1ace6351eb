// A sound for each severity, so that one need not look to know how bad it is. Browsers allow it after a gesture only.

/** Pitch in Hz, begin and length in seconds: the worse, the higher, the more and the longer. */
const tunes = {
  critical: [[988, 0, 0.14], [740, 0.16, 0.14], [988, 0.32, 0.14], [740, 0.48, 0.14], [988, 0.64, 0.3]],
  major: [[784, 0, 0.16], [587, 0.2, 0.16], [784, 0.4, 0.26]],
  minor: [[587, 0, 0.16], [494, 0.2, 0.24]],
  warning: [[440, 0, 0.26]],
  indeterminate: [[392, 0, 0.1], [392, 0.16, 0.1]],
  cleared: [[523, 0, 0.12], [659, 0.14, 0.12], [784, 0.28, 0.3]],
};
const order = Object.keys(tunes);
const pause = 1400;

let context = null, wanted = localStorage.getItem("sound") === "on", waiting = null, quietUntil = 0;

export const isWanted = () => wanted;
/** Whether a sound would be heard now: wanted, and allowed by the browser. */
export const isOn = () => wanted && context?.state === "running";

/** Called from a gesture. */
export async function allow() {
  context ??= new AudioContext();
  if (context.state === "suspended") await context.resume().catch(() => {});
}

export async function want(on) {
  wanted = on;
  localStorage.setItem("sound", on ? "on" : "off");
  if (on) await allow();
}

/** Plays a severity's tune and tells it by an event; of those that come while one plays only the worst follows. */
export function play(severity) {
  if (!isOn()) return;
  const left = quietUntil - Date.now();
  if (left <= 0) return sound(severity);
  if (waiting) {
    if (order.indexOf(severity) < order.indexOf(waiting)) waiting = severity;
    return;
  }
  waiting = severity;
  setTimeout(() => { const next = waiting; waiting = null; if (isOn()) sound(next); }, left);
}

function sound(severity) {
  quietUntil = Date.now() + pause;
  for (const [pitch, begin, length] of tunes[severity] ?? tunes.indeterminate) {
    const tone = context.createOscillator(), volume = context.createGain(), at = context.currentTime + begin;
    tone.type = severity === "critical" ? "square" : "triangle";
    tone.frequency.value = pitch;
    volume.gain.setValueAtTime(0, at);
    volume.gain.linearRampToValueAtTime(severity === "critical" ? 0.12 : 0.25, at + 0.02);
    volume.gain.linearRampToValueAtTime(0, at + length);
    tone.connect(volume).connect(context.destination);
    tone.start(at);
    tone.stop(at + length);
  }
  document.dispatchEvent(new CustomEvent("sounded", { detail: severity }));
}
