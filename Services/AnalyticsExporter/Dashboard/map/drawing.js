// Drawing an area on the map with the mouse or a finger; Escape gives it up. By keyboard the part that is seen is the area.

/** `button`: switches drawing on and off; `drawn([west, south, east, north])`: called when an area was drawn. */
export function letDraw(map, button, drawn) {
  let begun = null, sketch = null;
  const isOn = () => button.getAttribute("aria-pressed") === "true";
  const turn = (on) => {
    button.setAttribute("aria-pressed", `${on}`);
    map.getContainer().classList.toggle("drawing", on);
    map.dragging[on ? "disable" : "enable"]();
    sketch?.remove();
    begun = sketch = null;
  };
  const place = (event) => map.mouseEventToLatLng(event);
  button.addEventListener("click", () => turn(!isOn()));
  const box = map.getContainer();
  box.addEventListener("pointerdown", (event) => {
    if (!isOn() || event.button !== 0 || event.target.closest(".leaflet-control")) return;
    begun = place(event);
    box.setPointerCapture(event.pointerId);
    sketch = L.rectangle([begun, begun], { className: "frame", interactive: false, fill: false, renderer: L.svg() }).addTo(map);
  });
  box.addEventListener("pointermove", (event) => { if (begun) sketch.setBounds(L.latLngBounds(begun, place(event))); });
  box.addEventListener("pointerup", (event) => {
    if (!begun) return;
    const bounds = L.latLngBounds(begun, place(event));
    turn(false);
    if (bounds.getEast() - bounds.getWest() > 1e-4 && bounds.getNorth() - bounds.getSouth() > 1e-4) {
      drawn([bounds.getWest(), bounds.getSouth(), bounds.getEast(), bounds.getNorth()]);
    }
  });
  box.addEventListener("keydown", (event) => { if (event.key === "Escape" && isOn()) turn(false); });
}
