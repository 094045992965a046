import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parse } from '../../src/serve/page/board.js';
import { legalMoves } from '../../src/serve/page/moves.js';
import { count, formatMove, length, parseMove, words } from '../../src/serve/page/notation.js';

const board = parse('BB...CD..E.CDAAE.CD..E..F...GGF.HHH.');

test('every move reads back', () => {
  for (const move of legalMoves(board, 'moves')) assert.deepEqual(parseMove(formatMove(move)), move);
});

test('a plus that an address turned into a space is read', () => {
  assert.deepEqual(parseMove('B 2'), { letter: 'B', by: 2 });
});

test('what is no move is null', () => {
  for (const text of ['', 'B', 'B2', 'B+0', 'B+8', 'BB+1', '+1', 'B+1 ', '3+1']) assert.equal(parseMove(text), null);
});

test('words name the direction', () => {
  assert.equal(words(board, { letter: 'B', by: 2 }), 'B right 2');
  assert.equal(words(board, { letter: 'G', by: -3 }), 'G left 3');
  assert.equal(words(board, { letter: 'C', by: 1 }), 'C down 1');
  assert.equal(words(board, { letter: 'E', by: -1 }), 'E up 1');
});

test('units are written out', () => {
  assert.deepEqual([length(1, 'moves'), length(8, 'moves'), length(0, 'steps'), count(12345, 'board')], ['1 move', '8 moves', '0 steps', '12,345 boards']);
});
