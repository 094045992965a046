// A game: the board it starts from, the moves played, and where in them one
// stands. Undone moves are kept until another one is played. No DOM here.

import { solved, text } from './board.js';
import { apply, isLegal } from './moves.js';
import { formatMove } from './notation.js';

/**
 * @typedef {import('./board.js').Board} Board
 * @typedef {import('./moves.js').Move} Move
 */

export class Game {
  /** The start and the board after each move. @type {Board[]} */
  #boards;
  /** @type {Move[]} */
  #moves = [];
  #at = 0;

  /** @param {Board} start */
  constructor(start) {
    this.#boards = [start];
  }

  /** A game from an address. Whatever follows an illegal move is left out.
   * @param {Board} start @param {readonly Move[]} moves @param {number} [at] all, if it is missing */
  static of(start, moves, at = moves.length) {
    const game = new Game(start);
    for (const move of moves) if (!game.play(move)) break;
    game.jump(at);
    return game;
  }

  get start() { return this.#boards[0]; }
  get board() { return this.#boards[this.#at]; }
  /** All moves, with those that were undone. @returns {readonly Move[]} */
  get moves() { return this.#moves; }
  /** How many of the moves are played. */
  get at() { return this.#at; }
  /** @returns {readonly Board[]} */
  get boards() { return this.#boards; }
  get solved() { return solved(this.board); }
  get canUndo() { return this.#at > 0; }
  get canRedo() { return this.#at < this.#moves.length; }

  /** @param {Move} move @returns {boolean} false if it is illegal, and nothing is changed */
  play(move) {
    if (!isLegal(this.board, move)) return false;
    const next = this.#moves[this.#at];
    // The move that was undone, played again, keeps those after it.
    if (!next || formatMove(next) !== formatMove(move)) {
      this.#boards.splice(this.#at + 1, Infinity, apply(this.board, move));
      this.#moves.splice(this.#at, Infinity, move);
    }
    this.#at++;
    return true;
  }

  /** @param {number} at is brought into bounds */
  jump(at) {
    this.#at = Math.max(0, Math.min(this.#moves.length, Math.trunc(at) || 0));
  }

  undo() { this.jump(this.#at - 1); }
  redo() { this.jump(this.#at + 1); }
  restart() { this.jump(0); }

  /** Moves and steps played up to here. */
  get made() {
    const played = this.#moves.slice(0, this.#at);
    return { moves: played.length, steps: played.reduce((sum, { by }) => sum + Math.abs(by), 0) };
  }

  /** The texts of all boards, for asking about them. */
  get texts() { return this.#boards.map(text); }
}
