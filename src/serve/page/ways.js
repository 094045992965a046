// What the optimal ways through a cluster look like: where they fork and where play is forced.
// No DOM here.

/**
 * @typedef {{distance: number, boards: number, on_optimal: number, forks: number}} Level
 * @typedef {{distance: number, board: string, node: number|null, best: string[]}} OnWay a board on an optimal way
 * @typedef {{from: number, to: number, forced: boolean, boards: number, forks: number}} Stretch
 *   distances from the start downwards, both included
 */

/** So far apart are boards of a level at the most, as a share of its row: the ways of a small level lie together. */
const GAP = 0.07;

/**
 * Levels that follow each other and are alike: forced, if each board on an optimal way there
 * has one best move only, so that nothing is left to choose whichever way one came.
 * @param {Level[]} levels by rising distance
 * @returns {Stretch[]} from the start to the exit
 */
export function stretches(levels) {
  /** @type {Stretch[]} */
  const result = [];
  for (const level of levels.slice(1).reverse()) {
    if (!level.on_optimal) continue;
    const forced = level.forks === 0;
    const last = result[result.length - 1];
    if (last && last.forced === forced) {
      last.to = level.distance;
      last.boards += level.on_optimal;
      last.forks += level.forks;
    } else {
      result.push({ from: level.distance, to: level.distance, forced, boards: level.on_optimal, forks: level.forks });
    }
  }
  return result;
}

/**
 * Steps of the optimal ways, as places in `onWay`.
 * @param {OnWay[]} onWay
 * @param {(board: string, move: string) => string} play
 * @returns {[number, number][]}
 */
export function links(onWay, play) {
  // A wall is written in two ways.
  const plain = (/** @type {string} */ board) => board.replaceAll('x', '#');
  const places = new Map(onWay.map((one, place) => [plain(one.board), place]));
  /** @type {[number, number][]} */
  const result = [];
  onWay.forEach((one, place) => {
    for (const move of one.best) {
      const next = places.get(plain(play(one.board, move)));
      if (next !== undefined) result.push([place, next]);
    }
  });
  return result;
}

/**
 * Places for boards that the server gave none, each from 0 to 1 in its level: below the boards
 * that lead to them, so that few steps cross.
 * @param {OnWay[]} onWay the farthest first
 * @param {[number, number][]} steps
 * @returns {number[]}
 */
export function spread(onWay, steps) {
  const sums = onWay.map(() => [0, 0]);
  const at = onWay.map(() => 0.5);
  for (let begin = 0, step = 0; begin < onWay.length; ) {
    let end = begin;
    while (end < onWay.length && onWay[end].distance === onWay[begin].distance) end++;
    const row = Array.from({ length: end - begin }, (_, i) => begin + i);
    const wish = (/** @type {number} */ i) => (sums[i][1] ? sums[i][0] / sums[i][1] : 0.5);
    row.sort((a, b) => wish(a) - wish(b) || a - b);
    row.forEach((i, k) => (at[i] = 0.5 + (k - (row.length - 1) / 2) * Math.min(GAP, 1 / row.length)));
    for (; step < steps.length && steps[step][0] < end; step++) {
      const [from, to] = steps[step];
      sums[to][0] += at[from];
      sums[to][1]++;
    }
    begin = end;
  }
  return at;
}
