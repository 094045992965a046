// The board as SVG: draws it, and turns mouse, touch, taps and keys into moves.
// It knows nothing about the game; whoever uses it listens to its events:
//
//   move     detail: Move; the user put a vehicle down elsewhere
//   preview  detail: Move; held with the keyboard, it would come to stand there
//   hold     detail: letter or null

import { freeRun, LETTERS, parse, vehicle } from './board.js';
import { svg } from './dom.js';
import { words } from './notation.js';

/**
 * @typedef {import('./board.js').Board} Board
 * @typedef {import('./board.js').Vehicle} Vehicle
 * @typedef {import('./moves.js').Move} Move
 * @typedef {'good' | 'fair' | 'bad' | 'plain'} Mark
 * @typedef {{ text: string, mark: Mark }} Value what a place to stop shows: a number and its colour
 * @typedef {{ letter: string, back: number, ahead: number, by: number }} Held
 */

/** Units of the picture for one cell, and for the frame around all. */
const CELL = 100;
const FRAME = 26;
const GAP = 7;
/** A finger or mouse that moved less was a tap, in pixels. */
const TAP = 6;

const RED = 'var(--red)';
/** Those next to each other in the alphabet differ most; all are light enough for dark letters. */
const PALETTE = [
  '#74adde', '#f7c654', '#80c38c', '#b89ce0', '#f3a562', '#62c4c2', '#e9a1c6', '#c0d060',
  '#96a8c4', '#d6b48c', '#a0d9f6', '#f3e28e', '#c4a098', '#a0a4ec', '#b0e0be', '#cdcbc4',
];

/** By its letter, so that it keeps its colour while others come and go.
 * @param {Board} board @param {string} letter */
function colour(board, letter) {
  return letter === board.primary ? RED : PALETTE[(LETTERS.indexOf(letter) + PALETTE.length - 1) % PALETTE.length];
}

/** What never moves: frame, cells, walls and the exit.
 * @param {Board} board */
function ground(board) {
  const side = board.size * CELL;
  const red = vehicle(board, board.primary);
  /** @type {SVGElement[]} */
  const parts = [
    svg('rect', { class: 'frame', x: -FRAME, y: -FRAME, width: side + 2 * FRAME, height: side + 2 * FRAME, rx: 30 }),
    svg('rect', { class: 'field', width: side, height: side, rx: 10 }),
  ];
  if (red) {
    const y = red.row * CELL;
    parts.push(
      svg('rect', { class: 'field', x: side - 12, y: y + 3, width: FRAME + 13, height: CELL - 6 }),
      svg('path', { class: 'exit', d: `M${side + 2} ${y + 32}l14 18l-14 18` }),
    );
  }
  for (let cell = 0; cell < board.size ** 2; cell++) {
    const place = { x: (cell % board.size) * CELL + 4, y: Math.floor(cell / board.size) * CELL + 4, width: CELL - 8, height: CELL - 8 };
    parts.push(svg('rect', { class: board.walls.has(cell) ? 'wall' : 'cell', ...place, rx: 14 }));
    if (board.walls.has(cell)) parts.push(svg('path', { class: 'bricks', d: `M${place.x} ${place.y + 31}h92M${place.x} ${place.y + 62}h92M${place.x + 46} ${place.y}v31m-20 0v31m20 0v30` }));
  }
  return parts;
}

/** @param {number} size */
const viewBox = (size) => `${-FRAME} ${-FRAME} ${size * CELL + 2 * FRAME} ${size * CELL + 2 * FRAME}`;

/** A vehicle at the origin.
 * @param {Vehicle} v @param {string} fill */
function body(v, fill) {
  const [width, height] = v.horizontal ? [v.length * CELL, CELL] : [CELL, v.length * CELL];
  const inner = v.horizontal ? { x: 30, y: 22, width: width - 60, height: 56 } : { x: 22, y: 30, width: 56, height: height - 60 };
  return [
    svg('rect', { class: 'body', x: GAP, y: GAP, width: width - 2 * GAP, height: height - 2 * GAP, rx: 22, fill }),
    svg('rect', { class: 'roof', ...inner, rx: 14 }),
  ];
}

/** A small picture that nothing can be done with; `label` is its name for screen readers.
 * @param {string} boardText @param {string} [primary] @param {string} [label] */
export function thumbnail(boardText, primary, label) {
  const board = parse(boardText, primary);
  const name = label ? { role: 'img', 'aria-label': label } : { 'aria-hidden': 'true' };
  return svg('svg', { class: 'board thumbnail', viewBox: viewBox(board.size), ...name }, ground(board), board.vehicles.map((v) =>
    svg('g', { transform: `translate(${v.col * CELL} ${v.row * CELL})` }, body(v, colour(board, v.letter)))));
}

export class BoardView extends EventTarget {
  /** @type {Board} */
  #board;
  /** @type {Map<string, SVGGElement>} */
  #vehicles = new Map();
  /** The ground and the vehicles drawn last, as text: only a change of them is drawn anew. */
  #drawn = '';
  /** @type {Held | null} */
  #held = null;
  /** @type {{ id: number, x: number, y: number, scale: number, moved: boolean, again: boolean } | null} */
  #pointer = null;
  /** The vehicle that Tab comes to. */
  #focus = '';
  #ground = svg('g', {});
  #traffic = svg('g', {});
  #targets = svg('g', { class: 'targets', 'aria-hidden': 'true' });
  #ghost = svg('g', { class: 'ghost', 'aria-hidden': 'true' });

  /** What a place to stop is worth; null shows that one can stop there, and no more.
   * @type {(move: Move) => Value | null} */
  value = () => null;

  /** @param {Board} board @param {{ label?: string, still?: boolean }} [options] `still`: someone else turns pointers and keys into changes */
  constructor(board, { label = 'Board', still = false } = {}) {
    super();
    this.#board = board;
    this.element = svg('svg', { class: `board ${still ? 'still' : 'live'}`, role: 'group', 'aria-label': label },
      this.#ground, this.#traffic, this.#ghost, this.#targets);
    this.still = still;
    if (!still) this.#listen();
    this.draw(board);
  }

  /** @param {Board} board */
  draw(board) {
    const shape = [board.size, board.primary, vehicle(board, board.primary)?.row, ...board.walls,
      ...board.vehicles.map((v) => `${v.letter}${v.length}${v.horizontal ? v.row : -v.col}`)].join();
    this.#board = board;
    this.#release();
    if (shape !== this.#drawn) this.#build(shape);
    for (const v of board.vehicles) this.#place(v, 0);
    this.highlight(null);
    this.#names();
  }

  /** Shows the values of the places again, after they became known. */
  refresh() {
    if (this.#held) this.#showTargets(this.#held);
  }

  /** Shows where a move leads, until the next one or null.
   * @param {Move | null} move */
  highlight(move) {
    this.#ghost.replaceChildren();
    const v = move && vehicle(this.#board, move.letter);
    if (!v) return;
    const [dx, dy] = v.horizontal ? [move.by * CELL, 0] : [0, move.by * CELL];
    const [width, height] = v.horizontal ? [v.length * CELL, CELL] : [CELL, v.length * CELL];
    const [x, y] = [v.col * CELL, v.row * CELL];
    const [cx, cy] = [x + width / 2, y + height / 2];
    const head = v.horizontal ? `m${-24 * Math.sign(dx)} -24l${24 * Math.sign(dx)} 24l${-24 * Math.sign(dx)} 24` : `m-24 ${-24 * Math.sign(dy)}l24 ${24 * Math.sign(dy)}l24 ${-24 * Math.sign(dy)}`;
    this.#ghost.append(
      svg('rect', { x: x + dx + GAP, y: y + dy + GAP, width: width - 2 * GAP, height: height - 2 * GAP, rx: 22 }),
      svg('path', { class: 'halo', d: `M${cx} ${cy}l${dx} ${dy}${head}` }),
      svg('path', { d: `M${cx} ${cy}l${dx} ${dy}${head}` }),
    );
  }

  /** Lets some vehicles stand out, the others fade.
   * @param {readonly string[] | null} letters @param {boolean} [fade] */
  spotlight(letters, fade = true) {
    for (const [letter, element] of this.#vehicles) {
      element.classList.toggle('faded', fade && letters !== null && !letters.includes(letter));
      element.classList.toggle('chosen', letters !== null && letters.includes(letter));
    }
  }

  /** From units of the picture to pixels: it may be smaller than its element. */
  #scale() {
    return /** @type {DOMMatrix} */ (this.element.getScreenCTM());
  }

  /** Where a pointer is, in cells and parts of them.
   * @param {{ clientX: number, clientY: number }} event */
  pointAt(event) {
    const { a, e, f } = this.#scale();
    return { x: (event.clientX - e) / a / CELL, y: (event.clientY - f) / a / CELL };
  }

  /** The cell under a pointer, or null.
   * @param {{ clientX: number, clientY: number }} event */
  cellAt(event) {
    const { x, y } = this.pointAt(event);
    const [col, row] = [Math.floor(x), Math.floor(y)];
    const inside = col >= 0 && row >= 0 && col < this.#board.size && row < this.#board.size;
    return inside ? { row, col } : null;
  }

  /** @param {string} letter */
  focus(letter) {
    this.#vehicles.get(letter)?.focus();
  }

  /** @param {string} shape */
  #build(shape) {
    const board = this.#board;
    const focused = this.#traffic.contains(document.activeElement);
    this.#drawn = shape;
    this.element.setAttribute('viewBox', viewBox(board.size));
    this.#ground.replaceChildren(...ground(board));
    this.#vehicles = new Map(board.vehicles.map((v) => {
      const [cx, cy] = v.horizontal ? [(v.length * CELL) / 2, CELL / 2] : [CELL / 2, (v.length * CELL) / 2];
      const red = v.letter === board.primary;
      const group = svg('g', { class: `vehicle ${red ? 'red' : ''}`, 'data-letter': v.letter, role: this.still ? null : 'button' },
        body(v, colour(board, v.letter)), svg('text', { x: cx, y: cy }, v.letter));
      return [v.letter, group];
    }));
    this.#traffic.replaceChildren(...this.#vehicles.values());
    if (!this.#vehicles.has(this.#focus)) this.#focus = board.primary || board.vehicles[0]?.letter || '';
    if (focused) this.#vehicles.get(this.#focus)?.focus();
  }

  /** @param {Vehicle} v @param {number} shift in units, along its line */
  #place(v, shift) {
    const element = this.#vehicles.get(v.letter);
    const [x, y] = [v.col * CELL + (v.horizontal ? shift : 0), v.row * CELL + (v.horizontal ? 0 : shift)];
    if (element) element.style.transform = `translate(${x}px, ${y}px)`;
  }

  /** What screen readers say about each vehicle, and which of them Tab comes to. */
  #names() {
    if (this.still) return;
    for (const v of this.#board.vehicles) {
      const element = this.#vehicles.get(v.letter);
      const { back, ahead } = freeRun(this.#board, v);
      const ways = [back && words(this.#board, { letter: v.letter, by: -back }), ahead && words(this.#board, { letter: v.letter, by: ahead })];
      const can = ways.filter(Boolean).map((way) => String(way).slice(2).replace(/ (?=[2-7])/, ' up to ')).join(' or ');
      const red = v.letter === this.#board.primary ? 'the red car' : `${v.length} cells`;
      const lines = v.horizontal ? `row ${v.row + 1}, columns ${v.col + 1} to ${v.col + v.length}` : `column ${v.col + 1}, rows ${v.row + 1} to ${v.row + v.length}`;
      element?.setAttribute('aria-label', `${v.letter}, ${red}, ${lines}; ${can ? `can move ${can}` : 'cannot move'}`);
      element?.setAttribute('aria-pressed', String(this.#held?.letter === v.letter));
      element?.setAttribute('tabindex', v.letter === this.#focus ? '0' : '-1');
    }
  }

  #listen() {
    const { element } = this;
    element.addEventListener('pointerdown', (event) => this.#down(event));
    element.addEventListener('pointermove', (event) => this.#drag(event));
    element.addEventListener('pointerup', (event) => this.#up(event));
    element.addEventListener('pointercancel', () => this.#cancel());
    element.addEventListener('keydown', (event) => this.#key(event));
    element.addEventListener('focusin', (event) => {
      this.#focus = /** @type {Element} */ (event.target).getAttribute('data-letter') ?? this.#focus;
      this.#names();
    });
    element.addEventListener('focusout', (event) => {
      if (this.#held && !element.contains(/** @type {Node | null} */ (event.relatedTarget)) && !this.#pointer) this.#cancel();
    });
  }

  /** @param {PointerEvent} event */
  #down(event) {
    if (this.#pointer || event.button !== 0) return;
    const letter = /** @type {Element} */ (event.target).closest('.vehicle')?.getAttribute('data-letter');
    const cell = this.cellAt(event);
    if (!letter) {
      const by = cell && this.#held ? this.#byTo(this.#held, cell) : 0;
      if (this.#held && by) this.#put(by);
      else this.#cancel();
      return;
    }
    // Pressing sets no focus of its own: the vehicle is focused here, without its outline.
    event.preventDefault();
    const again = this.#held?.letter === letter;
    this.focus(letter);
    this.#hold(letter);
    this.#pointer = { id: event.pointerId, x: event.clientX, y: event.clientY, scale: 1 / this.#scale().a, moved: false, again };
    this.element.setPointerCapture(event.pointerId);
  }

  /** @param {PointerEvent} event */
  #drag(event) {
    const [pointer, held] = [this.#pointer, this.#held];
    const v = held && vehicle(this.#board, held.letter);
    if (!pointer || !v || event.pointerId !== pointer.id) return;
    const pixels = v.horizontal ? event.clientX - pointer.x : event.clientY - pointer.y;
    pointer.moved ||= Math.abs(pixels) > TAP;
    if (!pointer.moved) return;
    const shift = Math.max(-held.back * CELL, Math.min(held.ahead * CELL, pixels * pointer.scale));
    this.#vehicles.get(held.letter)?.classList.add('dragged');
    this.#place(v, shift);
    const by = Math.round(shift / CELL) || 0;
    if (by !== held.by) {
      held.by = by;
      this.#showTargets(held);
    }
  }

  /** @param {PointerEvent} event */
  #up(event) {
    const [pointer, held] = [this.#pointer, this.#held];
    if (!pointer || !held || event.pointerId !== pointer.id) return;
    this.#pointer = null;
    if (pointer.moved) this.#put(held.by);
    else if (pointer.again) this.#cancel();
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const arrow = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key];
    const held = this.#held;
    if (arrow) {
      if (held) this.#shift(held, arrow[0], arrow[1]);
      else this.#walk(arrow[0], arrow[1]);
    } else if (event.key === 'Enter' || event.key === ' ') {
      if (held) this.#put(held.by);
      else if (this.#focus) this.#hold(this.#focus);
    } else if (event.key === 'Escape' && held) {
      this.#cancel();
    } else if (!held && vehicle(this.#board, event.key.toUpperCase())) {
      this.focus(event.key.toUpperCase());
    } else {
      return;
    }
    event.preventDefault();
    // Keys that mean something here mean nothing to the page.
    event.stopPropagation();
  }

  /** Moves a held vehicle a cell along its line.
   * @param {Held} held @param {number} dx @param {number} dy */
  #shift(held, dx, dy) {
    const v = /** @type {Vehicle} */ (vehicle(this.#board, held.letter));
    const by = Math.max(-held.back, Math.min(held.ahead, held.by + (v.horizontal ? dx : dy)));
    if (by === held.by) return;
    held.by = by;
    this.#place(v, by * CELL);
    this.#showTargets(held);
    this.dispatchEvent(new CustomEvent('preview', { detail: { letter: held.letter, by } }));
  }

  /** Goes to the nearest vehicle in a direction.
   * @param {number} dx @param {number} dy */
  #walk(dx, dy) {
    const middle = (/** @type {Vehicle} */ v) => ({ x: v.col + (v.horizontal ? v.length / 2 : 0.5), y: v.row + (v.horizontal ? 0.5 : v.length / 2) });
    const from = vehicle(this.#board, this.#focus);
    if (!from) return;
    const here = middle(from);
    let best = { letter: '', cost: Infinity };
    for (const v of this.#board.vehicles) {
      const { x, y } = middle(v);
      const [along, aside] = dx ? [(x - here.x) * dx, Math.abs(y - here.y)] : [(y - here.y) * dy, Math.abs(x - here.x)];
      const cost = along + 2 * aside;
      if (along > 0 && v !== from && cost < best.cost) best = { letter: v.letter, cost };
    }
    if (best.letter) this.focus(best.letter);
  }

  /** How far a held vehicle slides if one taps a cell of its line; 0 if it does not.
   * @param {Held} held @param {{ row: number, col: number }} cell */
  #byTo(held, cell) {
    const v = /** @type {Vehicle} */ (vehicle(this.#board, held.letter));
    if (v.horizontal ? cell.row !== v.row : cell.col !== v.col) return 0;
    const [at, first] = v.horizontal ? [cell.col, v.col] : [cell.row, v.row];
    const by = at < first ? at - first : at - (first + v.length - 1);
    return by >= -held.back && by <= held.ahead ? by : 0;
  }

  /** @param {string} letter */
  #hold(letter) {
    const v = vehicle(this.#board, letter);
    if (!v) return;
    this.#release();
    this.highlight(null);
    this.#held = { letter, ...freeRun(this.#board, v), by: 0 };
    this.#vehicles.get(letter)?.classList.add('held');
    this.#showTargets(this.#held);
    this.#names();
    this.dispatchEvent(new CustomEvent('hold', { detail: letter }));
  }

  /** @param {number} by */
  #put(by) {
    const letter = this.#held?.letter ?? '';
    this.#cancel();
    if (by) this.dispatchEvent(new CustomEvent('move', { detail: { letter, by } }));
  }

  /** Lets go, and the vehicle is back where it was. */
  #cancel() {
    const v = this.#held && vehicle(this.#board, this.#held.letter);
    this.#release();
    if (!v) return;
    this.#place(v, 0);
    this.#names();
    this.dispatchEvent(new CustomEvent('hold', { detail: null }));
  }

  #release() {
    if (this.#held) this.#vehicles.get(this.#held.letter)?.classList.remove('held', 'dragged');
    this.#held = null;
    this.#pointer = null;
    this.#targets.replaceChildren();
  }

  /** A number in the cell that the vehicle's foremost end would come to, for each place it can stop.
   * @param {Held} held */
  #showTargets(held) {
    const v = /** @type {Vehicle} */ (vehicle(this.#board, held.letter));
    this.#targets.replaceChildren();
    for (let by = -held.back; by <= held.ahead; by++) {
      if (by === 0) continue;
      const end = (v.horizontal ? v.col : v.row) + by + (by > 0 ? v.length - 1 : 0);
      const [x, y] = v.horizontal ? [end, v.row] : [v.col, end];
      const value = this.value({ letter: held.letter, by });
      this.#targets.append(svg('g', { class: `target ${value?.mark ?? 'plain'} ${by === held.by ? 'here' : ''}`, 'data-by': by, transform: `translate(${(x + 0.5) * CELL} ${(y + 0.5) * CELL})` },
        svg('circle', { r: value ? 31 : 13 }),
        value && svg('text', {}, value.text)));
    }
  }
}
