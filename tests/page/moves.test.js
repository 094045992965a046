import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parse, solved, text } from '../../src/serve/page/board.js';
import { apply, isLegal, legalMoves, steps } from '../../src/serve/page/moves.js';
import { formatMove } from '../../src/serve/page/notation.js';

const CARD = 'BB...CD..E.CDAAE.CD..E..F...GGF.HHH.';

test('the moves of the card are those the command line lists', () => {
  const moves = legalMoves(parse(CARD), 'moves').map(formatMove).sort();
  assert.deepEqual(moves, ['B+1', 'B+2', 'B+3', 'C+1', 'E+1', 'E-1', 'G-1', 'G-2', 'G-3', 'H+1', 'H-1']);
});

test('steps are one cell', () => {
  const moves = legalMoves(parse(CARD), 'steps').map(formatMove).sort();
  assert.deepEqual(moves, ['B+1', 'C+1', 'E+1', 'E-1', 'G-1', 'H+1', 'H-1']);
});

test('a move and the same one back give the same board', () => {
  const board = parse(CARD);
  for (const move of legalMoves(board, 'moves')) {
    const after = apply(board, move);
    assert.notEqual(text(after), CARD);
    assert.equal(text(apply(after, { letter: move.letter, by: -move.by })), CARD);
  }
});

test('a move is legal exactly if it is listed', () => {
  const board = parse(CARD);
  const legal = new Set(legalMoves(board, 'moves').map(formatMove));
  for (const { letter } of board.vehicles) {
    for (let by = -6; by <= 6; by++) assert.equal(isLegal(board, { letter, by }), legal.has(formatMove({ letter, by })));
  }
  assert.equal(isLegal(board, { letter: 'Z', by: 1 }), false);
});

test('a slide is so many steps', () => {
  assert.deepEqual(steps({ letter: 'B', by: -2 }), [{ letter: 'B', by: -1 }, { letter: 'B', by: -1 }]);
});

test('a search with these moves finds the 8 moves of the card', () => {
  const seen = new Set([CARD]);
  let [level, distance] = [[parse(CARD)], 0];
  while (!level.some(solved)) {
    distance += 1;
    level = level.flatMap((board) => legalMoves(board, 'moves').map((move) => apply(board, move)))
      .filter((board) => !seen.has(text(board)) && seen.add(text(board)));
  }
  assert.equal(distance, 8);
});
