// The shell: which page is shown, the navigation, the theme, the address.

import { href, readState } from './address.js';
import { Api } from './api.js';
import { Controller } from './controller.js';
import { announce, h } from './dom.js';
import { formatMove } from './notation.js';
import { create as createPlay } from './play.js';

/**
 * @typedef {object} Status what `GET /status` says
 * @property {string} version
 * @property {{ size: number, metric: string }[]} tables
 * @property {{ size: number, contents: string, puzzles: number }[]} catalogues
 * @property {boolean} experiments
 * @property {Record<string, number>} limits
 *
 * @typedef {Record<string, string> | URLSearchParams} Query
 *
 * @typedef {object} App
 * @property {Api} api
 * @property {Status} status complete before any page but play is created
 * @property {Controller} controller
 * @property {(path: string, params?: Query, options?: { replace?: boolean }) => void} go
 *   to a page with these parameters; calls its `show`
 * @property {(params: Query, options?: { replace?: boolean }) => void} remember
 *   puts the state of the page that is shown into the address; calls nothing
 * @property {(text: string) => void} announce
 * @property {(title: string) => void} setTitle "Puzzles" gives "Puzzles · Tailback"
 *
 * @typedef {object} Page
 * @property {HTMLElement} element
 * @property {(params: URLSearchParams) => void | Promise<void>} show
 * @property {() => void} hide
 */

/** Where each page comes from. Only the first is loaded at once. @type {Record<string, (app: App) => Promise<Page>>} */
const PAGES = {
  '/': async (app) => createPlay(app),
  '/edit': async (app) => (await import('./edit.js')).create(app),
  '/puzzles': async (app) => (await import('./puzzles.js')).create(app),
  '/lab': async (app) => (await import('./lab.js')).create(app),
  '/experiments': async (app) => (await import('./experiments.js')).create(app),
  '/map': async (app) => (await import('./map.js')).create(app),
};

const main = /** @type {HTMLElement} */ (document.getElementById('main'));
const links = [.../** @type {NodeListOf<HTMLAnchorElement>} */ (document.querySelectorAll('nav a'))];
const api = new Api(token());
const controller = new Controller(api);
/** @type {Map<string, Page>} */
const pages = new Map();
/** @type {Page | null} */
let shown = null;
/** Counts navigations, so that a slow page does not push out the one asked for after it. */
let turn = 0;

/** The token of the server's start, from the link that it printed. It is kept in this tab, and not in the
 * address, which people send to others. */
function token() {
  const given = new URLSearchParams(location.hash.slice(1)).get('token');
  if (given) {
    sessionStorage.setItem('token', given);
    history.replaceState(null, '', location.pathname + location.search);
  }
  return sessionStorage.getItem('token');
}

/** @type {App} */
const app = {
  api,
  controller,
  announce,
  status: { version: '', tables: [], catalogues: [], experiments: false, limits: {} },
  setTitle(title) {
    document.title = `${title} · Tailback`;
  },
  remember(params, { replace = true } = {}) {
    const address = href(location.pathname, params);
    if (address === location.pathname + location.search) return;
    history[replace ? 'replaceState' : 'pushState'](null, '', address);
  },
  go(path, params = {}, { replace = false } = {}) {
    const address = href(path, params);
    const again = replace || address === location.pathname + location.search;
    history[again ? 'replaceState' : 'pushState'](null, '', address);
    void render(true);
  },
};

const status = api.get('status').then((answer) => {
  Object.assign(app.status, answer);
  linkTo('/experiments').hidden = !app.status.experiments;
  /** @type {HTMLElement} */ (document.getElementById('version')).textContent = app.status.version;
}).catch(() => {
  // Every page tells by itself what the server refuses.
});

/** @param {string} path */
const linkTo = (path) => /** @type {HTMLAnchorElement} */ (links.find((link) => link.dataset.path === path));

/** Shows the page of the address.
 * @param {boolean} [moved] did the user go there, and so should be at its top? */
async function render(moved = false) {
  const mine = ++turn;
  const path = location.pathname in PAGES ? location.pathname : '/';
  const params = new URLSearchParams(location.search);
  for (const link of links) {
    if (link.dataset.path === path) link.setAttribute('aria-current', 'page');
    else link.removeAttribute('aria-current');
  }
  try {
    const page = pages.get(path) ?? await make(path);
    if (path !== '/' && path !== '/edit') await follow(path, params);
    if (mine !== turn) return;
    if (shown !== page) {
      shown?.hide();
      shown = page;
      main.replaceChildren(page.element);
      center(linkTo(path));
      if (moved) {
        scrollTo(0, 0);
        main.focus({ preventScroll: true });
      }
    }
    await page.show(params);
  } catch (error) {
    if (mine !== turn) return;
    shown?.hide();
    shown = null;
    const message = error instanceof Error ? error.message : String(error);
    main.replaceChildren(h('section', { class: 'card trouble', role: 'alert' },
      h('h1', {}, 'This cannot be shown'), h('p', {}, message), h('p', {}, h('a', { href: '/' }, 'Play the example instead'))));
  }
  // For whoever measures how long it takes until one can play.
  if (!document.documentElement.dataset.ready) performance.mark('ready');
  document.documentElement.dataset.ready = 'true';
}

/** On a phone the links are wider than the page.
 * @param {HTMLElement} link */
function center(link) {
  const nav = link.parentElement;
  if (nav) nav.scrollLeft = link.offsetLeft - nav.offsetLeft - (nav.clientWidth - link.offsetWidth) / 2;
}

/** @param {string} path */
async function make(path) {
  if (path !== '/') await status;
  const page = await PAGES[path](app);
  pages.set(path, page);
  return page;
}

/** The board in the address of another page is the one to play, too. The
 * editor's may be unfinished, so it decides by itself.
 * @param {string} path @param {URLSearchParams} params */
async function follow(path, params) {
  const state = readState(params);
  const { moves, board, start } = controller;
  const same = state.moves.length === 0 ? state.board === board
    : state.board === start && state.moves.map(formatMove).slice(0, state.at).join() === moves.join();
  // The laboratory has a metric of its own.
  const sameMetric = path !== '/map' || state.metric === controller.metric;
  if (state.board && !(same && sameMetric)) await controller.open(state.board, state);
}

/** Links keep the board. */
function relink() {
  const board = controller.boardParams;
  for (const link of links) {
    const path = link.dataset.path ?? '/';
    link.href = href(path, path === '/' || path === '/map' ? controller.params : board);
  }
}
controller.addEventListener('change', relink);

// Links within the page do not load it again.
document.addEventListener('click', (event) => {
  const link = /** @type {Element} */ (event.target).closest?.('a');
  if (!link || event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
  if (link.origin !== location.origin || !(link.pathname in PAGES) || link.target || link.hasAttribute('download') || link.hash) return;
  event.preventDefault();
  app.go(link.pathname, new URLSearchParams(link.search));
});
addEventListener('popstate', () => void render());

const copy = /** @type {HTMLButtonElement} */ (document.getElementById('copy'));
copy.addEventListener('click', async () => {
  let done = true;
  try {
    await navigator.clipboard.writeText(location.href);
  } catch {
    // Without https or leave to write, the older way.
    const field = h('textarea', { value: location.href, 'aria-label': 'Link' });
    document.body.append(field);
    field.select();
    done = document.execCommand('copy');
    field.remove();
  }
  copy.textContent = done ? 'Copied' : 'Copy the address';
  announce(done ? 'Link copied.' : 'The link could not be copied; it is the address of this page.');
  setTimeout(() => { copy.textContent = 'Copy link'; }, 2000);
});

const theme = /** @type {HTMLButtonElement} */ (document.getElementById('theme'));
const dark = matchMedia('(prefers-color-scheme: dark)');
const isDark = () => (document.documentElement.dataset.theme ?? (dark.matches ? 'dark' : 'light')) === 'dark';
const nameTheme = () => { theme.textContent = isDark() ? 'Light' : 'Dark'; theme.setAttribute('aria-label', isDark() ? 'Light theme' : 'Dark theme'); };
const stored = localStorage.getItem('theme');
if (stored) document.documentElement.dataset.theme = stored;
theme.addEventListener('click', () => {
  document.documentElement.dataset.theme = isDark() ? 'light' : 'dark';
  localStorage.setItem('theme', document.documentElement.dataset.theme);
  nameTheme();
});
dark.addEventListener('change', nameTheme);

nameTheme();
relink();
void render();
