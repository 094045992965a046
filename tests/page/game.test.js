import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parse, text } from '../../src/serve/page/board.js';
import { Game } from '../../src/serve/page/game.js';

const CARD = 'BB...CD..E.CDAAE.CD..E..F...GGF.HHH.';
const move = (letter, by) => ({ letter, by });
const played = (...moves) => Game.of(parse(CARD), moves);

test('a legal move is played, an illegal one is not', () => {
  const game = new Game(parse(CARD));
  assert.equal(game.play(move('A', 1)), false);
  assert.equal(game.at, 0);
  assert.equal(game.play(move('B', 2)), true);
  assert.equal(text(game.board).slice(0, 6), '..BB.C');
});

test('undo, redo and restart', () => {
  const game = played(move('B', 1), move('G', -3));
  const end = text(game.board);
  game.undo();
  assert.deepEqual([game.at, game.canUndo, game.canRedo], [1, true, true]);
  game.redo();
  assert.equal(text(game.board), end);
  game.restart();
  assert.deepEqual([text(game.board), game.canUndo, game.moves.length], [CARD, false, 2]);
});

test('another move drops what was undone, the same one keeps it', () => {
  const game = played(move('B', 1), move('G', -3));
  game.jump(0);
  game.play(move('B', 1));
  assert.equal(game.moves.length, 2);
  game.play(move('C', 1));
  assert.deepEqual(game.moves, [move('B', 1), move('C', 1)]);
  assert.equal(game.boards.length, 3);
});

test('a jump stays within the game', () => {
  const game = played(move('B', 1));
  for (const [to, at] of [[-3, 0], [99, 1], [NaN, 0], [0.9, 0]]) {
    game.jump(to);
    assert.equal(game.at, at);
  }
});

test('an illegal move in an address ends the game there', () => {
  const game = played(move('B', 1), move('A', 5), move('G', -1));
  assert.deepEqual(game.moves, [move('B', 1)]);
});

test('moves and steps are counted up to where one stands', () => {
  const game = played(move('B', 3), move('G', -2));
  assert.deepEqual(game.made, { moves: 2, steps: 5 });
  game.undo();
  assert.deepEqual(game.made, { moves: 1, steps: 3 });
});

test('the texts are the start and the board after each move', () => {
  const game = played(move('B', 1), move('B', -1));
  assert.deepEqual([game.texts[0], game.texts[2], game.texts.length], [CARD, CARD, 3]);
});

test('a game is solved where the red car is at the edge', () => {
  const game = Game.of(parse('....AA..........'), [move('A', 2), move('A', -1)]);
  assert.equal(game.solved, false);
  game.undo();
  assert.equal(game.solved, true);
});
