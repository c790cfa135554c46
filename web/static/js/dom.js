// Small hands for building elements. Text is always set as text: a name can never become markup.
const SVG = "http://www.w3.org/2000/svg";

export const $ = (selector, root = document) => root.querySelector(selector);

function build(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes ?? {})) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (name === "text") element.textContent = value;
    else if (name === "vars") for (const [key, number] of Object.entries(value)) element.style.setProperty(key, number);
    else element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.flat(9).filter((child) => child !== null && child !== undefined && child !== false));
  return element;
}

export const h = (tag, attributes, ...children) => build(document.createElement(tag), attributes, children);
export const s = (tag, attributes, ...children) => build(document.createElementNS(SVG, tag), attributes, children);

const icons = new URL("../icons.svg", import.meta.url).pathname;
export const icon = (name) =>
  s("svg", { class: "icon", viewBox: "0 0 24 24", "aria-hidden": "true" }, s("use", { href: `${icons}#${name}` }));

export function toast(message) {
  const box = h("div", { class: "toast", text: message });
  $("#toasts").append(box);
  setTimeout(() => box.remove(), 5000);
}

// Replaces what an element holds, but leaves it alone where nothing changed, and keeps the focus where it was.
export function fill(element, key, make) {
  if (element.dataset.key === key) return;
  const focused = element.contains(document.activeElement) ? document.activeElement.dataset.focus : null;
  element.dataset.key = key;
  element.replaceChildren(...[make()].flat(9).filter(Boolean));
  if (focused) element.querySelector(`[data-focus="${CSS.escape(focused)}"]`)?.focus();
}

export const plural = (count, one, many = `${one}s`) => `${count} ${count === 1 ? one : many}`;
