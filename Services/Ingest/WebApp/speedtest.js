/** A test of the connection: latency while nothing is sent, a download with the latency beside it, an upload. By ndt7 and the latency
    echo of the server (docs/speedtests.md). Takes no more bytes than it was given. */

const ndt7 = "net.measurementlab.ndt.v7", echo = "nkul.echo.v1";
/** Of the budget, what the download may take; the rest is for the upload, but for a little that the echo takes. */
const downloadShare = 0.7, echoBytes = 20_000;
const longest = 10_000, pause = 100, idlePings = 12, patience = 5_000;

const address = (path) => `${location.protocol === "https:" ? "wss" : "ws"}://${location.host}${path}`;

export const median = (values) => {
  const sorted = [...values].sort((a, b) => a - b), middle = sorted.length >> 1;
  return sorted.length % 2 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
};

/** How much one round trip differs from the next, on average. */
export const jitter = (values) =>
  values.slice(1).reduce((sum, value, index) => sum + Math.abs(value - values[index]), 0) / Math.max(1, values.length - 1);

/** Opens a WebSocket; rejects if the server will not have it. */
function open(path, protocol, signal) {
  return new Promise((resolve, reject) => {
    if (signal.aborted) throw new Error("stopped");
    const socket = new WebSocket(address(path), protocol);
    socket.binaryType = "arraybuffer";
    const late = setTimeout(() => { socket.close(); reject(new Error("late")); }, patience);
    signal.addEventListener("abort", () => { socket.close(); reject(new Error("stopped")); });
    socket.addEventListener("open", () => { clearTimeout(late); resolve(socket); }, { once: true });
    socket.addEventListener("error", () => { clearTimeout(late); reject(new Error("refused")); }, { once: true });
  });
}

/** Sends something small and waits for it, again and again until `isOver`. Returns milliseconds of each round trip, and the bytes that all took. */
async function pings(isOver, signal) {
  const socket = await open("/v1/echo", echo, signal), times = [];
  let number = 0, bytes = 0;
  while (!isOver(times.length) && !signal.aborted && socket.readyState === WebSocket.OPEN) {
    const text = String(++number), began = performance.now();
    const isBack = await new Promise((resolve) => {
      const late = setTimeout(() => resolve(false), patience);
      socket.onmessage = (message) => { if (message.data === text) { clearTimeout(late); resolve(true); } };
      socket.onclose = () => { clearTimeout(late); resolve(false); };
      socket.send(text);
    });
    if (!isBack) break;
    times.push(performance.now() - began);
    // Frames, TCP and IP, both ways.
    bytes += 2 * (text.length + 50);
    await new Promise((resolve) => setTimeout(resolve, pause));
  }
  socket.close();
  return { times, bytes };
}

/** Reads until the server ends the test, which it does at so many bytes or after ten seconds. */
async function download(most, signal, tell) {
  const socket = await open(`/ndt/v7/download?bytes=${most}`, ndt7, signal);
  return new Promise((resolve) => {
    let bytes = 0, began = performance.now(), last = began;
    socket.onmessage = ({ data }) => {
      if (typeof data === "string") return;
      bytes += data.byteLength;
      last = performance.now();
      tell(bytes);
    };
    const end = setTimeout(() => socket.close(), longest + 3_000);
    socket.onclose = () => { clearTimeout(end); resolve({ bytes, milliseconds: last - began }); };
  });
}

/** Sends until so many bytes went or ten seconds have passed; the server counts what came. */
async function upload(most, signal, tell) {
  const socket = await open("/ndt/v7/upload", ndt7, signal), block = new Uint8Array(Math.min(65_536, most));
  crypto.getRandomValues(block);
  let counted = { bytes: 0, milliseconds: 0 };
  socket.onmessage = ({ data }) => {
    if (typeof data !== "string") return;
    try {
      const { NumBytes, ElapsedTime } = JSON.parse(data).AppInfo;
      if (NumBytes > counted.bytes) counted = { bytes: NumBytes, milliseconds: ElapsedTime / 1000 };
    } catch { /* what cannot be read tells nothing */ }
  };
  const began = performance.now();
  let sent = 0;
  while (sent < most && performance.now() - began < longest && socket.readyState === WebSocket.OPEN && !signal.aborted) {
    // The browser takes everything at once: what it has not sent yet is waited for.
    if (socket.bufferedAmount > 4 * block.length) {
      await new Promise((resolve) => setTimeout(resolve, 10));
      continue;
    }
    const size = Math.min(block.length, most - sent);
    socket.send(block.subarray(0, size));
    sent += size;
    tell(sent);
  }
  // It tells how it stands four times a second.
  const end = performance.now() + patience;
  while (counted.bytes < sent && performance.now() < end && socket.readyState === WebSocket.OPEN && !signal.aborted) {
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  socket.close();
  return { ...counted, sent };
}

const kbps = ({ bytes, milliseconds }) => (milliseconds > 0 ? Math.round((bytes * 8) / milliseconds) : undefined);

/** Measures with at most `budget` bytes; `tell(stage, share)` hears how far it is. Returns the fields of a report. */
export async function measure(budget, signal, tell) {
  const began = performance.now(), result = { test_method: "ndt7" };
  let bytes = 0;
  tell("latency", 0);
  const idle = await pings((count) => count >= idlePings, signal).catch(() => ({ times: [], bytes: 0 }));
  bytes += idle.bytes;
  if (idle.times.length > 2) {
    // The first one finds the way.
    const times = idle.times.slice(1);
    result.latency_ms = median(times);
    result.jitter_ms = jitter(times);
    result.test_min_rtt_ms = Math.min(...times);
  }
  const most = Math.floor((budget - echoBytes) * downloadShare);
  let isDone = false;
  const beside = pings(() => isDone, signal).catch(() => ({ times: [], bytes: 0 }));
  const down = await download(most, signal, (count) => tell("download", count / most)).finally(() => { isDone = true; });
  const loaded = await beside;
  bytes += down.bytes + loaded.bytes;
  result.download_kbps = kbps(down);
  if (loaded.times.length > 1) result.test_loaded_rtt_ms = median(loaded.times.slice(1));
  const rest = Math.max(0, budget - echoBytes - most);
  const up = await upload(rest, signal, (count) => tell("upload", count / rest));
  bytes += up.sent;
  result.upload_kbps = kbps(up);
  result.test_bytes = bytes;
  result.test_duration_ms = Math.round(performance.now() - began);
  for (const name of ["latency_ms", "jitter_ms", "test_min_rtt_ms", "test_loaded_rtt_ms"]) {
    if (result[name] !== undefined) result[name] = Math.round(result[name] * 10) / 10;
  }
  if (signal.aborted) throw new Error("stopped");
  return Object.fromEntries(Object.entries(result).filter(([, value]) => value !== undefined));
}
