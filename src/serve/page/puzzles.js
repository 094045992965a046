// The catalogue: filters, what they leave as a histogram and as thumbnails, draws at
// random, and the list to take away. The address holds every choice.

import { address as api, isAbort } from './api.js';
import { thumbnail } from './board-view.js';
import { barChart } from './chart.js';
import { clear, h } from './dom.js';
import { count } from './notation.js';
import { bars, changed, COLUMN, kindsOf, parseRange, queryOf, rangeText, stopOf, stops } from './ranges.js';

/**
 * @typedef {import('./app.js').App} App
 * @typedef {import('./app.js').Page} Page
 * @typedef {import('./ranges.js').Range} Range
 * @typedef {{name: string, column: string, about: string, unit: string, least: number, most: number}} Filter
 *   `name` is what it is called by in addresses, `column` the field of a puzzle
 * @typedef {{size: number, filters: Filter[], kinds: string[], sorts: string[], all_rules: string[], sizes: number[],
 *   catalogue: string, puzzles: number}} Filters
 * @typedef {{id: number, size: number, board: string, moves: number, steps: number, vehicles: number, [column: string]: any}} Puzzle
 * @typedef {Record<string, string|number|null>} Changes
 */

const PER_PAGE = 24;
/** A printable sheet has a few pages. */
const SHEET = 48;
/** Filters that are seen without opening the others. */
const FIRST = ['moves', 'steps', 'vehicles', 'trucks'];
const RULES = /** @type {Record<string, string>} */ ({
  classic: 'The red car is alone in its row, and no line is full.',
  rush: 'The rule of the best-known public list.',
  all: 'Every interesting puzzle.',
});
const FORMATS = [
  ['csv', 'CSV', 'all columns, for spreadsheets'],
  ['jsonl', 'JSON lines', 'an object a line'],
  ['json', 'JSON', 'one document'],
  ['rush', 'Rush', 'moves, board, cluster'],
  ['txt', 'Text', 'a board a line'],
];

/** @param {string} name */
const inWords = (name) => name.replaceAll(/[_-]/g, ' ');
/** @param {string} text */
const capital = (text) => text[0].toUpperCase() + text.slice(1);

/**
 * Two handles and two fields for one column.
 * @param {Filter} filter
 * @param {(text: string) => void} commit
 */
function rangeFilter(filter, commit) {
  const values = stops(filter.least, filter.most);
  const last = values.length - 1;
  const name = inWords(filter.name);
  /** @type {Range} */
  let range = { from: null, to: null };

  const handle = (/** @type {'from'|'to'} */ end) => {
    const words = end === 'from' ? 'at least' : 'at most';
    return h('input', {
      type: 'range', min: 0, max: last, 'aria-label': `${name}, ${words}`,
      oninput: () => drag(end), onchange: () => commit(rangeText(range)),
    });
  };
  const field = (/** @type {'from'|'to'} */ end) => h('input', {
    type: 'number', min: filter.least, max: filter.most, placeholder: String(end === 'from' ? filter.least : filter.most),
    'aria-label': `${name} ${end}`, inputmode: 'numeric',
    onchange: () => {
      range = parseRange(`${fields.from.value}..${fields.to.value}`) ?? { from: null, to: null };
      commit(rangeText(range));
    },
  });
  const handles = { from: handle('from'), to: handle('to') };
  const fields = { from: field('from'), to: field('to') };
  const track = h('div', { class: 'range' }, h('div', { class: 'range-fill' }), handles.from, handles.to);

  /** @param {'from'|'to'} end */
  function drag(end) {
    const at = Number(handles[end].value);
    const other = Number(handles[end === 'from' ? 'to' : 'from'].value);
    const held = end === 'from' ? Math.min(at, other) : Math.max(at, other);
    const free = end === 'from' ? held === 0 : held === last;
    range = { ...range, [end]: free ? null : values[held] };
    draw();
  }

  function draw() {
    for (const end of /** @type {const} */ (['from', 'to'])) {
      const at = stopOf(values, range[end], end === 'to');
      handles[end].value = String(at);
      handles[end].setAttribute('aria-valuetext', (range[end] ?? values[at]).toLocaleString('en'));
      fields[end].value = range[end] === null ? '' : String(range[end]);
      track.style.setProperty(`--${end}`, String(last ? at / last : Number(end === 'to')));
    }
    // At the right end the lower handle has to lie above, or nobody could pull it back.
    handles.from.classList.toggle('above', Number(handles.from.value) > last / 2);
  }
  draw();

  return {
    filter,
    element: h('div', { class: 'filter', role: 'group', 'aria-label': filter.about, title: filter.about },
      h('div', { class: 'filter-head' }, h('span', { class: 'filter-name' }, capital(name)), fields.from, h('span', {}, 'to'), fields.to), track),
    /** @param {string|null} text */
    set(text) {
      range = parseRange(text ?? '') ?? { from: null, to: null };
      draw();
    },
  };
}

/**
 * @param {App} app
 * @returns {Page}
 */
export function create(app) {
  /** @type {URLSearchParams} */
  let at = new URLSearchParams();
  /** Brings the form in line with the address. */
  let sync = () => {};

  const form = h('form', { class: 'filter-form', onsubmit: (/** @type {Event} */ event) => event.preventDefault() });
  const wide = matchMedia('(min-width: 60rem)').matches;
  const side = h('details', { class: 'card filters', open: wide }, h('summary', {}, 'Filters'), form);
  const heading = h('h1', {}, 'Puzzles');
  const found = h('p', {});
  const tools = h('div', { class: 'list-tools no-print' });
  const histogram = h('div', { class: 'histogram' });
  const columnChoice = h('select', { onchange: () => change({ column: columnChoice.value === 'moves' ? null : columnChoice.value }, true) });
  const chartCard = h('section', { class: 'card no-print', 'aria-label': 'Histogram' },
    h('div', { class: 'card-head' }, h('h2', {}, 'What is left'), h('label', {}, 'by ', columnChoice)), histogram);
  const grid = h('ul', { class: 'puzzle-grid' });
  const pager = h('nav', { class: 'pager no-print', 'aria-label': 'Pages of the list' });
  const downloads = h('section', { class: 'card no-print', 'aria-label': 'Downloads' });
  const element = h('div', { class: 'page puzzles-page' }, side,
    h('div', { class: 'page-part' }, h('header', { class: 'page-head' }, heading, found), tools, chartCard, grid, pager, downloads));

  /** Any choice but a page begins at the first page, and a choice of filters ends what was drawn at random.
   * @param {Changes} changes @param {boolean} [same] the list stays as it is */
  function change(changes, same = false) {
    app.go('/puzzles', changed(at, same ? changes : { page: null, ...changes }));
  }

  /** @param {Changes} changes */
  const filterBy = (changes) => change({ seed: null, like: null, no: null, ...changes });

  function unfiltered() {
    return Object.fromEntries([...at.keys()]
      .filter((name) => name.startsWith(COLUMN) || ['kind', 'inventory', 'distinct', 'rules', 'size'].includes(name))
      .map((name) => [name, null]));
  }

  /** @param {Filters} known */
  function buildForm(known) {
    const ranges = known.filters.map((filter) => rangeFilter(filter, (text) => filterBy({ [COLUMN + filter.name]: text || null })));
    const rules = known.all_rules.map((name) => h('input', { type: 'radio', name: 'rules', value: name, onchange: () => filterBy({ rules: name }) }));
    const about = h('p', { class: 'aside' });
    const size = h('select', { onchange: () => filterBy({ ...unfiltered(), size: size.value }) },
      known.sizes.map((n) => h('option', { value: n }, `${n}×${n}`)));
    const kinds = known.kinds.map((kind) => h('input', {
      type: 'checkbox', value: kind,
      onchange: () => filterBy({ kind: kinds.filter((box) => box.checked).map((box) => box.value).join('_') }),
    }));
    const stock = () => filterBy({ inventory: cars.value && trucks.value ? `${cars.value},${trucks.value}` : null });
    const cars = h('input', { type: 'number', min: 1, max: 18, placeholder: '12', onchange: stock });
    const trucks = h('input', { type: 'number', min: 0, max: 12, placeholder: '4', onchange: stock });
    const distinct = h('select', { onchange: () => filterBy({ distinct: distinct.value || null }) },
      h('option', { value: '' }, 'show all'),
      [1, 2, 3, 4].map((n) => h('option', { value: n }, `no two alike: ${count(n, 'vehicle')} or fewer differ`)));
    const more = h('details', {}, h('summary', {}, 'More filters'), ranges.filter((one) => !FIRST.includes(one.filter.name)).map((one) => one.element));
    clear(form,
      h('fieldset', {}, h('legend', {}, 'Rules'),
        h('div', { class: 'segments' }, rules.map((input) => h('label', {}, input, h('span', {}, input.value)))), about),
      known.sizes.length > 1 && h('label', { class: 'line' }, 'Size of the board', size),
      ranges.filter((one) => FIRST.includes(one.filter.name)).map((one) => one.element),
      more,
      h('fieldset', {}, h('legend', {}, 'Some row or column holds'),
        h('div', { class: 'chips' }, kinds.map((input) => h('label', {}, input, h('span', {}, input.value === '-' ? 'nothing' : input.value.replaceAll(',', ' + ')))))),
      h('fieldset', {}, h('legend', {}, 'Can be set up with'),
        h('div', { class: 'line' }, h('label', {}, cars, ' cars'), h('label', {}, trucks, ' trucks'))),
      h('label', { class: 'line stack' }, 'Puzzles that are alike', distinct),
      h('button', { type: 'button', onclick: () => filterBy(unfiltered()) }, 'Clear all filters'));

    sync = () => {
      for (const one of ranges) one.set(at.get(COLUMN + one.filter.name));
      if (ranges.some((one) => at.has(COLUMN + one.filter.name) && !FIRST.includes(one.filter.name))) more.open = true;
      const chosen = at.get('rules') ?? 'classic';
      for (const input of rules) input.checked = input.value === chosen;
      about.textContent = RULES[chosen] ?? '';
      size.value = String(known.size);
      for (const box of kinds) box.checked = kindsOf(at).includes(box.value);
      [cars.value, trucks.value] = (at.get('inventory') ?? ',').split(',');
      distinct.value = at.get('distinct') ?? '';
    };
    clear(columnChoice, known.filters.map(({ name }) => h('option', { value: name }, inWords(name))));
  }

  /** @param {Filters} known */
  function drawTools(known) {
    const order = at.get('sort') ?? '-moves';
    const falling = order.startsWith('-');
    const column = h('select', { value: order.replace(/^-/, ''), onchange: () => change({ sort: (falling ? '-' : '') + column.value }) },
      known.sorts.map((name) => h('option', { value: name }, inWords(name))));
    const seed = h('input', { type: 'number', min: 0, step: 1, value: at.get('seed') ?? '', placeholder: 'any', 'aria-label': 'Seed' });
    const draw = () => change({ seed: seed.value || Math.floor(Math.random() * 1e6), like: null, no: null });
    const lot = h('form', { class: 'tool', onsubmit: (/** @type {Event} */ event) => (event.preventDefault(), draw()) },
      h('label', {}, 'Seed ', seed), h('button', {}, 'Draw at random'));
    if (at.has('seed') || at.has('like')) {
      clear(tools, lot, h('div', { class: 'tool' },
        h('button', { type: 'button', onclick: () => change({ seed: Number(at.get('seed') ?? 0) + 1 }) }, 'Another draw'),
        h('button', { type: 'button', onclick: () => change({ seed: null, like: null, no: null }) }, 'Back to the list')));
      return;
    }
    clear(tools,
      h('div', { class: 'tool' }, h('label', {}, 'Sort by ', column),
        h('button', { type: 'button', onclick: () => change({ sort: (falling ? '' : '-') + column.value }) }, falling ? 'Largest first ↓' : 'Smallest first ↑')),
      lot);
  }

  /** @param {string} column @param {{value: number, count: number}[]} counts */
  function drawHistogram(column, counts) {
    columnChoice.value = column;
    const name = inWords(column);
    const list = bars(counts).map(({ from, to, count: n }) => ({
      from, to, value: n, name: from.toLocaleString('en', { notation: from < 1e4 ? 'standard' : 'compact' }),
      label: `${from === to ? from : `${from} to ${to}`} ${name}: ${count(n, 'puzzle')}`,
    }));
    clear(histogram, list.length > 0 && barChart({
      label: `How many puzzles have how many ${name}`, x: name, y: 'puzzles', height: 190, bars: list,
      onpick: (bar) => {
        const { from, to } = /** @type {typeof list[number]} */ (bar);
        filterBy({ [COLUMN + column]: rangeText({ from, to }) });
      },
    }));
  }

  /** @param {Puzzle} puzzle @param {string} sort @param {Filter[]} filters */
  function card(puzzle, sort, filters) {
    const value = ['id', 'moves', 'steps', 'vehicles'].includes(sort) ? undefined
      : puzzle[filters.find(({ name }) => name === sort)?.column ?? sort];
    const extra = value !== undefined && `${inWords(sort)}: ${Number(value).toLocaleString('en', { maximumFractionDigits: 2 })}`;
    const like = new URLSearchParams({ like: puzzle.board, no: String(puzzle.id) });
    return h('li', { class: 'puzzle' },
      h('a', { class: 'puzzle-board', href: `/?board=${puzzle.board}`, 'aria-label': `Play puzzle ${puzzle.id}: ${count(puzzle.moves, 'move')}, ${count(puzzle.vehicles, 'vehicle')}` },
        thumbnail(puzzle.board, 'A')),
      h('p', {}, h('strong', {}, count(puzzle.moves, 'move')), h('a', { class: 'no-print', href: `/puzzles?${like}` }, 'Next like this')),
      h('p', {}, `${count(puzzle.steps, 'step')}, ${count(puzzle.vehicles, 'vehicle')}`),
      extra && h('p', {}, extra),
      h('p', {}, `no. ${puzzle.id}`));
  }

  /** @param {number} matching @param {number} page */
  function drawPager(matching, page) {
    const pages = Math.ceil(matching / PER_PAGE);
    const to = (/** @type {number} */ number, /** @type {string} */ text) => h('button', {
      type: 'button', disabled: number < 1 || number > pages,
      onclick: () => {
        change({ page: number });
        heading.scrollIntoView();
      },
    }, text);
    clear(pager, pages > 1 && [to(page - 1, '← Previous'), h('span', {}, `page ${page} of ${pages.toLocaleString('en')}`), to(page + 1, 'Next →')]);
  }

  /** @param {string} route @param {import('./api.js').Params} query @param {number} most puzzles in the list */
  function drawDownloads(route, query, most) {
    const sheet = Math.min(most, SHEET);
    downloads.hidden = most === 0;
    const link = (/** @type {string} */ format, /** @type {number} */ limit) => api(route, { ...query, format, limit });
    clear(downloads,
      h('h2', {}, 'Take them away'),
      h('ul', { class: 'downloads' },
        FORMATS.map(([format, name, about]) => h('li', {}, h('a', { class: 'button', href: link(format, most), download: `puzzles.${format}` }, name), h('span', {}, about))),
        h('li', {}, h('a', { class: 'button', href: link('pdf', sheet), target: '_blank' }, 'Printable sheet (PDF)'), h('span', {}, count(sheet, 'puzzle'))),
        h('li', {}, h('button', { type: 'button', onclick: () => print() }, 'Print this page'), h('span', {}, 'the boards above'))));
  }

  /** Which list the address means.
   * @returns {{route: string, query: import('./api.js').Params, title: string}} */
  function request() {
    const query = queryOf(at);
    const seed = at.get('seed');
    if (at.has('like')) {
      return { route: 'similar', query: { board: at.get('like'), rules: query.rules, seed: seed ?? 0 }, title: `Like puzzle ${at.get('no') ?? at.get('like')}` };
    }
    if (seed !== null) return { route: 'random', query: { ...query, seed }, title: `Drawn at random with seed ${seed}` };
    return { route: 'puzzles', query: { ...query, sort: at.get('sort') ?? '-moves' }, title: 'Puzzles' };
  }

  async function load() {
    const size = at.get('size') ?? '';
    /** @type {Filters} */
    const known = await app.api.get('filters', { size }, { kind: 'puzzles-filters' });
    if (form.dataset.size !== String(known.size)) {
      buildForm(known);
      form.dataset.size = String(known.size);
    }
    sync();
    drawTools(known);
    const { route, query, title } = request();
    heading.textContent = title;
    const paged = route === 'puzzles';
    const column = at.get('column') ?? 'moves';
    const page = Math.max(1, Number(at.get('page') ?? 1) || 1);
    element.setAttribute('aria-busy', 'true');
    const [answer, shape] = await Promise.all([
      app.api.get(route, { ...query, limit: PER_PAGE, offset: paged ? (page - 1) * PER_PAGE : null }, { kind: 'puzzles-list' }),
      paged ? app.api.get('puzzles/histogram', { ...queryOf(at), column }, { kind: 'puzzles-histogram' }) : null,
    ]);
    chartCard.hidden = !shape;
    if (shape) drawHistogram(column, shape.counts);
    const words = paged ? `${count(answer.matching, 'puzzle')} of ${known.puzzles.toLocaleString('en')} match` : `${answer.puzzles.length} of ${count(answer.matching, 'puzzle')}`;
    const starter = known.catalogue === 'starter' ? [' (starter catalogue; ', h('code', {}, 'tailback build'), ' makes the complete one)'] : [];
    clear(found, words, starter);
    const sort = (at.get('sort') ?? 'moves').replace(/^-/, '');
    clear(grid, answer.puzzles.map((/** @type {Puzzle} */ puzzle) => card(puzzle, sort, known.filters)),
      answer.puzzles.length === 0 && h('li', { class: 'empty' }, 'No puzzle is like that. Widen a filter, or clear them all.'));
    drawPager(paged ? answer.matching : 0, page);
    drawDownloads(route, query, paged ? Math.min(answer.matching, app.status.limits.listed) : answer.puzzles.length);
    app.announce(words);
  }

  return {
    element,
    async show(params) {
      at = new URLSearchParams(params);
      app.setTitle('Puzzles');
      try {
        await load();
      } catch (error) {
        if (isAbort(error)) return;
        clear(grid, h('li', { class: 'problem', role: 'alert' }, /** @type {Error} */ (error).message));
        clear(pager);
      }
      element.removeAttribute('aria-busy');
    },
    hide() {},
  };
}
