import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cellsOf, freeRun, make, mirror, parse, solved, taken, text, usualPrimary, vehicle } from '../../src/serve/page/board.js';

const CARD = 'BB...CD..E.CDAAE.CD..E..F...GGF.HHH.';

test('a board is read and written back', () => {
  const board = parse(CARD);
  assert.equal(board.size, 6);
  assert.equal(board.primary, 'A');
  assert.deepEqual(vehicle(board, 'C'), { letter: 'C', row: 0, col: 5, length: 3, horizontal: false });
  assert.equal(text(board), CARD);
});

test('every size from 4 to 8 is read, others are refused', () => {
  for (const size of [4, 5, 6, 7, 8]) assert.equal(parse(`AA${'.'.repeat(size * size - 2)}`).size, size);
  for (const length of [0, 9, 35, 81]) assert.throws(() => parse('.'.repeat(length)), /cells/);
});

test('both signs of a wall are read', () => {
  const board = parse('AA.x....#.......');
  assert.deepEqual([...board.walls], [3, 8]);
  assert.equal(text(board), 'AA.#....#.......');
});

test('what is no board is refused with its letter', () => {
  for (const [cells, letter] of [['A...............', 'A'], ['AA.A............', 'A'], ['...BB...........', 'B'], ['AA..A...........', 'A']]) {
    assert.throws(() => parse(cells), new RegExp(`cells of ${letter}`));
  }
  assert.throws(() => parse('AA?.............'), /\?/);
});

test('the red car is the one of docs/boards.md', () => {
  const red = (cells) => parse(cells).primary;
  // The red letter in the row of the exit, the only car there, the only red one, the only one.
  assert.equal(red('....AABB........'), 'A');
  assert.equal(red('BB..CC..........'), 'C');
  assert.equal(red('BB......AA......'), 'A');
  assert.equal(red('BB..............'), 'B');
  // Questions: two red cars in the middle, a car in the row beside a red one elsewhere, two cars outside.
  assert.equal(red('....AA..XX......'), '');
  assert.equal(red('AA..CC..........'), '');
  assert.equal(red('BB..........CC..'), '');
  assert.equal(usualPrimary(6, []), '');
});

test('a named red car comes first, if it can be one', () => {
  assert.equal(parse('AA..CC..........', 'C').primary, 'C');
  assert.equal(parse('AA..C...C.......', 'C').primary, 'A');
});

test('solved means at the right edge', () => {
  assert.equal(solved(parse('....BBAA........', 'A')), true);
  assert.equal(solved(parse('.....AA.........')), false);
});

test('the free run ends at vehicles, walls and edges', () => {
  const board = parse(CARD);
  const run = (letter) => freeRun(board, vehicle(board, letter));
  assert.deepEqual(run('B'), { back: 0, ahead: 3 });
  assert.deepEqual(run('A'), { back: 0, ahead: 0 });
  assert.deepEqual(run('E'), { back: 1, ahead: 1 });
  const walled = parse('#AA.#...........');
  assert.deepEqual(freeRun(walled, vehicle(walled, 'A')), { back: 0, ahead: 1 });
});

test('upside down twice is the same board', () => {
  const board = parse('AA.#B...B...CCC.', 'A');
  assert.equal(text(mirror(board)), 'CCC.B...B...AA.#');
  assert.equal(mirror(board).primary, 'A');
  assert.equal(text(mirror(mirror(board))), text(board));
});

test('taken cells are those of vehicles and walls', () => {
  const board = make(4, [{ letter: 'A', row: 1, col: 0, length: 2, horizontal: true }], new Set([15]));
  assert.deepEqual([...taken(board)].sort((a, b) => a - b), [4, 5, 15]);
  assert.deepEqual([...taken(board, 'A')], [15]);
  assert.deepEqual(cellsOf(board.vehicles[0], 4), [4, 5]);
});
