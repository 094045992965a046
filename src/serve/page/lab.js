// The laboratory: searches of the current board side by side, and what each
// building block says of it.

import { isAbort } from './api.js';
import { thumbnail } from './board-view.js';
import { METRICS } from './controller.js';
import { clear, h } from './dom.js';
import { count, length } from './notation.js';
import { changed } from './ranges.js';

/**
 * @typedef {import('./app.js').App} App
 * @typedef {import('./app.js').Page} Page
 * @typedef {{name: string, about: string, guided: boolean}} Algorithm
 * @typedef {{name: string, definition: string, source: string, admissible_in_moves: boolean|null, admissible_in_steps: boolean|null,
 *   condition: boolean, value?: number|null}} Heuristic a condition asks about the last move, so it says nothing of a board
 * @typedef {{algorithm: string, heuristic: string|null, length: number|null, generated: number, expanded: number,
 *   distinct: number|null, stored: number, branching_factor: number|null, proven_optimal: boolean, stopped: string|null,
 *   at_least: number|null, seconds: number}} Run
 */

const ALGORITHMS = 'bfs,greedy,astar,ida-tt';
const HEURISTICS = 'zero,blocking,advanced-admissible';

/** What can be measured, with its unit; the first is drawn unless another is chosen.
 * @type {[keyof Run, string, string][]} */
const MEASURES = [
  ['generated', 'Generated', 'nodes'],
  ['expanded', 'Expanded', 'nodes'],
  ['distinct', 'Distinct', 'boards'],
  ['stored', 'Stored', 'boards'],
  ['branching_factor', 'Branching', 'effective factor'],
  ['seconds', 'Time', 'milliseconds'],
  ['length', 'Length', ''],
];

/** @param {Run} run */
const nameOf = (run) => [run.algorithm, run.heuristic].filter(Boolean).join(' ');

/** @param {Run} run @param {keyof Run} measure @returns {number|null} */
function valueOf(run, measure) {
  const value = /** @type {number|null} */ (run[measure]);
  return measure === 'seconds' && value !== null ? value * 1000 : value;
}

/** @param {number|null} value */
const number = (value) => (value === null ? '–' : value.toLocaleString('en', { maximumFractionDigits: value < 10 ? 2 : value < 100 ? 1 : 0 }));

/**
 * @param {App} app
 * @returns {Page}
 */
export function create(app) {
  let at = new URLSearchParams();
  /** @type {{algorithms: Algorithm[], heuristics: Heuristic[], distance?: number|null, solvable?: boolean}} */
  let known = { algorithms: [], heuristics: [] };
  /** What the table shows: a link that was run is run once only. */
  let shown = '';
  /** @type {keyof Run} */
  let measure = 'generated';
  let sorted = { by: /** @type {keyof Run|null} */ (null), falling: true };

  const board = h('div', { class: 'lab-board' });
  const algorithmList = h('div', { class: 'pick-list' });
  const blocks = h('div', { class: 'scroll', tabindex: 0, role: 'group', 'aria-label': 'Table of building blocks' });
  const plan = h('span', { class: 'aside' });
  const runButton = h('button', { type: 'button', class: 'primary', onclick: () => app.go('/lab', changed(at, { ...chosen(), run: 1 })) }, 'Run');
  const results = h('section', { class: 'card', 'aria-label': 'Results' });
  const element = h('div', { class: 'page lab-page' },
    h('header', { class: 'page-head' }, h('h1', {}, 'Laboratory'),
      h('p', {}, 'How hard is this board for a search? Every algorithm counts by the same rule, and the true distance stands beside it.')),
    h('div', { class: 'page-part lab-top' },
      h('section', { class: 'card', 'aria-label': 'Board' }, board),
      h('section', { class: 'card', 'aria-label': 'Algorithms' }, h('h2', {}, 'Algorithms'), algorithmList,
        h('p', { class: 'line' }, runButton, plan))),
    results,
    h('section', { class: 'card', 'aria-label': 'Building blocks' }, h('h2', {}, 'Heuristics and building blocks'),
      h('p', { class: 'aside' }, 'What each says of this board. Ticked ones guide the searches that need a guess.'), blocks));

  /** That of the address, or else that of the game. */
  const metric = () => METRICS.find((name) => name === at.get('metric')) ?? app.controller.metric;
  /** @param {'algorithms'|'heuristics'} what */
  const picked = (what) => (at.get(what) ?? (what === 'algorithms' ? ALGORITHMS : HEURISTICS)).split(',').filter(Boolean);
  const chosen = () => ({ algorithms: picked('algorithms').join(','), heuristics: picked('heuristics').join(',') });

  /** @param {'algorithms'|'heuristics'} what @param {string} name */
  function box(what, name) {
    const input = h('input', {
      type: 'checkbox', name: what, value: name,
      onchange: () => {
        const list = picked(what).filter((one) => one !== name);
        if (input.checked) list.push(name);
        app.go('/lab', changed(at, { ...chosen(), [what]: list.join(',') || ',', run: null }), { replace: true });
      },
    });
    return input;
  }

  function syncTicks() {
    for (const input of /** @type {NodeListOf<HTMLInputElement>} */ (element.querySelectorAll('[type=checkbox]'))) {
      input.checked = picked(/** @type {'algorithms'|'heuristics'} */ (input.name)).includes(input.value);
    }
  }

  /** The methods that the ticks come to. */
  function methods() {
    const algorithms = known.algorithms.filter((one) => picked('algorithms').includes(one.name));
    const heuristics = known.heuristics.filter((one) => picked('heuristics').includes(one.name));
    return { algorithms, heuristics, runs: algorithms.reduce((sum, one) => sum + (one.guided ? heuristics.length : 1), 0) };
  }

  function drawPlan() {
    const { algorithms, heuristics, runs } = methods();
    const most = app.status.limits.runs;
    const lacks = heuristics.length === 0 && algorithms.some((one) => one.guided);
    runButton.disabled = runs === 0 || runs > most;
    plan.textContent = runs > most ? `${runs} searches: pick fewer, ${most} at most`
      : `${runs === 0 ? 'No search' : runs === 1 ? '1 search' : `${runs} searches`}${lacks ? '; tick a heuristic for the others' : ''}`;
  }

  function drawBoard() {
    const { controller } = app;
    const words = known.distance === undefined ? '' : known.solvable ? `${length(known.distance ?? 0, metric())} to the exit` : 'no solution';
    const units = METRICS.map((name) => h('label', {}, h('input', {
      type: 'radio', name: 'metric', checked: name === metric(), onchange: () => app.go('/lab', changed(at, { metric: name, run: null }), { replace: true }),
    }), h('span', {}, name)));
    const held = board.contains(document.activeElement);
    clear(board, thumbnail(controller.board, controller.primary), h('p', {}, h('strong', {}, words)),
      h('fieldset', { class: 'segments', 'aria-label': 'Count' }, units));
    if (held) /** @type {HTMLElement|null} */ (board.querySelector(':checked'))?.focus();
  }

  function drawBlocks() {
    const { distance } = known;
    const cell = (/** @type {Heuristic} */ one) => {
      if (one.condition) return '–';
      if (one.value === null || one.value === undefined) return 'unsolvable';
      const share = distance ? Math.min(1, one.value / distance) : 0;
      return h('span', { class: 'guess' }, h('b', {}, number(one.value)), h('i', { style: { width: `${share * 4}rem` } }));
    };
    clear(algorithmList, known.algorithms.map((one) => h('label', { class: 'pick' }, box('algorithms', one.name), h('span', {}, h('code', {}, one.name), h('small', {}, one.about)))));
    clear(blocks, h('table', { class: 'blocks' },
      h('thead', {}, h('tr', {}, ['Use', 'What it counts', `Value${distance === undefined || distance === null ? '' : ` (exact: ${distance})`}`, 'Never too high'].map((text) => h('th', { scope: 'col' }, text)))),
      h('tbody', {}, known.heuristics.map((one) => {
        const input = box('heuristics', one.name);
        input.setAttribute('aria-label', `use ${one.name}`);
        return h('tr', {}, h('td', {}, !one.condition && h('label', { class: 'box' }, input)),
          h('th', { scope: 'row' }, h('code', {}, one.name), h('span', {}, one.definition, one.source && h('small', {}, ` (${one.source})`))),
          h('td', {}, cell(one)),
          h('td', {}, { true: 'yes', false: 'no' }[String(one[`admissible_in_${metric()}`])] ?? '–'));
      }))));
  }

  /** @param {Run} run @param {number|null} distance */
  function lengthCell(run, distance) {
    if (run.stopped) return `stopped by the limit of ${run.stopped}${run.at_least === null ? '' : `; at least ${run.at_least}`}`;
    if (run.length === null) return 'no solution';
    const over = distance === null ? 0 : run.length - distance;
    return h('span', { class: over ? 'over' : 'exact' }, `${run.length} `, h('small', {}, over ? `+${over}` : run.proven_optimal ? 'optimal, proven' : 'optimal'));
  }

  /** Bars that lie, since the names of searches are long.
   * @param {Run[]} runs @param {string} metric */
  function chart(runs, metric) {
    const values = runs.map((run) => valueOf(run, measure) ?? 0);
    const [, words, unit] = MEASURES.find(([name]) => name === measure) ?? MEASURES[0];
    const most = Math.max(...values, Number.MIN_VALUE);
    const log = most > 100 * Math.max(1, Math.min(...values));
    const share = (/** @type {number} */ value) => (log ? Math.log(Math.max(1, value)) / Math.log(most) : value / most);
    return [
      h('p', { class: 'aside' }, `${words} in ${unit || metric}${log ? ', on a logarithmic scale' : ''}`),
      h('ul', { class: 'rows', 'aria-label': `${words} of each search` }, runs.map((run, i) => h('li', { class: run.stopped && 'stopped' },
        h('code', {}, nameOf(run)),
        h('span', {}, h('i', { style: { width: `calc((100% - 8rem) * ${share(values[i])})` } }), number(valueOf(run, measure)), run.stopped && ' (stopped)')))),
    ];
  }

  /** @param {{runs: Run[], metric: import('./moves.js').Metric, solvable: boolean|null, distance: number|null, limits: Record<string, number>}} answer */
  function drawResults(answer) {
    const runs = [...answer.runs];
    const { by, falling } = sorted;
    if (by) runs.sort((a, b) => ((valueOf(a, by) ?? Infinity) - (valueOf(b, by) ?? Infinity)) * (falling ? -1 : 1));
    const again = () => drawResults(answer);
    const head = MEASURES.map(([name, words]) => h('th', { scope: 'col', 'aria-sort': by === name && (falling ? 'descending' : 'ascending') },
      h('button', {
        type: 'button', class: 'sort',
        onclick: () => {
          sorted = { by: name, falling: by === name && !falling };
          again();
        },
      }, name === 'seconds' ? `${words}, ms` : words, by === name && (falling ? ' ↓' : ' ↑'))));
    const choice = h('select', {
      value: measure,
      onchange: () => {
        measure = /** @type {keyof Run} */ (choice.value);
        again();
      },
    }, MEASURES.map(([name, words, unit]) => h('option', { value: name }, unit ? `${words}, ${unit}` : words)));
    clear(results,
      h('div', { class: 'card-head' }, h('h2', {}, 'Results'), h('label', {}, 'Chart of ', choice)),
      chart(runs, answer.metric),
      h('div', { class: 'scroll', tabindex: 0, role: 'group', 'aria-label': 'Table of searches' }, h('table', { class: 'runs' },
        h('thead', {}, h('tr', {}, h('th', { scope: 'col' }, 'Search'), head)),
        h('tbody', {}, runs.map((run) => h('tr', {}, h('th', { scope: 'row' }, h('code', {}, nameOf(run))),
          MEASURES.map(([name]) => h('td', {}, name === 'length' ? lengthCell(run, answer.distance) : number(valueOf(run, name))))))))),
      h('p', { class: 'aside' }, answer.distance !== null ? `The optimum is ${length(answer.distance, answer.metric)}. ` : answer.solvable === false && 'The board has no solution. ',
        `A search stops at ${count(answer.limits.nodes, 'node')} or after ${count(answer.limits.seconds, 'second')}; those that were stopped have hatched bars.`));
  }

  async function run() {
    const { algorithms, heuristics } = methods();
    const { board: text, primary } = app.controller;
    const body = { board: text, primary, metric: metric(), algorithms: algorithms.map((one) => one.name), heuristics: heuristics.map((one) => one.name) };
    const key = JSON.stringify(body);
    if (key === shown) return;
    clear(results, h('h2', {}, 'Results'), h('p', { class: 'aside' }, 'Searching…'));
    const answer = await app.api.post('compare', body, { kind: 'compare' });
    shown = key;
    drawResults(answer);
    app.announce(`${count(answer.runs.length, 'result')} in the table`);
  }

  return {
    element,
    async show(params) {
      at = new URLSearchParams(params);
      app.setTitle('Laboratory');
      const { board: text, primary } = app.controller;
      if (!shown) clear(results, h('h2', {}, 'Results'), h('p', { class: 'aside' }, 'Tick algorithms and heuristics, then run them.'));
      try {
        const answer = await app.api.get('heuristics', { board: text, primary, metric: metric() }, { kind: 'heuristics' });
        if (answer !== known) {
          known = answer;
          drawBoard();
          drawBlocks();
        }
        syncTicks();
        drawPlan();
        if (at.has('run')) await run();
      } catch (error) {
        if (isAbort(error)) return;
        shown = '';
        clear(results, h('h2', {}, 'Results'), h('p', { class: 'problem', role: 'alert' }, /** @type {Error} */ (error).message));
      }
    },
    hide() {},
  };
}
