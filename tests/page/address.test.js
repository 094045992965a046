import assert from 'node:assert/strict';
import { test } from 'node:test';
import { boardParams, gameParams, href, readState } from '../../src/serve/page/address.js';
import { parse } from '../../src/serve/page/board.js';
import { Game } from '../../src/serve/page/game.js';

const CARD = 'BB...CD..E.CDAAE.CD..E..F...GGF.HHH.';
const moves = [{ letter: 'B', by: 1 }, { letter: 'G', by: -3 }];
const read = (address) => readState(new URL(address, 'http://localhost').searchParams);

test('a whole game goes into an address and comes back', () => {
  const game = Game.of(parse(CARD), moves, 1);
  const state = read(href('/', gameParams(game, 'steps', false)));
  assert.deepEqual(state, { board: CARD, primary: '', moves, at: 1, metric: 'steps', help: false });
});

test('what is as usual is not in the address', () => {
  assert.equal(href('/', gameParams(new Game(parse(CARD)), 'moves', true)), `/?board=${CARD}`);
  assert.equal(href('/map', {}), '/map');
});

test('another red car is in the address', () => {
  assert.deepEqual(boardParams(parse('AA..CC..........', 'C')), { board: 'AA..CC..........', primary: 'C' });
  assert.deepEqual(boardParams(parse(CARD)), { board: CARD });
  assert.deepEqual(boardParams(parse('.'.repeat(16))), { board: '.'.repeat(16) });
});

test('walls survive', () => {
  assert.equal(read(href('/', boardParams(parse('AA.#............')))).board, 'AA.#............');
});

test('moves are read with each sign between them, and with a bare plus', () => {
  for (const address of ['/?moves=B%2B1.G-3', '/?moves=B%2B1_G-3', '/?moves=B+1,G-3']) assert.deepEqual(read(address).moves, moves);
});

test('nonsense in an address is left out', () => {
  const state = read('/?moves=B%2B1.what.G-3&at=-1&metric=miles');
  assert.deepEqual(state, { board: '', primary: '', moves: moves.slice(0, 1), at: undefined, metric: 'moves', help: undefined });
});
