// The state of the page as an address, and back. No DOM here.

import { text, usualPrimary } from './board.js';
import { formatMove, parseMove } from './notation.js';

/**
 * @typedef {import('./board.js').Board} Board
 * @typedef {import('./moves.js').Move} Move
 * @typedef {import('./moves.js').Metric} Metric
 * @typedef {{ board: string, primary: string, moves: Move[], at: number | undefined, metric: Metric, help: boolean | undefined }} State
 *   `help` undefined: as it was
 */

/** What an address says about the game. Moves that cannot be read end the list.
 * @param {URLSearchParams} params @returns {State} */
export function readState(params) {
  const moves = [];
  for (const word of (params.get('moves') ?? '').split(/[._,]/)) {
    const move = parseMove(word);
    if (!move) break;
    moves.push(move);
  }
  const at = params.get('at');
  return {
    board: (params.get('board') ?? '').trim(),
    primary: params.get('primary') ?? '',
    moves,
    at: at === null || !/^\d+$/.test(at) ? undefined : Number(at),
    metric: params.get('metric') === 'steps' ? 'steps' : 'moves',
    help: params.has('help') ? params.get('help') !== 'off' : undefined,
  };
}

/** What stands in an address for a board: its text, and the red car if it is not the usual one.
 * @param {Board} board @returns {Record<string, string>} */
export function boardParams(board) {
  const usual = usualPrimary(board.size, board.vehicles) === board.primary;
  return { board: text(board), ...(usual || !board.primary ? {} : { primary: board.primary }) };
}

/** A whole game. What is as usual is left out, so that addresses stay short.
 * @param {import('./game.js').Game} game @param {Metric} metric @param {boolean} help
 * @returns {Record<string, string>} */
export function gameParams(game, metric, help) {
  return {
    ...boardParams(game.start),
    ...(game.moves.length > 0 ? { moves: game.moves.map(formatMove).join('.') } : {}),
    ...(game.canRedo ? { at: String(game.at) } : {}),
    ...(metric === 'steps' ? { metric } : {}),
    ...(help ? {} : { help: 'off' }),
  };
}

/** @param {string} path @param {Record<string, string> | URLSearchParams} params */
export function href(path, params) {
  const query = String(new URLSearchParams(params));
  return query ? `${path}?${query}` : path;
}
