// Small helpers for HTML and SVG. Styles are set as properties, since the
// server's Content-Security-Policy forbids style attributes.

/**
 * @typedef {Node | string | number | null | undefined | false} Child
 * @typedef {Record<string, unknown>} Attributes
 *   `onclick: function` listens; `class`, `for`, `aria-label` … as in HTML; `true` sets an empty
 *   attribute, `false`, `null` and `undefined` none; `style: { left: '3px' }` sets properties;
 *   `value` and `checked` of inputs are set as properties.
 */

/** @template {Element} E @param {E} element @param {Attributes} attributes @param {(Child | Child[])[]} children */
function fill(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === 'function') {
      element.addEventListener(name.slice(2), /** @type {EventListener} */ (value));
    } else if (name === 'style') {
      const { style } = /** @type {HTMLElement} */ (/** @type {unknown} */ (element));
      for (const [key, text] of Object.entries(/** @type {object} */ (value))) style.setProperty(key, text);
    } else if (name === 'checked') {
      /** @type {HTMLInputElement} */ (/** @type {unknown} */ (element)).checked = Boolean(value);
    } else if (value !== false && value !== null && value !== undefined) {
      element.setAttribute(name, value === true ? '' : String(value));
    }
  }
  element.append(.../** @type {string[]} */ (children.flat().filter((c) => c !== null && c !== undefined && c !== false)));
  // A select has its options only now, a textarea no such attribute.
  if ('value' in attributes && 'value' in element) element.value = attributes.value;
  return element;
}

/** An HTML element.
 * @template {keyof HTMLElementTagNameMap} T
 * @param {T} tag @param {Attributes} [attributes] @param {...(Child | Child[])} children
 * @returns {HTMLElementTagNameMap[T]} */
export const h = (tag, attributes = {}, ...children) => fill(document.createElement(tag), attributes, children);

/** An SVG element.
 * @template {keyof SVGElementTagNameMap} T
 * @param {T} tag @param {Attributes} [attributes] @param {...(Child | Child[])} children
 * @returns {SVGElementTagNameMap[T]} */
export const svg = (tag, attributes = {}, ...children) =>
  fill(document.createElementNS('http://www.w3.org/2000/svg', tag), attributes, children);

/** Puts new children in the place of all old ones.
 * @param {Element} element @param {...(Child | Child[])} children */
export function clear(element, ...children) {
  element.replaceChildren();
  return fill(element, {}, children);
}

/** Says a sentence to screen readers.
 * @param {string} text */
export function announce(text) {
  const region = /** @type {HTMLElement} */ (document.getElementById('live'));
  // The same text twice is read once only, unless it differs.
  region.textContent = region.textContent === text ? `${text}\u00a0` : text;
}

/** Where the focus was in something that is empty for a moment. @type {WeakMap<Element, number>} */
const places = new WeakMap();

/** Draws something anew, and the focus stays at the place in it where it was.
 * @param {Element} element @param {() => void} redraw */
export function keepFocus(element, redraw) {
  const all = () => [.../** @type {NodeListOf<HTMLElement>} */ (element.querySelectorAll('a, button, [tabindex]'))];
  const at = all().indexOf(/** @type {HTMLElement} */ (document.activeElement));
  if (at >= 0) places.set(element, at);
  redraw();
  // Charts are drawn in the next frame only.
  requestAnimationFrame(() => requestAnimationFrame(() => {
    const next = all().at(Math.min(places.get(element) ?? 0, all().length - 1));
    if (!places.has(element) || !next) return;
    if (document.activeElement === document.body) next.focus();
    places.delete(element);
  }));
}
