// The cluster map: every board that can be reached, in rows by its distance, with the
// optimal ways and one's own on it. Where the ways fork and where play is forced is marked.
//
// Thousands of dots are one path of points with round caps, so a map is a dozen elements
// and follows the colours of the page by itself.

import { boardParams, href } from './address.js';
import { isAbort } from './api.js';
import { parse, text } from './board.js';
import { thumbnail } from './board-view.js';
import { clear, h, svg } from './dom.js';
import { apply, steps } from './moves.js';
import { count, formatMove, length, parseMove } from './notation.js';
import { links, spread, stretches } from './ways.js';

/**
 * @typedef {import('./app.js').App} App
 * @typedef {import('./app.js').Page} Page
 * @typedef {import('./ways.js').Level} Level
 * @typedef {import('./ways.js').OnWay} OnWay
 * @typedef {import('./ways.js').Stretch} Stretch
 * @typedef {{board: string, primary: string, size: number, metric: import('./moves.js').Metric, solvable: boolean, boards: number,
 *   farthest: number, drawn: 'boards'|'levels', most: number, levels: Level[], nodes: {distance: number, at: number, board?: string}[],
 *   edges: [number, number][], edges_left_out?: number, optimal: OnWay[], optimal_left_out?: number,
 *   path: {move: string|null, board: string, distance: number, node: number|null}[]}} Cluster
 * @typedef {{x: number, y: number, distance: number, board?: string, best?: string[], step?: number}} Spot
 *   a board in the picture; `best` if it lies on an optimal way, `step` if it lies on one's own
 */

const TOP = 16;
/** Edges are drawn in so many layers, so that many of them on one place look denser. */
const LAYERS = 8;

/** @param {number} value @param {number} least @param {number} most */
const within = (value, least, most) => Math.max(least, Math.min(most, value));
/** "9, 7 to 5 and 2": a list of falling numbers.
 * @param {number[]} list */
function listed(list) {
  const runs = list.filter((n) => !list.includes(n + 1)).map((from) => {
    let to = from;
    while (list.includes(to - 1)) to--;
    return from === to ? String(from) : `${from} to ${to}`;
  });
  return runs.length < 2 ? runs.join('') : `${runs.slice(0, -1).join(', ')} and ${runs[runs.length - 1]}`;
}
/** @param {Spot} spot */
const point = ({ x, y }) => `${x.toFixed(1)} ${y.toFixed(1)}`;
/** @param {Spot[]} spots */
const dots = (spots) => spots.map((spot) => `M${point(spot)}h0`).join('');

/**
 * @param {App} app
 * @returns {Page}
 */
export function create(app) {
  /** @type {Cluster|null} */
  let data = null;
  /** @type {Spot[][]} by distance, from left to right */
  let rows = [];
  /** @type {Spot|null} */
  let spot = null;
  let drawn = 0;

  const summary = h('p', { id: 'map-summary' });
  const hard = h('section', { class: 'card', 'aria-label': 'Where it is hard' });
  const picture = svg('svg', { class: 'map', tabindex: 0, role: 'application', 'aria-roledescription': 'map of boards', 'aria-label': 'Map of the cluster: arrow keys go from board to board, Enter opens one', 'aria-describedby': 'map-summary' });
  const tip = h('div', { class: 'map-tip card', hidden: true });
  const frame = h('div', { class: 'map-frame' }, picture, tip);
  const legend = h('ul', { class: 'map-legend' });
  const card = h('section', { class: 'card', 'aria-label': 'Map' }, legend, frame);
  const table = h('details', { class: 'card' });
  const element = h('div', { class: 'page map-page' }, h('header', { class: 'page-head' }, h('h1', {}, 'Cluster map'), summary),
    h('div', { class: 'page-part map-columns' }, card, h('div', { class: 'page-part' }, hard, table)));
  const ring = svg('circle', { class: 'map-ring', r: 8 });

  new ResizeObserver(() => {
    if (data && Math.abs(frame.clientWidth - drawn) > 3) draw(data);
  }).observe(frame);

  /** @param {Cluster} map @param {string} board @param {string} move */
  function play(map, board, move) {
    const parsed = parseMove(move);
    return parsed ? text(apply(parse(board, map.primary), parsed)) : board;
  }

  /** @param {Cluster} map */
  function draw(map) {
    drawn = frame.clientWidth;
    if (drawn < 40 || !map.solvable) return;
    const left = 34;
    const strip = drawn < 600 ? 74 : 92;
    const across = drawn - left - strip;
    const row = within(600 / (map.farthest + 1), 11, 44);
    const height = TOP * 2 + row * map.farthest;
    const y = (/** @type {number} */ distance) => TOP + (map.farthest - distance) * row;
    const x = (/** @type {number} */ at) => left + 8 + at * (across - 16);
    const most = Math.max(...map.levels.map((level) => level.boards));

    const way = links(map.optimal, (board, move) => play(map, board, move));
    const at = map.drawn === 'levels' ? spread(map.optimal, way) : [];
    /** @type {Spot[]} */
    const spots = map.nodes.map((node) => ({ x: x(node.at), y: y(node.distance), distance: node.distance, board: node.board }));
    const onWay = map.optimal.map((one, i) => {
      const place = one.node === null ? undefined : spots[one.node];
      const made = place ?? { x: x(at[i] ?? 0.5), y: y(one.distance), distance: one.distance };
      if (!place) spots.push(made);
      return Object.assign(made, { board: one.board, best: one.best });
    });
    /** @type {Map<string, Spot>} */
    const known = new Map(onWay.map((one) => [one.board, one]));
    const path = map.path.map((one, step) => {
      const place = (one.node === null ? undefined : spots[one.node]) ?? known.get(one.board);
      // Without a place of its own, a board off the optimal ways stands at the side.
      const made = place ?? { x: x(0.94), y: y(one.distance), distance: one.distance };
      if (!place) spots.push(made);
      known.set(one.board, made);
      return Object.assign(made, { board: one.board, step });
    });

    rows = map.levels.map(() => []);
    for (const one of spots) rows[one.distance].push(one);
    for (const list of rows) list.sort((a, b) => a.x - b.x);

    const radius = within((across / most) * 0.42, 1.3, Math.min(4, row * 0.3));
    /** @type {string[]} */
    const layers = Array(LAYERS).fill('');
    map.edges.forEach(([a, b], i) => {
      const [from, to] = [spots[a], spots[b]];
      // Boards of one row are joined by an arch, or the line would hide the dots between.
      const arch = from.y - row * (0.2 + (1.4 * Math.abs(from.x - to.x)) / across);
      layers[i % LAYERS] += from.y === to.y ? `M${point(from)}Q${((from.x + to.x) / 2).toFixed(1)} ${arch.toFixed(1)} ${point(to)}` : `M${point(from)}L${point(to)}`;
    });
    const every = Math.ceil(16 / row);
    const labels = map.levels.filter(({ distance }) => distance % every === 0 || distance === map.farthest)
      .filter(({ distance }) => distance === map.farthest || map.farthest - distance >= every || distance === 0)
      .map(({ distance }) => svg('text', { class: 'tick', x: left - 8, y: y(distance) + 4, 'text-anchor': 'end' }, distance));
    const bars = map.drawn === 'levels' && map.levels.map((level) => {
      const width = Math.max(2, Math.sqrt(level.boards / most) * across);
      return svg('rect', { class: 'map-level', x: left + (across - width) / 2, y: y(level.distance) - row * 0.4, width, height: row * 0.8, rx: 2 },
        svg('title', {}, `${length(level.distance, map.metric)}: ${count(level.boards, 'board')}`));
    });
    const [forks, others] = [onWay.filter((one) => one.best.length > 1), onWay.filter((one) => one.best.length <= 1)];
    // In a crowded row the marks are smaller, or they would hide each other.
    const size = (/** @type {Spot} */ one) => within((across / rows[one.distance].length) * 0.9, 2.4, 4.5);
    const disc = (/** @type {Spot} */ one) => `M${one.x - size(one)} ${one.y}a${size(one)} ${size(one)} 0 1 0 ${2 * size(one)} 0a${size(one)} ${size(one)} 0 1 0 ${-2 * size(one)} 0z`;
    const diamond = (/** @type {Spot} */ one) => `M${one.x} ${one.y - size(one)}l${size(one)} ${size(one)} ${-size(one)} ${size(one)} ${-size(one)} ${-size(one)}z`;
    picture.setAttribute('viewBox', `0 0 ${drawn} ${height}`);
    picture.setAttribute('height', String(height));
    clear(picture,
      labels, bars,
      layers.map((d) => svg('path', { class: 'map-edges', 'stroke-opacity': within(150 / map.edges.length, 0.05, 0.35), d })),
      map.drawn === 'boards' && svg('path', { class: 'map-dots', d: dots(spots), 'stroke-width': radius * 2 }),
      svg('path', { class: 'map-way', 'stroke-opacity': within(150 / way.length, 0.4, 0.75), d: way.map(([a, b]) => `M${point(onWay[a])}L${point(onWay[b])}`).join('') }),
      svg('path', { class: 'map-forced', d: others.map(disc).join('') }),
      svg('path', { class: 'map-forks', d: forks.map(diamond).join('') }),
      path.length > 1 && svg('path', { class: 'map-own', d: `M${path.map(point).join('L')}` }),
      svg('path', { class: 'map-own-dots', d: dots(path) }),
      [['start', path[0]], ...(path.length > 1 ? [['you', path[path.length - 1]]] : [])].map(([name, place]) => {
        const { x: px, y: py } = /** @type {Spot} */ (place);
        const right = px > left + across - 60;
        return svg('text', { class: 'map-name', x: px + (right ? -9 : 9), y: py + 4, 'text-anchor': right ? 'end' : 'start' }, /** @type {string} */ (name));
      }),
      stretches(map.levels).map((stretch) => bracket(stretch, drawn - strip + 10, y(stretch.from) - row * 0.4, y(stretch.to) + row * 0.4)),
      ring);
    show(null);
  }

  /** @param {Stretch} stretch @param {number} x @param {number} top @param {number} bottom */
  function bracket(stretch, x, top, bottom) {
    const words = stretch.forced ? 'forced' : count(stretch.forks, 'fork');
    return svg('g', { class: stretch.forced ? 'map-stretch forced' : 'map-stretch' },
      svg('title', {}, sentence(stretch)),
      svg('rect', { x, y: top + 1, width: 5, height: bottom - top - 2, rx: 2 }),
      bottom - top >= 13 && svg('text', { class: 'tick', x: x + 10, y: (top + bottom) / 2 + 4 }, words));
  }

  /** @param {Stretch} stretch */
  function sentence({ from, to, forced, boards, forks }) {
    const metric = data?.metric ?? 'moves';
    const where = from === to ? length(from, metric) : `${from} to ${to} ${metric}`;
    return forced ? `${where} from the exit: forced, one best move each time`
      : `${where} from the exit: ${forks === boards ? (boards === 1 ? 'the board forks' : `all ${boards} boards fork`) : `${forks} of ${boards} boards fork`}`;
  }

  /** @param {Spot} one */
  function inWords(one) {
    const metric = data?.metric ?? 'moves';
    const best = one.best?.length ?? 0;
    return [
      `${length(one.distance, metric)} from the exit`,
      one.step !== undefined && (one.step === 0 ? 'your start' : `after your ${metric.slice(0, -1)} ${one.step}`),
      one.best && (one.distance === 0 ? 'end of an optimal way' : best > 1 ? `a fork: ${best} best moves, ${one.best.join(', ')}` : `forced: ${one.best[0]}`),
    ].filter((part) => typeof part === 'string').join('; ');
  }

  /** @param {Spot} one */
  const addressOf = (one) => (one.board && data ? boardParams(parse(one.board, data.primary)) : {});

  /** @param {Spot|null} one */
  function show(one) {
    spot = one;
    ring.toggleAttribute('hidden', !one);
    tip.hidden = !one;
    if (!one || !data) return;
    ring.setAttribute('cx', String(one.x));
    ring.setAttribute('cy', String(one.y));
    clear(tip, one.board && thumbnail(one.board, data.primary), h('p', {}, inWords(one)), one.board && h('a', { href: href('/', addressOf(one)) }, 'Play from here'));
    const below = one.y < 240;
    tip.style.left = `${within(one.x - 80, 0, drawn - 160)}px`;
    tip.style.top = below ? `${one.y + 14}px` : '';
    tip.style.bottom = below ? '' : `${frame.clientHeight - one.y + 14}px`;
  }

  /** In a crowd, boards on an optimal or on one's own way come first.
   * @param {number} distance @param {number} x */
  function nearest(distance, x) {
    const far = (/** @type {Spot} */ one) => Math.abs(one.x - x) - (one.best || one.step !== undefined ? 5 : 0);
    const row = rows[within(distance, 0, rows.length - 1)] ?? [];
    return row.reduce((/** @type {Spot|null} */ best, one) => (!best || far(one) < far(best) ? one : best), null);
  }

  /** @param {PointerEvent} event */
  function under(event) {
    if (!data || rows.length === 0) return null;
    const box = picture.getBoundingClientRect();
    const [x, y] = [event.clientX - box.left, event.clientY - box.top];
    const height = rows.length > 1 ? (box.height - TOP * 2) / (rows.length - 1) : 1;
    const found = nearest(Math.round(data.farthest - (y - TOP) / height), x);
    return found && Math.abs(found.x - x) < 16 ? found : null;
  }

  /** @param {Spot} one */
  function open(one) {
    if (one.board) app.go('/', addressOf(one));
  }

  let touched = false;
  picture.addEventListener('pointermove', (event) => {
    const found = under(event);
    if (event.pointerType === 'mouse' && found !== spot && found) show(found);
  });
  picture.addEventListener('pointerdown', (event) => {
    touched = event.pointerType !== 'mouse';
  });
  // A finger cannot hover: its first tap shows the board, and the link in it opens it.
  picture.addEventListener('click', (event) => {
    const found = under(/** @type {PointerEvent} */ (event));
    if (found && !touched) open(found);
    else show(found);
  });
  frame.addEventListener('pointerleave', (event) => {
    if (event.pointerType === 'mouse') show(null);
  });
  picture.addEventListener('keydown', (event) => {
    if (!data) return;
    const here = spot ?? rows.flat().find((one) => one.step === 0) ?? null;
    if (!here) return;
    if (event.key === 'Enter') return open(here);
    if (event.key === 'Escape') return show(null);
    const row = rows[here.distance];
    const beside = row.indexOf(here) + (event.key === 'ArrowRight' ? 1 : -1);
    const next = event.key === 'ArrowUp' ? nearest(here.distance + 1, here.x)
      : event.key === 'ArrowDown' ? nearest(here.distance - 1, here.x)
        : event.key === 'ArrowLeft' || event.key === 'ArrowRight' ? row[within(beside, 0, row.length - 1)] : null;
    if (!next) return;
    event.preventDefault();
    show(next);
    app.announce(inWords(next));
  });

  /** @param {Cluster} map */
  function drawText(map) {
    const distance = map.path[0].distance;
    summary.textContent = `${count(map.boards, 'board')} can be reached from here. The farthest is ${length(map.farthest, map.metric)} from the exit; your start is ${length(distance, map.metric)} away. `
      + (map.drawn === 'levels' ? `More than ${map.most.toLocaleString('en')} are too many to draw one by one: each bar stands for all boards of a distance (its length for the root of their number), and dots only for those on optimal ways.` : `Each dot is a board, each line a ${map.metric.slice(0, -1)}.`)
      + ' Point at a dot to see its board, click to play it.'
      + (map.edges_left_out ? ` ${count(map.edges_left_out, 'line')} are left out.` : '')
      + (map.optimal_left_out ? ` ${count(map.optimal_left_out, 'board')} on optimal ways are left out.` : '');
    const entry = (/** @type {string} */ name, /** @type {string} */ words) => h('li', {}, h('span', { class: `map-key ${name}`, 'aria-hidden': 'true' }), words);
    clear(legend, map.drawn === 'boards' ? entry('dots', 'a board') : entry('bars', 'all boards of a distance'), entry('way', 'optimal way'),
      entry('forced-dot', 'forced: one best move'), entry('fork', 'fork: several best moves'), entry('own', 'your way'));

    const parts = stretches(map.levels);
    const forced = parts.filter((part) => part.forced).reduce((sum, part) => sum + part.from - part.to + 1, 0);
    const narrow = map.levels.filter((level) => level.on_optimal === 1 && level.distance > 0 && level.distance < distance).map((level) => level.distance).reverse();
    clear(hard, h('h2', {}, 'Where it is hard'),
      distance === 0 ? h('p', {}, 'The start is solved already.') : [
        h('p', {}, `On ${forced} of ${length(distance, map.metric)} the play is forced: whichever optimal way one came, one move alone leads on.`),
        narrow.length > 0 && h('p', {}, `All optimal ways go through one board ${listed(narrow)} ${map.metric} from the exit.`),
        h('ol', { class: 'stretches' }, parts.map((part) => h('li', { class: part.forced ? 'forced' : '' }, sentence(part)))),
      ]);
    clear(table, h('summary', {}, 'The levels as a table'), h('div', { class: 'scroll', tabindex: 0, role: 'group', 'aria-label': 'Levels' }, h('table', {},
      h('thead', {}, h('tr', {}, ['Distance', 'Boards', 'On optimal ways', 'Forks'].map((words) => h('th', { scope: 'col' }, words)))),
      h('tbody', {}, [...map.levels].reverse().map((level) => h('tr', {}, h('th', { scope: 'row' }, level.distance),
        [level.boards, level.on_optimal, level.forks].map((n) => h('td', {}, n.toLocaleString('en')))))))));
  }

  /** @param {string} words @param {boolean} [alarm] */
  function onlyText(words, alarm) {
    data = null;
    summary.textContent = words;
    summary.classList.toggle('problem', Boolean(alarm));
    for (const part of [card, hard, table]) part.hidden = true;
  }

  return {
    element,
    async show() {
      app.setTitle('Cluster map');
      const { start, primary, metric, game } = app.controller;
      const played = game.moves.slice(0, game.at).flatMap((move) => (metric === 'steps' ? steps(move) : [move]));
      onlyText('Exploring the cluster…');
      try {
        /** @type {Cluster} */
        const map = await app.api.get('cluster', { board: start, primary, metric, moves: played.map(formatMove).join(',') }, { kind: 'cluster' });
        if (!map.solvable) {
          onlyText(`None of the ${count(map.boards, 'board')} that can be reached from here is solved: this board has no solution.`);
          return;
        }
        onlyText('');
        for (const part of [card, hard, table]) part.hidden = false;
        data = map;
        drawText(map);
        draw(map);
      } catch (error) {
        if (!isAbort(error)) onlyText(/** @type {Error} */ (error).message, true);
      }
    },
    hide() {
      show(null);
    },
  };
}
