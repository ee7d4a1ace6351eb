// Reads the cells of an answer beside the page: reading ten thousand would keep the pointer waiting.

/** Cells that are handed over at once. */
const slice = 400;

addEventListener("message", ({ data: { number, bytes } }) => {
  try {
    const { features, ...head } = JSON.parse(new TextDecoder().decode(bytes));
    for (let at = 0; at < features.length; at += slice) postMessage({ number, cells: features.slice(at, at + slice).map(({ properties }) => properties) });
    postMessage({ number, head });
  } catch { postMessage({ number, isUnreadable: true }); }
});
