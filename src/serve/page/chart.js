// Small SVG charts, drawn anew whenever their width changes, so that their
// letters keep their size on every screen.
//
// `lineChart(options)` and `barChart(options)` give a `<div class="chart">`. Both
// take these options:
//
//   label    what the chart shows, in words, for screen readers (required)
//   x, y     names of the axes, with units
//   height   in pixels (220 unless given)
//
// `lineChart` takes `series: Series[]`; with `onpick(point, series)` the points of
// series with `dots` are buttons; `cursor: x` draws an upright line there.
// `barChart` takes `bars: Bar[]`; with `onpick(bar)` they are buttons.

import { h, svg } from './dom.js';

/**
 * @typedef {{ x: number, y: number | null, label?: string, mark?: 'good' | 'fair' | 'bad', note?: string }} Point
 *   `y` null breaks the line; `label` is its tooltip and its name; `mark` draws a larger dot, `note` stands above it
 * @typedef {{ name: string, points: Point[], dots?: boolean, dashed?: boolean, colour?: string }} Series
 *   `colour` is a CSS colour, otherwise one of `--series-1` … `--series-6` by the order
 * @typedef {{ name: string, value: number | null, label?: string, colour?: string }} Bar
 *   `name` stands under the bar; `value` null draws none; `label` is its tooltip
 * @typedef {object} Common
 * @property {string} label
 * @property {string} [x]
 * @property {string} [y]
 * @property {number} [height]
 * @typedef {Common & { series: Series[], cursor?: number, onpick?: (point: Point, series: Series) => void }} LineOptions
 * @typedef {Common & { bars: Bar[], onpick?: (bar: Bar) => void }} BarOptions
 * @typedef {{ width: number, height: number, left: number, right: number, top: number, bottom: number }} Frame
 */

/** @param {number} index */
export const seriesColour = (index) => `var(--series-${(index % 6) + 1})`;

/** @param {number} value */
function shortNumber(value) {
  const size = Math.abs(value);
  if (size >= 1e9) return `${+(value / 1e9).toPrecision(3)} bn`;
  if (size >= 1e6) return `${+(value / 1e6).toPrecision(3)} m`;
  if (size >= 1e4) return `${+(value / 1e3).toPrecision(3)} k`;
  return String(+value.toPrecision(4));
}

/** Round numbers from about `least` to `most`.
 * @param {number} least @param {number} most @param {number} about how many @param {boolean} [whole] */
function ticks(least, most, about, whole = false) {
  const rough = (most - least || 1) / Math.max(1, about);
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = Math.max(whole ? 1 : 0, [1, 2, 5, 10].map((n) => n * power).find((n) => n >= rough) ?? power * 10);
  const list = [];
  for (let i = Math.ceil(least / step - 1e-9); i * step <= most + step * 1e-6; i++) list.push(+(i * step).toPrecision(12));
  return list;
}

/** @param {Common} options @param {(width: number, height: number) => SVGElement[]} draw */
function chart(options, draw) {
  const picture = svg('svg', { role: 'group', 'aria-label': options.label });
  const element = h('div', { class: 'chart' }, picture);
  let drawn = 0;
  new ResizeObserver(() => {
    const width = Math.round(element.clientWidth);
    // A hidden chart has no width; a few pixels of a scroll bar are no reason to draw anew.
    if (width < 40 || Math.abs(width - drawn) < 4) return;
    drawn = width;
    const height = options.height ?? 220;
    for (const [name, value] of Object.entries({ width, height, viewBox: `0 0 ${width} ${height}` })) {
      picture.setAttribute(name, String(value));
    }
    picture.replaceChildren(...draw(width, height));
  }).observe(element);
  return element;
}

/** @param {Common} options @param {number} width @param {number} height @returns {Frame} */
const frameOf = (options, width, height) => ({
  width, height, left: 46, right: 12, top: options.y ? 42 : 14, bottom: options.x ? 40 : 24,
});

/** The vertical scale, its lines and numbers.
 * @param {Common} options @param {Frame} frame @param {number} least @param {number} most */
function upright(options, frame, least, most) {
  const room = frame.height - frame.top - frame.bottom;
  const y = (/** @type {number} */ value) => frame.top + room * (1 - (value - least) / (most - least));
  /** @type {SVGElement[]} */
  const marks = ticks(least, most, Math.max(2, room / 40)).flatMap((value) => [
    svg('line', { class: 'grid', x1: frame.left, x2: frame.width - frame.right, y1: y(value), y2: y(value) }),
    svg('text', { class: 'tick', x: frame.left - 6, y: y(value) + 4, 'text-anchor': 'end' }, shortNumber(value)),
  ]);
  if (options.y) marks.push(svg('text', { class: 'axis', x: 2, y: 14 }, options.y));
  if (options.x) {
    const x = (frame.left + frame.width - frame.right) / 2;
    marks.push(svg('text', { class: 'axis', x, y: frame.height - 4, 'text-anchor': 'middle' }, options.x));
  }
  return { y, marks };
}

/** Makes a shape a button for mouse and keyboard.
 * @param {SVGElement} element @param {string} name @param {(() => void) | undefined} act */
function button(element, name, act) {
  element.append(svg('title', {}, name));
  if (!act) return element;
  element.setAttribute('role', 'button');
  element.setAttribute('tabindex', '0');
  element.setAttribute('aria-label', name);
  element.classList.add('pick');
  element.addEventListener('click', act);
  element.addEventListener('keydown', (event) => {
    if (event.key !== 'Enter' && event.key !== ' ') return;
    event.preventDefault();
    act();
  });
  return element;
}

/** @param {LineOptions} options */
export function lineChart(options) {
  const { series, onpick } = options;
  const element = chart(options, (width, height) => {
    const all = series.flatMap((s) => s.points);
    const ys = all.flatMap((p) => (p.y === null ? [] : [p.y]));
    const xs = all.map((p) => p.x);
    const [minX, maxX] = [Math.min(...xs, Infinity), Math.max(...xs, -Infinity)];
    if (!Number.isFinite(minX)) return [];
    const frame = frameOf(options, width, height);
    const low = Math.min(0, ...ys);
    const { y, marks } = upright(options, frame, low, Math.max(low + 1, ...ys));
    const across = width - frame.left - frame.right - 16;
    const x = (/** @type {number} */ value) => frame.left + 8 + (across * (value - minX)) / (maxX - minX || 1);
    for (const value of ticks(minX, maxX, across / 60, true)) {
      marks.push(svg('text', { class: 'tick', x: x(value), y: height - frame.bottom + 18, 'text-anchor': 'middle' }, shortNumber(value)));
    }
    if (options.cursor !== undefined) {
      marks.push(svg('line', { class: 'cursor', x1: x(options.cursor), x2: x(options.cursor), y1: frame.top, y2: height - frame.bottom }));
    }
    series.forEach((one, index) => {
      const colour = one.colour ?? seriesColour(index);
      let path = '';
      let pen = 'M';
      for (const point of one.points) {
        if (point.y !== null) path += `${pen}${x(point.x).toFixed(1)} ${y(point.y).toFixed(1)}`;
        pen = point.y === null ? 'M' : 'L';
      }
      marks.push(svg('path', { class: 'line', d: path, stroke: colour, 'stroke-dasharray': one.dashed && '5 4' }));
      if (!one.dots) return;
      for (const point of one.points) {
        if (point.y === null) continue;
        const name = point.label ?? `${one.name}: ${point.x}, ${shortNumber(point.y)}`;
        const dot = svg('g', { class: `dot ${point.mark ?? ''}`, transform: `translate(${x(point.x)} ${y(point.y)})` },
          onpick && svg('circle', { class: 'touch', r: 12 }),
          svg('circle', { r: point.mark ? 6 : 4, fill: point.mark ? `var(--${point.mark})` : colour }),
          point.note && svg('text', { class: 'note', y: -11, 'text-anchor': 'middle' }, point.note));
        marks.push(button(dot, name, onpick && (() => onpick(point, one))));
      }
    });
    return marks;
  });
  if (series.length > 1) {
    element.prepend(h('ul', { class: 'legend' }, series.map((one, index) =>
      h('li', {}, h('span', { class: 'swatch', style: { background: one.colour ?? seriesColour(index) } }), one.name))));
  }
  return element;
}

/** @param {BarOptions} options */
export function barChart(options) {
  const { bars, onpick } = options;
  return chart(options, (width, height) => {
    const longest = Math.max(0, ...bars.map((bar) => bar.name.length));
    const frame = frameOf(options, width, height);
    const { y, marks } = upright(options, frame, 0, Math.max(1e-9, ...bars.map((bar) => bar.value ?? 0)));
    const room = (width - frame.left - frame.right) / Math.max(1, bars.length);
    // Only every so many bars have a name if they are narrow.
    const every = Math.ceil((8 * longest + 6) / room);
    bars.forEach((bar, index) => {
      const left = frame.left + index * room;
      const middle = left + room / 2;
      const foot = height - frame.bottom;
      if (bar.value !== null) {
        // A value above nothing is always seen.
        const top = bar.value > 0 ? Math.min(y(bar.value), foot - 1.5) : foot;
        const shape = svg('g', {},
          onpick && svg('rect', { class: 'touch', x: left, y: frame.top, width: room, height: foot - frame.top }),
          svg('rect', { class: 'bar', x: left + room * 0.08, y: top, width: room * 0.84, height: foot - top, rx: Math.min(3, room / 6), fill: bar.colour ?? seriesColour(0) }));
        marks.push(button(shape, bar.label ?? `${bar.name}: ${shortNumber(bar.value)}`, onpick && (() => onpick(bar))));
      }
      if (index % every === 0) {
        marks.push(svg('text', { class: 'tick', x: middle, y: foot + 16, 'text-anchor': 'middle' }, bar.name));
      }
    });
    return marks;
  });
}
