/** Small pieces of the page. */

export const find = (id) => document.getElementById(id);

/** An element with attributes and children; texts become text, never markup. */
export function element(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (value === undefined || value === false) continue;
    if (key === "onclick" || key === "onchange") made.addEventListener(key.slice(2), value);
    else made.setAttribute(key, value === true ? "" : value);
  }
  made.append(...children.filter((child) => child !== undefined));
  return made;
}

/** Tells something to eyes and to screen readers. */
export function tell(text, kind = "") {
  const notice = find("notice");
  notice.className = kind;
  notice.textContent = text;
}

/** A check box with its name, what it is for, and what happens without it. */
export function choice(id, title, text, isOn) {
  return element(
    "label", { class: "choice", for: id },
    element("input", { type: "checkbox", id, name: id, checked: isOn }),
    element("span", {}, element("b", {}, title), element("span", { class: "quiet" }, text)));
}

/** Runs an action of a button, which cannot be pressed meanwhile. */
export async function busy(button, action) {
  button.disabled = true;
  try {
    return await action();
  } finally {
    button.disabled = false;
  }
}
