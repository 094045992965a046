// Moves as text: `B+2` for machines, "B right 2" for people. No DOM here.

import { vehicle } from './board.js';

/** @typedef {import('./moves.js').Move} Move */

/** @param {string} text @returns {Move | null} null if it is no move */
export function parseMove(text) {
  // A plus that nobody escaped arrives as a space from an address.
  const [, letter, sign, cells] = /^([A-Za-z])([+ -])([1-7])$/.exec(text) ?? [];
  return letter ? { letter, by: sign === '-' ? -cells : +cells } : null;
}

/** @param {Move} move */
export const formatMove = ({ letter, by }) => `${letter}${by < 0 ? '' : '+'}${by}`;

/** @param {import('./board.js').Board} board @param {Move} move */
export function words(board, { letter, by }) {
  const [back, ahead] = vehicle(board, letter)?.horizontal ? ['left', 'right'] : ['up', 'down'];
  return `${letter} ${by < 0 ? back : ahead} ${Math.abs(by)}`;
}

/** "1 move", "8 moves", "12,345 boards".
 * @param {number} n @param {string} noun in the singular */
export const count = (n, noun) => `${n.toLocaleString('en')} ${noun}${n === 1 ? '' : 's'}`;

/** "8 moves", "1 step".
 * @param {number} n @param {import('./moves.js').Metric} metric */
export const length = (n, metric) => count(n, metric.slice(0, -1));
