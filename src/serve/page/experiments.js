// Evolution: experiments in their folders, their curves while they run, new ones from
// templates. Those that are ticked are drawn over each other.

import { isAbort } from './api.js';
import { lineChart, seriesColour } from './chart.js';
import { clear, h } from './dom.js';
import { changed } from './ranges.js';

/**
 * @typedef {import('./app.js').App} App
 * @typedef {import('./app.js').Page} Page
 * @typedef {'running'|'paused'|'ended'} State
 * @typedef {{name: string, state: State, runs: number, generations: number, of: number|null, best: string|null,
 *   cost: number|null, test: number|null, error: string|null}} Experiment
 * @typedef {'champion'|'test'|'best'|'median'|'diversity'|'parts'} Measure
 * @typedef {{generation: number} & Record<Measure, number|null>} Generation
 * @typedef {Experiment & {text: string, metric: string, reproducible: boolean, best_run: number|null,
 *   curves: {run: number, ended: string|null, records: Generation[]}[]}} Details
 */

const EVERY_MS = 2000;
/** @type {[Measure, string][]} */
const MEASURES = [
  ['champion', 'cost of the best so far'],
  ['test', 'its cost on the test boards'],
  ['best', 'best cost of the generation'],
  ['median', 'median cost of the generation'],
  ['diversity', 'share of genomes that differ'],
  ['parts', 'parts of a formula on average'],
];

/** @param {number|null} value */
const cost = (value) => (value === null ? '–' : value.toLocaleString('en', { maximumSignificantDigits: 4 }));

/**
 * @param {App} app
 * @returns {Page}
 */
export function create(app) {
  let at = new URLSearchParams();
  /** @type {Experiment[]} */
  let list = [];
  /** @type {Details[]} */
  let open = [];
  let timer = 0;
  let visible = false;

  const problem = h('p', { class: 'problem', role: 'alert', hidden: true });
  const table = h('div', { class: 'scroll', tabindex: 0, role: 'group', 'aria-label': 'Table of experiments' });
  const measure = h('select', { onchange: () => drawCurves() }, MEASURES.map(([name, words]) => h('option', { value: name }, words)));
  const curves = h('div', {});
  const curveCard = h('section', { class: 'card', 'aria-label': 'Curves' },
    h('div', { class: 'card-head' }, h('h2', {}, 'Curves'), h('label', {}, 'Show ', measure)), curves);
  const champions = h('div', { class: 'champions' });

  const template = h('select', { onchange: () => act(fillIn) });
  const name = h('input', { type: 'text', required: true, pattern: '[A-Za-z0-9][A-Za-z0-9._\\-]*', maxlength: 60, placeholder: 'my-first' });
  const text = h('textarea', { rows: 18, spellcheck: 'false', required: true });
  const starter = h('details', { class: 'card' }, h('summary', {}, 'Start a new experiment'),
    h('form', {
      onsubmit: (/** @type {Event} */ event) => {
        event.preventDefault();
        act(start);
      },
    },
    h('div', { class: 'line' }, h('label', {}, 'Template ', template), h('label', {}, 'Name ', name)),
    h('label', { class: 'line stack' }, 'Experiment (TOML)', text),
    h('button', { class: 'primary' }, 'Start')));
  const element = h('div', { class: 'page experiments-page' },
    h('header', { class: 'page-head' }, h('h1', {}, 'Experiments'),
      h('p', {}, 'Heuristics that are bred: formulas over the building blocks, generation by generation. The lower the cost, the better.')),
    problem, h('section', { class: 'card', 'aria-label': 'Experiments' }, table), curveCard, champions, starter);

  const shown = () => (at.get('show') ?? '').split(',').filter(Boolean);

  /** Runs what the user asked for, and says what went wrong.
   * @param {() => Promise<void>} task */
  async function act(task) {
    try {
      await task();
      problem.hidden = true;
    } catch (error) {
      if (isAbort(error)) return;
      problem.textContent = /** @type {Error} */ (error).message;
      problem.hidden = false;
    }
  }

  async function fillIn() {
    const answer = await app.api.get(`experiments/templates/${encodeURIComponent(template.value)}`);
    text.value = answer.text;
  }

  async function start() {
    await app.api.post('experiments', { name: name.value, text: text.value });
    app.announce(`${name.value} has started`);
    starter.open = false;
    app.go('/experiments', changed(at, { show: [...shown(), name.value].join(',') }));
  }

  /** @param {Experiment} one @param {'pause'|'resume'} verb */
  async function turn(one, verb) {
    await app.api.post(`experiments/${encodeURIComponent(one.name)}/${verb}`, {});
    app.announce(`${one.name}: ${verb === 'pause' ? 'paused' : 'runs again'}`);
    await load();
  }

  /** @param {Experiment} one */
  function row(one) {
    const key = (/** @type {string} */ what) => `${what} ${one.name}`;
    const verb = one.state === 'running' ? 'pause' : 'resume';
    const index = open.findIndex((other) => other.name === one.name);
    const input = h('input', {
      type: 'checkbox', checked: shown().includes(one.name), 'data-key': key('show'), 'aria-label': `draw the curves of ${one.name}`,
      onchange: () => {
        const rest = shown().filter((other) => other !== one.name);
        app.go('/experiments', changed(at, { show: (input.checked ? [...rest, one.name] : rest).join(',') || ',' }), { replace: true });
      },
    });
    return h('tr', {},
      h('td', { class: 'words' }, h('label', { class: 'box' }, input)),
      h('th', { scope: 'row' }, index >= 0 && h('span', { class: 'swatch', style: { background: seriesColour(index) } }), one.name, one.error && h('p', { class: 'problem' }, one.error)),
      h('td', { class: 'words' }, h('span', { class: `state ${one.state}` }, one.state), ' ',
        one.state !== 'ended' && h('button', { type: 'button', 'data-key': key(verb), 'aria-label': key(verb), onclick: () => act(() => turn(one, verb)) }, verb === 'pause' ? 'Pause' : 'Resume')),
      h('td', {}, one.of !== null && h('progress', { max: one.of, value: one.generations, 'aria-label': `generations of ${one.name}` }),
        ` ${one.generations.toLocaleString('en')}${one.of === null ? '' : ` of ${one.of.toLocaleString('en')}`}`),
      h('td', {}, one.runs), h('td', {}, cost(one.cost)), h('td', {}, cost(one.test)));
  }

  function drawTable() {
    // The table is drawn anew every two seconds; whoever is in it by keyboard stays there.
    const held = document.activeElement instanceof HTMLElement && table.contains(document.activeElement) ? document.activeElement.dataset.key : undefined;
    clear(table, list.length === 0 ? h('p', { class: 'aside' }, 'There is no experiment in the folder yet. Start one below.')
      : h('table', {},
        h('thead', {}, h('tr', {}, ['Draw', 'Name', 'State', 'Generations', 'Runs', 'Cost', 'Test'].map((words, i) => h('th', { scope: 'col', class: i < 3 && 'words' }, words)))),
        h('tbody', {}, list.map(row))));
    if (held) table.querySelector(/** @type {'input'} */ (`[data-key="${CSS.escape(held)}"]`))?.focus();
  }

  function drawCurves() {
    const what = /** @type {Measure} */ (measure.value);
    curveCard.hidden = open.length === 0;
    const line = (/** @type {Details['curves'][number]} */ curve) => curve.records.map((record) => ({ x: record.generation, y: record[what] }));
    // One experiment: a colour a run. Several: a colour each, its runs one after the other with a gap between.
    const series = open.length === 1
      ? open[0].curves.map((curve) => ({ name: `run ${curve.run}`, points: line(curve) }))
      : open.map((one) => ({ name: one.name, points: one.curves.flatMap((curve) => [...line(curve), { x: 0, y: null }]) }));
    const words = MEASURES.find(([name]) => name === what)?.[1] ?? '';
    clear(curves, series.some((one) => one.points.some((point) => point.y !== null))
      ? lineChart({ label: `${words} by generation`, x: 'generation', y: words, height: 300, series })
      : h('p', { class: 'aside' }, 'No generation has ended yet.'));
  }

  function drawChampions() {
    // Only what has changed, so that pictures do not flicker and open texts stay open.
    const wanted = open.map((one) => `${one.name} ${one.best}`);
    const there = /** @type {HTMLElement[]} */ ([...champions.children]);
    if (wanted.join('\n') === there.map((child) => child.dataset.of).join('\n')) return;
    clear(champions, open.map((one, index) => there.find((child) => child.dataset.of === wanted[index]) ?? champion(one, wanted[index])));
  }

  /** The formula as a picture. An image cannot show a token, so it is asked for here.
   * @param {Details} one */
  function tree(one) {
    const image = h('img', { alt: `The formula as a tree: ${one.best}` });
    void act(async () => {
      const svg = await app.api.get(`experiments/${encodeURIComponent(one.name)}/best.svg`, {}, { as: 'text', fresh: true });
      image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`;
    });
    return image;
  }

  /** @param {Details} one @param {string} of */
  function champion(one, of) {
    return h('section', { class: 'card champion', 'data-of': of, 'aria-label': one.name },
      h('h2', {}, one.name),
      one.best ? [
        h('p', { class: 'aside' }, `The best individual${one.best_run === null ? '' : `, from run ${one.best_run}`}, in ${one.metric}:`),
        h('pre', {}, h('code', {}, one.best)),
        h('div', { class: 'scroll tree', tabindex: 0, role: 'group', 'aria-label': 'The formula as a tree' }, tree(one)),
      ] : h('p', { class: 'aside' }, 'No individual yet.'),
      h('details', {}, h('summary', {}, 'The experiment'), h('pre', {}, h('code', {}, one.text)),
        !one.reproducible && h('p', { class: 'aside' }, 'A limit is in seconds, so the same seed may give another result.')));
  }

  async function load() {
    const answer = await app.api.get('experiments', {}, { kind: 'experiments', fresh: true });
    list = answer.experiments;
    if (template.options.length === 0 && answer.templates.length > 0) {
      clear(template, answer.templates.map((/** @type {string} */ one) => h('option', { value: one }, one)));
      await fillIn();
    }
    const names = shown().filter((one) => list.some((other) => other.name === one));
    open = await Promise.all(names.map((one) => app.api.get(`experiments/${encodeURIComponent(one)}`, {}, { kind: `experiment ${one}`, fresh: true })));
    drawTable();
    drawCurves();
    drawChampions();
  }

  function watch() {
    clearTimeout(timer);
    if (!visible) return;
    timer = setTimeout(async () => {
      if (!document.hidden && list.some((one) => one.state === 'running')) await act(load);
      watch();
    }, EVERY_MS);
  }

  return {
    element,
    async show(params) {
      at = new URLSearchParams(params);
      app.setTitle('Experiments');
      visible = true;
      await act(load);
      // Whoever comes without a wish sees the one that runs.
      const first = list.find((one) => one.state === 'running') ?? list[0];
      if (first && !at.has('show')) app.go('/experiments', changed(at, { show: first.name }), { replace: true });
      watch();
    },
    hide() {
      visible = false;
      clearTimeout(timer);
    },
  };
}
