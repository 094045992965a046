// Owns the game and what is known about its boards, and emits events; the
// views only draw.
//
//   change   the game, the metric or the help was changed
//   known    the server told something new about the boards of the game
//   trouble  detail: an Error; the server refused, or does not answer

import { boardParams, gameParams } from './address.js';
import { isAbort } from './api.js';
import { parse, text } from './board.js';
import { Game } from './game.js';
import { apply, legalMoves, steps } from './moves.js';
import { formatMove, parseMove } from './notation.js';

/**
 * @typedef {import('./moves.js').Move} Move
 * @typedef {import('./moves.js').Metric} Metric
 * @typedef {{ vehicles: string[], board: string, minimal: boolean, text: string }} Reason
 * @typedef {{ board: string, primary: string, size: number, metric: Metric, solvable: boolean, distance: number | null,
 *   source: string, id: number | null, reason?: Reason, choices: { move: string, distance: number | null, loss: number | null }[] }} Lookup
 * @typedef {{ move: Move, before: number, after: number, loss: number, mark: 'good' | 'fair' | 'bad' }} Graded
 *   `loss`: how much longer the way became than it had to be
 */

/** The first board anyone sees. */
const EXAMPLE = 'BB...CD..E.CDAAE.CD..E..F...GGF.HHH.';
/** @type {Metric[]} */
export const METRICS = ['moves', 'steps'];

export class Controller extends EventTarget {
  #api;
  #game = new Game(parse(EXAMPLE));
  /** @type {Metric} */
  #metric = 'moves';
  #help = true;
  /** Distances by metric, red car and board; null: there is no way. @type {Map<string, number | null>} */
  #distances = new Map();
  /** @type {Map<string, Lookup>} */
  #lookups = new Map();
  /** The best moves, by the same keys. @type {Map<string, string[]>} */
  #best = new Map();

  /** @param {import('./api.js').Api} api */
  constructor(api) {
    super();
    this.#api = api;
  }

  get game() { return this.#game; }
  get metric() { return this.#metric; }
  get help() { return this.#help; }
  /** The text of the board as it stands. */
  get board() { return text(this.#game.board); }
  /** The text of the board the game began with. */
  get start() { return text(this.#game.start); }
  get primary() { return this.#game.start.primary; }
  /** The moves played up to here, as notation. */
  get moves() { return this.#game.moves.slice(0, this.#game.at).map(formatMove); }
  /** The whole state for an address. */
  get params() { return gameParams(this.#game, this.#metric, this.#help); }
  /** The board as it stands, for an address. */
  get boardParams() { return boardParams(this.#game.board); }

  /** Opens a board in any form that the server reads. Rejects with a sentence if there is none in it.
   * @param {string} board @param {{ primary?: string, moves?: readonly (Move | string)[], at?: number, metric?: Metric, help?: boolean }} [options] */
  async open(board, { primary, moves = [], at, metric, help } = {}) {
    const start = readPlain(board || EXAMPLE, primary) ?? await this.#read(board, primary);
    const list = moves.flatMap((move) => (typeof move === 'string' ? parseMove(move) ?? [] : move));
    this.#game = Game.of(start, list, at);
    this.#metric = metric ?? this.#metric;
    this.#help = help ?? this.#help;
    this.#changed();
  }

  /** @param {string} board @param {string | undefined} primary */
  async #read(board, primary) {
    const answer = await this.#api.get('read', { text: board, primary }, { kind: 'open' });
    return parse(answer.board, answer.primary);
  }

  /** @param {Move} move @returns {boolean} was it legal? */
  play(move) {
    return this.#game.play(move) && this.#changed();
  }

  undo() { this.jump(this.#game.at - 1); }
  redo() { this.jump(this.#game.at + 1); }
  restart() { this.jump(0); }

  /** @param {number} at */
  jump(at) {
    this.#game.jump(at);
    this.#changed();
  }

  /** @param {Metric} metric */
  setMetric(metric) {
    this.#metric = metric;
    this.#changed();
  }

  /** @param {boolean} help */
  setHelp(help) {
    this.#help = help;
    this.#changed();
  }

  /** What the server said about the board as it stands.
   * @param {Metric} [metric] */
  lookup(metric = this.#metric) {
    return this.#lookups.get(this.#key(metric, this.board));
  }

  /** The distance after a move from the board as it stands; null: no way; undefined: not known yet.
   * @param {Move} move */
  after(move) {
    return this.distance(text(apply(this.#game.board, move)));
  }

  /** @param {string} board @param {Metric} [metric] */
  distance(board, metric = this.#metric) {
    return this.#distances.get(this.#key(metric, board));
  }

  /** How good a slide between two distances is.
   * @param {number} before @param {number} after @param {Move} move */
  grade(before, after, move) {
    const cost = this.#metric === 'steps' ? Math.abs(move.by) : 1;
    const loss = after - before + cost;
    return { loss, mark: /** @type {Graded['mark']} */ (loss === 0 ? 'good' : after <= before ? 'fair' : 'bad') };
  }

  /** The best moves of a board of the game, as far as they are known.
   * @param {string} board */
  best(board) {
    return this.#best.get(this.#key(this.#metric, board)) ?? [];
  }

  /** Every move of the game, as far as its distances are known.
   * @returns {(Graded | null)[]} */
  graded() {
    const { moves, texts } = this.#game;
    return moves.map((move, i) => {
      const [before, after] = [this.distance(texts[i]), this.distance(texts[i + 1])];
      if (typeof before !== 'number' || typeof after !== 'number') return null;
      return { move, before, after, ...this.grade(before, after, move) };
    });
  }

  /** A hint for the board as it stands.
   * @param {'vehicle' | 'move' | 'line'} degree
   * @returns {Promise<{ vehicle: string | null, move: string | null, words: string | null, line?: string[] }>} */
  hint(degree) {
    return this.#api.get('hint', { board: this.board, primary: this.primary, metric: this.#metric, degree }, { kind: 'hint' });
  }

  /** An optimal solution of the board as it stands, or null.
   * @returns {Promise<string[] | null>} */
  async solution() {
    const params = { board: this.board, primary: this.primary, metric: this.#metric };
    return (await this.#api.get('solve', params, { kind: 'solve' })).solution;
  }

  /** @param {Metric} metric @param {string} board */
  #key(metric, board) {
    return metric + this.primary + board;
  }

  #changed() {
    this.dispatchEvent(new Event('change'));
    void this.learn();
    return true;
  }

  /** Asks for what the views show and nobody has asked for yet. */
  async learn() {
    const here = this.board;
    const places = here === this.start ? ['here'] : ['here', 'start'];
    const asked = METRICS.flatMap((metric) => places.map((place) => this.#look(place === 'here' ? here : this.start, metric, `${place} ${metric}`)));
    try {
      await Promise.all(asked);
      await Promise.all([this.#learnGame(), this.#learnSlides(here)]);
    } catch (error) {
      if (!isAbort(error)) this.dispatchEvent(new CustomEvent('trouble', { detail: error }));
    }
  }

  /** @param {string} board @param {Metric} metric @param {string} kind */
  async #look(board, metric, kind) {
    const key = this.#key(metric, board);
    if (this.#lookups.has(key)) return;
    const { primary } = this;
    /** @type {Lookup} */
    const answer = await this.#api.get('lookup', { board, primary, metric }, { kind });
    this.#lookups.set(key, answer);
    this.#distances.set(key, answer.distance);
    this.#best.set(key, answer.choices.filter(({ loss }) => loss === 0).map(({ move }) => move));
    const parsed = parse(board, primary);
    for (const choice of answer.choices) {
      const move = parseMove(choice.move);
      if (move) this.#distances.set(metric + primary + text(apply(parsed, move)), choice.distance);
    }
    this.dispatchEvent(new Event('known'));
  }

  /** The distances and best moves along the game, if it was opened from a link or the metric is another one. */
  async #learnGame() {
    const [metric, game] = [this.#metric, this.#game];
    const { texts } = game;
    if (texts.slice(0, -1).every((board) => this.#best.has(this.#key(metric, board)))) return;
    const parts = game.moves.map((move) => (metric === 'steps' ? steps(move) : [move]));
    const body = { board: texts[0], primary: this.primary, metric, moves: parts.flat().map(formatMove) };
    const answer = await this.#api.post('grade', body, { kind: 'grade' });
    let at = 0;
    parts.forEach((part, i) => {
      this.#best.set(this.#key(metric, texts[i]), answer.game[at].best);
      at += part.length;
      this.#distances.set(this.#key(metric, texts[i + 1]), answer.game[at - 1].after);
    });
    this.dispatchEvent(new Event('known'));
  }

  /** In steps a longer slide is no choice of its own, but a place to stop all the same.
   * @param {string} here */
  async #learnSlides(here) {
    if (this.#metric !== 'steps' || here !== this.board) return;
    const { board } = this.#game;
    const unknown = legalMoves(board, 'moves').map((move) => text(apply(board, move)))
      .filter((after) => !this.#distances.has(this.#key('steps', after)));
    if (unknown.length === 0) return;
    /** @type {Lookup[]} */
    const answers = await this.#api.post(`lookup?metric=steps&primary=${this.primary}`, unknown.join('\n'), { kind: 'slides', as: 'lines' });
    answers.forEach((answer, i) => {
      if (answer.distance !== undefined) this.#distances.set(this.#key('steps', unknown[i]), answer.distance);
    });
    this.dispatchEvent(new Event('known'));
  }
}

/** The board, if the text is just as this page writes it. Anything else the server reads:
 * an `x`, for one, can be a wall or a car.
 * @param {string} board @param {string | undefined} primary */
function readPlain(board, primary) {
  if (board.includes('x')) return null;
  try {
    const parsed = parse(board, primary);
    return parsed.primary ? parsed : null;
  } catch {
    return null;
  }
}
