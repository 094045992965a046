import assert from 'node:assert/strict';
import test from 'node:test';

import { bars, changed, parseRange, queryOf, rangeText, stopOf, stops } from '../../src/serve/page/ranges.js';
import { links, spread, stretches } from '../../src/serve/page/ways.js';

test('ranges are read and printed', () => {
  assert.deepEqual(parseRange('20..30'), { from: 20, to: 30 });
  assert.deepEqual(parseRange('20..'), { from: 20, to: null });
  assert.deepEqual(parseRange('..30'), { from: null, to: 30 });
  assert.deepEqual(parseRange('20'), { from: 20, to: 20 });
  assert.deepEqual(parseRange('1.5..2.5'), { from: 1.5, to: 2.5 });
  for (const text of ['', 'a', '20-30', '-3', '1...2', '1..2..3']) assert.equal(parseRange(text), null, text);
  for (const text of ['20..30', '20..', '..30', '20']) assert.equal(rangeText(parseRange(text) ?? { from: null, to: null }), text);
  assert.equal(rangeText({ from: null, to: null }), '');
});

test('a slider stops at every whole number, or at round ones', () => {
  assert.deepEqual(stops(3, 6), [3, 4, 5, 6]);
  assert.deepEqual(stops(7, 7), [7]);
  const wide = stops(1, 24_132);
  assert.equal(wide[0], 1);
  assert.equal(wide.at(-1), 24_132);
  assert.ok(wide.length < 60);
  assert.ok(wide.every((value, i) => i === 0 || value > wide[i - 1]));
  assert.ok(stops(1, 2 ** 63).length < 130);
});

test('a handle never hides what its range lets through', () => {
  const values = stops(1, 24_132);
  for (const value of [1, 4, 99, 100, 24_132]) {
    assert.ok(values[stopOf(values, value, false)] <= value);
    assert.ok(values[stopOf(values, value, true)] >= value);
  }
  assert.equal(stopOf(values, null, false), 0);
  assert.equal(stopOf(values, null, true), values.length - 1);
  assert.equal(stopOf(values, 99_999, true), values.length - 1);
});

test('bars lose no puzzle', () => {
  const narrow = bars([{ value: 3, count: 2 }, { value: 5, count: 1 }]);
  assert.deepEqual(narrow, [{ from: 3, to: 3, count: 2 }, { from: 4, to: 4, count: 0 }, { from: 5, to: 5, count: 1 }]);
  const counts = Array.from({ length: 500 }, (_, i) => ({ value: 1 + i * i, count: i }));
  const wide = bars(counts);
  assert.ok(wide.length <= 60);
  assert.equal(wide.reduce((sum, bar) => sum + bar.count, 0), counts.reduce((sum, one) => sum + one.count, 0));
  assert.deepEqual(bars([]), []);
});

test('the address of the page becomes a question to the API', () => {
  const address = new URLSearchParams('board=AA&moves=B%2B1&only-moves=20..&kind=2,3_2&rules=all&page=3&sort=-steps');
  assert.deepEqual(queryOf(address), { moves: '20..', rules: 'all', kind: ['2,3', '2'] });
  assert.deepEqual(changed(new URLSearchParams('board=AA&page=3'), { page: null, sort: 'moves', seed: 7, kind: '' }), { board: 'AA', sort: 'moves', seed: '7' });
});

// Two ways from 3: one over a fork at 2.
const WAYS = [
  { distance: 3, board: 'a', node: null, best: ['l', 'r'] },
  { distance: 2, board: 'al', node: null, best: ['l'] },
  { distance: 2, board: 'ar', node: null, best: ['l', 'r'] },
  { distance: 1, board: 'arl', node: null, best: ['l'] },
];
const play = (/** @type {string} */ board, /** @type {string} */ move) => board + move;

test('stretches of forced play', () => {
  const level = (/** @type {number} */ distance, /** @type {number} */ on, /** @type {number} */ forks) => ({ distance, boards: 9, on_optimal: on, forks });
  assert.deepEqual(stretches([level(0, 1, 0), level(1, 2, 0), level(2, 2, 0), level(3, 2, 1), level(4, 1, 0), level(5, 0, 0)]), [
    { from: 4, to: 4, forced: true, boards: 1, forks: 0 },
    { from: 3, to: 3, forced: false, boards: 2, forks: 1 },
    { from: 2, to: 1, forced: true, boards: 4, forks: 0 },
  ]);
});

test('optimal ways are joined, and each level is spread over its row', () => {
  const steps = links(WAYS, play);
  assert.deepEqual(steps, [[0, 1], [0, 2], [2, 3]]);
  const at = spread(WAYS, steps);
  assert.equal(at[0], 0.5);
  assert.ok(at[1] < 0.5 && at[2] > 0.5);
  assert.equal(at[3], 0.5);
});
