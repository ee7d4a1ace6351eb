// The worker that shows what the notifier pushes to this browser (docs/channels.md), also while no page is open.

addEventListener("push", (event) => {
  const { title, body, severity, alarm } = event.data?.json() ?? {};
  event.waitUntil(registration.showNotification(title ?? "Nkul", { body, tag: alarm, renotify: Boolean(alarm), icon: "icon.svg", data: { alarm },
    requireInteraction: severity === "critical" }));
});

/** A page that is open shows the alarm; else one is opened. */
addEventListener("notificationclick", (event) => {
  event.notification.close();
  const { alarm } = event.notification.data ?? {}, address = new URL(`./#/now${alarm ? `?alarm=${encodeURIComponent(alarm)}` : ""}`, registration.scope).href;
  event.waitUntil((async () => {
    const [page] = await clients.matchAll({ type: "window" });
    if (!page) return clients.openWindow(address);
    await page.focus();
    return page.navigate(address);
  })());
});
