// Moves: which there are, and the board after one. No DOM here.

import { freeRun, make, vehicle } from './board.js';

/**
 * @typedef {import('./board.js').Board} Board
 * @typedef {'moves' | 'steps'} Metric a slide of any length is one move; a step is one cell
 * @typedef {{ letter: string, by: number }} Move `by` cells right or down, or left or up if negative
 */

/** @param {Board} board @param {Metric} metric @returns {Move[]} */
export function legalMoves(board, metric) {
  const most = metric === 'steps' ? 1 : board.size;
  return board.vehicles.flatMap((v) => {
    const { back, ahead } = freeRun(board, v);
    const moves = [];
    for (let by = 1; by <= Math.min(back, most); by++) moves.push({ letter: v.letter, by: -by });
    for (let by = 1; by <= Math.min(ahead, most); by++) moves.push({ letter: v.letter, by });
    return moves;
  });
}

/** @param {Board} board @param {Move} move */
export function isLegal(board, { letter, by }) {
  const v = vehicle(board, letter);
  if (!v || by === 0) return false;
  const run = freeRun(board, v);
  return by < 0 ? -by <= run.back : by <= run.ahead;
}

/** @param {Board} board @param {Move} move a legal one @returns {Board} */
export function apply(board, { letter, by }) {
  const vehicles = board.vehicles.map((v) => {
    if (v.letter !== letter) return v;
    return v.horizontal ? { ...v, col: v.col + by } : { ...v, row: v.row + by };
  });
  return make(board.size, vehicles, board.walls, board.primary);
}

/** The same slide, a cell at a time.
 * @param {Move} move @returns {Move[]} */
export const steps = ({ letter, by }) => Array.from({ length: Math.abs(by) }, () => ({ letter, by: Math.sign(by) }));
