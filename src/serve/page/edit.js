// The editor: vehicles and walls are put, stretched and removed; the distance,
// or the proof that there is none, follows every change.
//
// With the mouse or a finger: drag over empty cells to put a vehicle, drag one
// of its ends to stretch it, drag its middle to move it, tap it to choose it.
// With keys: arrows go from cell to cell, Enter begins and ends a vehicle or
// chooses one, Shift and arrows move the chosen one, plus and minus stretch it.

import { boardParams, href } from './address.js';
import { isAbort } from './api.js';
import { canBePrimary, cellsOf, LETTERS, make, mirror, parse, SIZES, taken, text, vehicle } from './board.js';
import { BoardView } from './board-view.js';
import { METRICS } from './controller.js';
import { announce, clear, h, svg } from './dom.js';
import { length } from './notation.js';
import { reasonView } from './reason.js';

/**
 * @typedef {import('./board.js').Board} Board
 * @typedef {import('./board.js').Vehicle} Vehicle
 * @typedef {{ row: number, col: number }} Cell
 * @typedef {{ from: Cell, to: Cell, letter: string, part: 'new' | 'end' | 'whole', moved: boolean }} Gesture
 *   `letter` is the vehicle that is stretched or moved; with `end`, `from` is its other end
 */

/** How near to the end of a vehicle one takes it by the end, in cells. */
const END = 0.4;
const TOOLS = /** @type {const} */ ({ vehicle: 'Vehicles', wall: 'Walls', remove: 'Remove' });

/** @param {import('./app.js').App} app @returns {import('./app.js').Page} */
export function create(app) {
  const { controller } = app;
  let board = controller.game.board;
  const view = new BoardView(board, { still: true, label: 'Board to edit. Arrow keys go from cell to cell, Enter begins and ends a vehicle or chooses one, Shift and arrows move it, plus and minus stretch it, W puts a wall, Delete removes.' });
  view.element.setAttribute('tabindex', '0');
  view.element.setAttribute('role', 'application');
  /** @type {keyof typeof TOOLS} */
  let tool = 'vehicle';
  /** The chosen vehicle. */
  let chosen = '';
  /** @type {Cell} */
  let cursor = { row: 0, col: 0 };
  /** @type {Gesture | null} */
  let gesture = null;
  /** Where a vehicle begins that waits for its other end. @type {Cell | null} */
  let begun = null;
  /** The board whose vehicles were weighed last. */
  let weighed = '';
  let active = false;
  /** The boards before each change. @type {Board[]} */
  const past = [];

  const overlay = svg('g', {});
  view.element.append(overlay);
  const verdict = h('h1', {});
  const second = h('p', { class: 'muted' });
  const trouble = h('p', { class: 'trouble', role: 'alert', hidden: true });
  const reason = h('div', {});
  const whatIf = h('ul', { class: 'whatif', id: 'whatif' });
  const whatIfCard = h('section', { class: 'card', 'aria-labelledby': 'whatif-title' },
    h('h2', { id: 'whatif-title' }, 'What if this vehicle were gone?'), whatIf);
  const tools = Object.entries(TOOLS).map(([name, label]) => h('label', {},
    h('input', { type: 'radio', name: 'tool', value: name, checked: name === tool, onchange: () => { tool = /** @type {keyof typeof TOOLS} */ (name); begin(null); } }),
    h('span', {}, label)));
  const size = h('select', { id: 'size', onchange: () => resize(Number(size.value)) }, SIZES.map((n) => h('option', { value: n }, `${n}×${n}`)));
  const undo = h('button', { type: 'button', onclick: () => back() }, 'Undo');
  const selection = h('div', { class: 'row', id: 'selection' });
  const paste = h('textarea', { id: 'paste', spellcheck: 'false', placeholder: 'BB...C\nD..E.C\nDAAE.C\nD..E..\nF...GG\nF.HHH.' });
  const play = h('a', { class: 'button primary', href: '/' }, 'Play this board');

  const element = h('div', { class: 'edit' },
    h('section', { class: 'card verdict', 'aria-label': 'What the board is worth' }, verdict, second, trouble, reason, h('div', { class: 'row' }, play)),
    h('section', { class: 'stage', 'aria-label': 'Board to edit' },
      h('div', { class: 'row' }, h('fieldset', { class: 'segments' }, h('legend', { class: 'hidden' }, 'What a tap puts'), tools), selection),
      view.element,
      h('div', { class: 'row' },
        h('label', { class: 'row', for: 'size' }, 'Size', size),
        h('button', { type: 'button', onclick: () => change(mirror(board), 'Mirrored') }, 'Mirror'),
        h('button', { type: 'button', onclick: () => change(make(board.size, [], new Set()), 'Cleared') }, 'Clear'),
        undo),
      h('p', { class: 'muted' }, 'Drag over empty cells to put a vehicle; drag an end to stretch it, its middle to move it. Two taps do the same as a drag.')),
    h('div', { class: 'side' }, whatIfCard,
      h('section', { class: 'card', 'aria-labelledby': 'paste-title' },
        h('h2', { id: 'paste-title' }, h('label', { for: 'paste' }, 'Paste a board, a drawing, or the number of a puzzle')),
        paste, h('div', { class: 'row' }, h('button', { type: 'button', class: 'primary', onclick: () => void readPaste() }, 'Read'),
          h('button', { type: 'button', onclick: () => { paste.value = text(board).replace(new RegExp(`.{${board.size}}(?!$)`, 'g'), '$&\n'); paste.select(); } }, 'Write this board')))));

  view.element.addEventListener('pointerdown', (event) => {
    const cell = view.cellAt(event);
    if (!cell || event.button !== 0) return;
    event.preventDefault();
    view.element.focus({ preventScroll: true });
    view.element.setPointerCapture(event.pointerId);
    cursor = cell;
    press(cell, view.pointAt(event));
  });
  view.element.addEventListener('pointermove', (event) => {
    const cell = view.cellAt(event);
    if (!gesture || !cell || (cell.row === gesture.to.row && cell.col === gesture.to.col)) return;
    gesture.to = cell;
    gesture.moved = true;
    drawOverlay();
  });
  view.element.addEventListener('pointerup', release);
  view.element.addEventListener('pointercancel', () => {
    gesture = null;
    drawOverlay();
  });
  view.element.addEventListener('keydown', key);
  controller.addEventListener('known', () => {
    if (active) void drawVerdict();
  });
  controller.addEventListener('trouble', (event) => {
    if (active) complain(/** @type {CustomEvent<Error>} */ (event).detail);
  });

  /** @param {Cell} cell @param {{ x: number, y: number }} [point] */
  function press(cell, point) {
    const at = board.vehicles.find((v) => cellsOf(v, board.size).includes(cell.row * board.size + cell.col));
    if (tool === 'remove') return removeAt(cell);
    if (tool === 'wall') return toggleWall(cell);
    if (begun && !at) {
      gesture = { from: begun, to: cell, letter: '', part: 'new', moved: true };
    } else if (at) {
      const first = { row: at.row, col: at.col };
      const last = { row: at.row + (at.horizontal ? 0 : at.length - 1), col: at.col + (at.horizontal ? at.length - 1 : 0) };
      const along = point ? (at.horizontal ? point.x - at.col : point.y - at.row) : at.length / 2;
      const fixed = along < END ? last : along > at.length - END ? first : null;
      gesture = { from: fixed ?? cell, to: cell, letter: at.letter, part: fixed ? 'end' : 'whole', moved: false };
      choose(at.letter);
    } else if (!board.walls.has(cell.row * board.size + cell.col)) {
      gesture = { from: cell, to: cell, letter: '', part: 'new', moved: false };
    }
    drawOverlay();
  }

  function release() {
    const done = gesture;
    gesture = null;
    if (!done) return;
    if (done.part === 'new' && !done.moved) return begin(done.from);
    begin(null);
    if (!done.moved) return;
    const shape = shapeOf(done);
    if (shape) put(shape, done.letter ? board.vehicles.filter((v) => v.letter !== done.letter) : board.vehicles);
    else announce('That place is taken, or not a straight run.');
  }

  /** Where the gesture would put a vehicle; null if it cannot.
   * @param {Gesture} g @returns {Vehicle | null} */
  function shapeOf({ from, to, letter, part }) {
    const old = vehicle(board, letter);
    /** @type {Vehicle} */
    let shape;
    if (part === 'whole' && old) {
      shape = { ...old, row: old.row + to.row - from.row, col: old.col + to.col - from.col };
    } else {
      const horizontal = old?.horizontal ?? Math.abs(to.col - from.col) >= Math.abs(to.row - from.row);
      const [a, b] = horizontal ? [from.col, to.col] : [from.row, to.row];
      const first = Math.min(a, b);
      shape = {
        letter: letter || nextLetter(), horizontal, length: Math.abs(a - b) + 1,
        row: horizontal ? from.row : first, col: horizontal ? first : from.col,
      };
    }
    const [across, down] = shape.horizontal ? [shape.length, 1] : [1, shape.length];
    if (shape.length < 2 || shape.row < 0 || shape.col < 0 || shape.col + across > board.size || shape.row + down > board.size) return null;
    const full = taken(board, letter);
    return cellsOf(shape, board.size).some((cell) => full.has(cell)) ? null : shape;
  }

  /** The vehicle a cell longer or shorter, at its end if there is room, or else at its beginning.
   * @param {Vehicle} v @param {1 | -1} by */
  function stretched(v, by) {
    const first = { row: v.row, col: v.col };
    const last = { row: v.row + (v.horizontal ? 0 : v.length - 1), col: v.col + (v.horizontal ? v.length - 1 : 0) };
    const further = (/** @type {Cell} */ cell, /** @type {number} */ n) => ({ row: cell.row + (v.horizontal ? 0 : n), col: cell.col + (v.horizontal ? n : 0) });
    const part = /** @type {const} */ ('end');
    return shapeOf({ from: first, to: further(last, by), letter: v.letter, part, moved: true })
      ?? shapeOf({ from: last, to: further(first, -by), letter: v.letter, part, moved: true });
  }

  /** @param {Vehicle} v @param {1 | -1} by */
  function stretch(v, by) {
    const shape = stretched(v, by);
    if (shape) put(shape, board.vehicles.filter((each) => each !== v));
  }

  /** A red car first, if there is none, then the first letter that is free. */
  function nextLetter() {
    const free = [...LETTERS].filter((letter) => !vehicle(board, letter));
    return board.primary ? free.find((letter) => letter !== 'A') ?? free[0] : free[0];
  }

  /** @param {Vehicle} shape @param {readonly Vehicle[]} others */
  function put(shape, others) {
    const isNew = others.length === board.vehicles.length;
    const red = board.primary || (isNew && canBePrimary(shape) ? shape.letter : '');
    chosen = shape.letter;
    change(make(board.size, [...others, shape], board.walls, red), `${shape.letter}, ${shape.length} cells`);
  }

  /** @param {Cell} cell */
  function removeAt(cell) {
    const number = cell.row * board.size + cell.col;
    const at = board.vehicles.find((v) => cellsOf(v, board.size).includes(number));
    if (at) remove(at.letter);
    else if (board.walls.has(number)) toggleWall(cell);
  }

  /** @param {string} letter */
  function remove(letter) {
    if (chosen === letter) chosen = '';
    const red = board.primary === letter ? undefined : board.primary;
    change(make(board.size, board.vehicles.filter((v) => v.letter !== letter), board.walls, red), `${letter} removed`);
  }

  /** @param {Cell} cell */
  function toggleWall(cell) {
    const number = cell.row * board.size + cell.col;
    if (taken({ ...board, walls: new Set() }).has(number)) return;
    const walls = new Set(board.walls);
    if (!walls.delete(number)) walls.add(number);
    change(make(board.size, board.vehicles, walls, board.primary), walls.has(number) ? 'Wall' : 'Wall removed');
  }

  /** Keeps what fits.
   * @param {number} next */
  function resize(next) {
    const fits = (/** @type {Vehicle} */ v) => v.row + (v.horizontal ? 1 : v.length) <= next && v.col + (v.horizontal ? v.length : 1) <= next;
    const walls = [...board.walls].map((cell) => [Math.floor(cell / board.size), cell % board.size]).filter(([row, col]) => row < next && col < next);
    cursor = { row: 0, col: 0 };
    change(make(next, board.vehicles.filter(fits), new Set(walls.map(([row, col]) => row * next + col)), board.primary), `${next} by ${next}`);
  }

  /** @param {KeyboardEvent} event */
  function key(event) {
    const arrow = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] }[event.key];
    const v = vehicle(board, chosen);
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (arrow && event.shiftKey && v) {
      const from = { row: v.row, col: v.col };
      gesture = { from, to: { row: v.row + arrow[0], col: v.col + arrow[1] }, letter: chosen, part: 'whole', moved: true };
      release();
    } else if (v && (event.key === '+' || event.key === '-')) {
      stretch(v, event.key === '+' ? 1 : -1);
    } else if (arrow) {
      const within = (/** @type {number} */ n) => Math.max(0, Math.min(board.size - 1, n));
      cursor = { row: within(cursor.row + arrow[0]), col: within(cursor.col + arrow[1]) };
      const sign = text(board)[cursor.row * board.size + cursor.col];
      announce(`Row ${cursor.row + 1}, column ${cursor.col + 1}: ${sign === '.' ? 'empty' : sign === '#' ? 'wall' : sign}`);
    } else if (event.key === 'Enter' || event.key === ' ') {
      press(cursor);
      release();
    } else if (event.key === 'Escape') begin(null);
    else if (event.key.toLowerCase() === 'w') toggleWall(cursor);
    else if (event.key === 'Delete' || event.key === 'Backspace') removeAt(cursor);
    else return;
    event.preventDefault();
    drawOverlay();
  }

  /** @param {Cell | null} cell */
  function begin(cell) {
    begun = cell;
    drawOverlay();
  }

  /** @param {string} letter */
  function choose(letter) {
    chosen = letter;
    drawSelection();
  }

  /** @param {Board} next @param {string} said */
  function change(next, said) {
    past.push(board);
    board = next;
    app.remember(boardParams(board), { replace: false });
    announce(said);
    follow();
  }

  /** A board that was changed is the one to play. */
  function follow() {
    if (board.primary && text(board) + board.primary !== controller.board + controller.primary) {
      void controller.open(text(board), { primary: board.primary });
    } else {
      void controller.learn();
    }
    draw();
  }

  function back() {
    board = past.pop() ?? board;
    app.remember(boardParams(board));
    announce('Undone');
    follow();
  }

  function drawOverlay() {
    const cell = (/** @type {Cell} */ { row, col }, /** @type {string} */ name) =>
      svg('rect', { class: name, x: col * 100 + 4, y: row * 100 + 4, width: 92, height: 92, rx: 14 });
    const shape = gesture?.moved ? shapeOf(gesture) : begun && shapeOf({ from: begun, to: cursor, letter: '', part: 'new', moved: true });
    const start = begun ?? (gesture?.part === 'new' ? gesture.from : null);
    clear(overlay,
      shape ? cellsOf(shape, board.size).map((n) => cell({ row: Math.floor(n / board.size), col: n % board.size }, 'draft')) : start && cell(start, 'draft'),
      cell(cursor, 'cursor'));
  }

  function drawSelection() {
    const v = vehicle(board, chosen);
    view.spotlight(v ? [chosen] : null, false);
    clear(selection);
    if (!v) return;
    selection.append(h('span', {}, h('b', {}, v.letter), ` · ${v.length} cells`),
      h('button', { type: 'button', disabled: !stretched(v, 1), 'aria-label': `${v.letter} longer`, onclick: () => stretch(v, 1) }, '+'),
      h('button', { type: 'button', disabled: !stretched(v, -1), 'aria-label': `${v.letter} shorter`, onclick: () => stretch(v, -1) }, '−'),
      h('button', { type: 'button', disabled: !canBePrimary(v) || v.letter === board.primary, onclick: () => change(make(board.size, board.vehicles, board.walls, v.letter), `${v.letter} is red`) }, 'Make red'),
      h('button', { type: 'button', onclick: () => remove(v.letter) }, 'Remove'));
  }

  function draw() {
    view.draw(board);
    size.value = String(board.size);
    undo.disabled = past.length === 0;
    trouble.hidden = true;
    drawOverlay();
    drawSelection();
    void drawVerdict();
  }

  /** What the controller knows about the board, and then what each vehicle weighs. */
  async function drawVerdict() {
    play.hidden = !board.primary;
    whatIfCard.hidden = !board.primary || board.vehicles.length < 2;
    if (!board.primary) {
      const cars = board.vehicles.some(canBePrimary);
      verdict.textContent = cars ? 'Which car is red?' : 'Put a red car first';
      second.textContent = cars ? 'Choose a car of two cells that lies in a row, then “Make red”.' : 'Two cells side by side, in the row where the exit shall be.';
      clear(reason);
      return;
    }
    play.setAttribute('href', href('/', controller.params));
    const [moves, steps] = METRICS.map((metric) => controller.lookup(metric));
    if (!moves) {
      verdict.textContent = trouble.hidden ? 'Looking it up…' : 'The distance is not known';
      return;
    }
    verdict.textContent = moves.distance === null ? 'There is no way to the exit' : `${length(moves.distance, 'moves')} to the exit`;
    second.textContent = moves.distance === null ? 'Here is the proof:' : steps ? `${length(steps.distance ?? 0, 'steps')}, if steps count` : '';
    clear(reason, reasonView(moves));
    const key = moves.primary + moves.board;
    if (weighed === key) return;
    weighed = key;
    announce(verdict.textContent);
    try {
      drawWhatIf(await app.api.get('without', { board: moves.board, primary: moves.primary, metric: 'moves' }, { kind: 'without' }));
    } catch (error) {
      complain(error);
    }
  }

  /** @param {{ distance: number | null, vehicles: { letter: string, distance: number | null, solvable: boolean, error?: string }[] }} answer */
  function drawWhatIf(answer) {
    clear(whatIf, answer.vehicles.map((one) => {
      const change = (one.distance ?? Infinity) - (answer.distance ?? Infinity);
      const effect = one.error ? [one.error] : [one.distance === null ? 'no way ' : `${length(one.distance, 'moves')} `,
        h('span', { class: change < 0 ? 'better' : change > 0 ? 'worse' : 'muted' },
          Number.isNaN(change) || change === 0 ? 'no change' : one.distance === null ? 'closed' : answer.distance === null ? 'opens the way'
            : change < 0 ? `${-change} fewer` : `${change} more`)];
      const button = h('button', { type: 'button', onclick: () => remove(one.letter), title: `Remove ${one.letter}` }, h('b', {}, one.letter), h('span', {}, effect));
      for (const type of ['pointerenter', 'focus']) button.addEventListener(type, () => view.spotlight([one.letter]));
      for (const type of ['pointerleave', 'blur']) button.addEventListener(type, () => view.spotlight(chosen ? [chosen] : null, false));
      return h('li', {}, button);
    }));
  }

  async function readPaste() {
    try {
      const answer = await app.api.post('read', paste.value, { kind: 'read' });
      change(parse(answer.board, answer.primary), 'Board read');
    } catch (error) {
      complain(error);
    }
  }

  /** @param {unknown} error */
  function complain(error) {
    if (isAbort(error)) return;
    trouble.textContent = error instanceof Error ? error.message : String(error);
    trouble.hidden = false;
    if (!controller.lookup('moves')) void drawVerdict();
  }

  return {
    element,
    async show(params) {
      app.setTitle('Edit');
      const asked = params.get('board');
      board = asked ? await read(asked, params.get('primary') ?? undefined) : controller.game.board;
      if (!vehicle(board, chosen)) chosen = '';
      active = true;
      follow();
    },
    hide() {
      gesture = null;
      active = false;
    },
  };

  /** @param {string} asked @param {string | undefined} primary */
  async function read(asked, primary) {
    try {
      if (!asked.includes('x')) return parse(asked, primary);
    } catch {
      // The server reads more than this page does.
    }
    const answer = await app.api.get('read', { text: asked, primary }, { kind: 'open' });
    return parse(answer.board, answer.primary);
  }
}
