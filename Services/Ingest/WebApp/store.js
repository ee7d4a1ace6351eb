/* What this phone keeps: settings, and records until they are sent. Loaded by the page and by the service worker. */
"use strict";

globalThis.nkul = globalThis.nkul || {};

nkul.store = (() => {
  let opening;

  function open() {
    opening ??= new Promise((resolve, reject) => {
      const request = indexedDB.open("nkul", 1);
      request.onupgradeneeded = () => {
        request.result.createObjectStore("settings");
        request.result.createObjectStore("outbox", { keyPath: "id" });
      };
      request.onsuccess = () => {
        // Another tab may want a newer form, or to erase everything.
        request.result.onversionchange = () => { request.result.close(); opening = undefined; };
        resolve(request.result);
      };
      request.onerror = () => { opening = undefined; reject(request.error); };
    });
    return opening;
  }

  /** Runs `body` in a transaction and returns its result once that is on disk. */
  async function run(name, mode, body) {
    const database = await open();
    return new Promise((resolve, reject) => {
      const transaction = database.transaction(name, mode, { durability: "strict" });
      const request = body(transaction.objectStore(name));
      transaction.oncomplete = () => resolve(request.result);
      transaction.onabort = () => reject(transaction.error);
    });
  }

  return {
    get: (key) => run("settings", "readonly", (store) => store.get(key)),
    set: (key, value) => run("settings", "readwrite", (store) => store.put(value, key)),
    /** Keeps a record until it is sent. */
    keep: (record) => run("outbox", "readwrite", (store) => store.put(record)),
    kept: () => run("outbox", "readonly", (store) => store.getAll()),
    count: () => run("outbox", "readonly", (store) => store.count()),
    drop: (ids) => run("outbox", "readwrite", (store) => {
      for (const id of ids) store.delete(id);
      return store.count();
    }),
    async forget() {
      await run("settings", "readwrite", (store) => store.clear());
      await run("outbox", "readwrite", (store) => store.clear());
    },
  };
})();
