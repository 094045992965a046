// A board: vehicles and walls on a square of 4 to 8 cells a side. No DOM here.
// Its text has one sign a cell, row by row: `.` empty, `#` or `x` a wall, any
// other letter a vehicle; this is how the server writes boards, too.

/**
 * @typedef {{ letter: string, row: number, col: number, length: number, horizontal: boolean }} Vehicle
 *   `row` and `col` are those of its first cell, from 0.
 * @typedef {{ size: number, primary: string, vehicles: readonly Vehicle[], walls: ReadonlySet<number> }} Board
 *   `primary` is the letter of the red car, '' while there is none; vehicles are
 *   in the order of their letters; a wall is a cell number, row * size + col.
 */

export const SIZES = [4, 5, 6, 7, 8];
/** The letters in the order in which the editor gives them out. `o` and `x` have other meanings. */
export const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnpqrstuvwyz';
const RED_LETTERS = 'AXR';

/** Reads the text of a board. Throws an `Error` with a sentence.
 * @param {string} text @param {string} [primary] if it is not the usual one
 * @returns {Board} */
export function parse(text, primary) {
  const size = Math.sqrt(text.length);
  if (!SIZES.includes(size)) throw new Error(`A board has 16, 25, 36, 49 or 64 cells, not ${text.length}.`);
  /** @type {Map<string, number[]>} */
  const cells = new Map();
  const walls = new Set();
  for (let cell = 0; cell < text.length; cell++) {
    const sign = text[cell];
    if (sign === '#' || sign === 'x') walls.add(cell);
    else if (LETTERS.includes(sign)) cells.set(sign, [...(cells.get(sign) ?? []), cell]);
    else if (sign !== '.') throw new Error(`‘${sign}’ is neither empty (.), nor a wall (#), nor a vehicle.`);
  }
  const vehicles = [...cells].map(([letter, list]) => vehicleOf(letter, list, size));
  return make(size, vehicles, walls, primary);
}

/** @param {string} letter @param {number[]} list @param {number} size @returns {Vehicle} */
function vehicleOf(letter, list, size) {
  const step = list.length > 1 ? list[1] - list[0] : 0;
  const [row, col] = [Math.floor(list[0] / size), list[0] % size];
  const horizontal = step === 1;
  const straight = (horizontal || step === size) && list.every((cell, i) => cell === list[0] + i * step);
  if (!straight || (horizontal && col + list.length > size)) {
    throw new Error(`The cells of ${letter} are not one straight run of two or more.`);
  }
  return { letter, row, col, length: list.length, horizontal };
}

/** @param {number} size @param {readonly Vehicle[]} vehicles @param {ReadonlySet<number>} walls
 * @param {string} [primary] without it, the only candidate @returns {Board} */
export function make(size, vehicles, walls, primary) {
  const sorted = [...vehicles].sort((a, b) => (a.letter < b.letter ? -1 : 1));
  const red = sorted.find((v) => v.letter === primary && canBePrimary(v));
  return { size, vehicles: sorted, walls, primary: red?.letter ?? usualPrimary(size, sorted) };
}

/** Only a car of two cells in a row can leave through the exit on the right.
 * @param {Vehicle} v */
export const canBePrimary = (v) => v.horizontal && v.length === 2;

/** The red car if none is named, or '' if it is a question: the rules of docs/boards.md.
 * @param {number} size @param {readonly Vehicle[]} vehicles */
export function usualPrimary(size, vehicles) {
  const exit = Math.floor((size - 1) / 2);
  const cars = vehicles.filter(canBePrimary);
  const isRed = (/** @type {Vehicle} */ v) => RED_LETTERS.includes(v.letter.toUpperCase());
  const red = cars.filter(isRed);
  const inRow = cars.filter((v) => v.row === exit);
  const redInRow = inRow.filter(isRed);
  const only = (/** @type {Vehicle[]} */ list) => (list.length === 1 ? list[0].letter : '');
  if (redInRow.length > 0) {
    const lower = size % 2 === 0 && red.some((v) => v.row === exit + 1);
    return lower ? '' : only(redInRow);
  }
  if (inRow.length > 0) return red.length === 0 ? only(inRow) : '';
  if (red.length > 0) return only(red);
  const lies = vehicles.some((v) => v.horizontal && v.row === exit);
  return lies ? '' : only(cars);
}

/** @param {Board} board */
export function text(board) {
  const signs = Array(board.size ** 2).fill('.');
  for (const wall of board.walls) signs[wall] = '#';
  for (const v of board.vehicles) for (const cell of cellsOf(v, board.size)) signs[cell] = v.letter;
  return signs.join('');
}

/** @param {Vehicle} v @param {number} size */
export function cellsOf(v, size) {
  const step = v.horizontal ? 1 : size;
  return Array.from({ length: v.length }, (_, i) => v.row * size + v.col + i * step);
}

/** @param {Board} board @param {string} letter */
export const vehicle = (board, letter) => board.vehicles.find((v) => v.letter === letter);

/** Does the red car touch the right edge?
 * @param {Board} board */
export function solved(board) {
  const red = vehicle(board, board.primary);
  return red !== undefined && red.col + red.length === board.size;
}

/** All cells that are not empty.
 * @param {Board} board @param {string} [except] a vehicle that is left out @returns {Set<number>} */
export function taken(board, except) {
  const cells = new Set(board.walls);
  for (const v of board.vehicles) {
    if (v.letter !== except) for (const cell of cellsOf(v, board.size)) cells.add(cell);
  }
  return cells;
}

/** How many cells a vehicle can slide left or up (`back`) and right or down (`ahead`).
 * @param {Board} board @param {Vehicle} v */
export function freeRun(board, v) {
  const full = taken(board, v.letter);
  const step = v.horizontal ? 1 : board.size;
  const first = v.row * board.size + v.col;
  const start = v.horizontal ? v.col : v.row;
  const run = { back: 0, ahead: 0 };
  while (run.back < start && !full.has(first - (run.back + 1) * step)) run.back++;
  while (start + v.length + run.ahead < board.size && !full.has(first + (v.length + run.ahead) * step)) run.ahead++;
  return run;
}

/** The board upside down; the exit stays on the right.
 * @param {Board} board @returns {Board} */
export function mirror(board) {
  const { size } = board;
  const vehicles = board.vehicles.map((v) => ({ ...v, row: size - v.row - (v.horizontal ? 1 : v.length) }));
  const walls = new Set([...board.walls].map((cell) => (size - 1 - Math.floor(cell / size)) * size + (cell % size)));
  return make(size, vehicles, walls, board.primary);
}
