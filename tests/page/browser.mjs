// The page in a real browser, against a server that runs:
//
//   BASE=http://127.0.0.1:7878 node browser.mjs
//
// BASE is the server's address; CHROMIUM the browser (/usr/bin/chromium); MODULES a
// folder with a node_modules that has playwright-core and axe-core (here, if not
// given); SHOTS a folder for pictures of every page; ONLY a part of a check's name.
// Each check is named, counted, and any failure ends in exit code 1. Times are
// printed, not judged: they are the machine's, too.

import { mkdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';

const { BASE = 'http://127.0.0.1:7878', CHROMIUM = '/usr/bin/chromium', MODULES = '.', SHOTS, ONLY = '' } = process.env;
const require = createRequire(join(resolve(MODULES), 'package.json'));
const { chromium } = require('playwright-core');
const axe = require('axe-core').source;

const CARD = 'BB...CD..E.CDAAE.CD..E..F...GGF.HHH.';
/** E down 1 is the one move of the card that leads away from the exit. */
const MISTAKE = 'E+1';
const DESKTOP = { width: 1280, height: 900 };
const PHONE = { width: 390, height: 844 };
const PATIENCE_MS = 30_000;

const browser = await chromium.launch({
  executablePath: CHROMIUM,
  args: ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync'],
});
/** What no page may do, whichever check it was in. */
const complaints = [];
const foreign = new Set();
const failures = [];
let passed = 0;

/** A page of its own, so that no check sees what another one left. */
async function open(path, { size = DESKTOP, touch = false, dark = false, still = false } = {}) {
  const context = await browser.newContext({
    viewport: size, hasTouch: touch, colorScheme: dark ? 'dark' : 'light', reducedMotion: still ? 'reduce' : 'no-preference',
    permissions: ['clipboard-read', 'clipboard-write'],
  });
  context.setDefaultTimeout(PATIENCE_MS);
  await context.route('**', (route) => {
    const { host, protocol } = new URL(route.request().url());
    if (host === new URL(BASE).host || protocol === 'blob:' || protocol === 'data:') return route.continue();
    foreign.add(host);
    return route.abort();
  });
  const page = await context.newPage();
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(`${path}: ${message.text()} ${message.location().url}`);
  });
  page.on('pageerror', (error) => complaints.push(`${path}: ${error.stack}`));
  await page.goto(BASE + path);
  await ready(page);
  return page;
}

const ready = (page) => page.waitForSelector('html[data-ready=true]');

async function check(name, run) {
  if (!name.includes(ONLY)) return;
  const before = browser.contexts();
  try {
    await run();
    passed += 1;
    console.log(`ok    ${name}`);
  } catch (error) {
    failures.push(name);
    console.log(`FAIL  ${name}: ${String(error.stack ?? error).split('\n').slice(0, 4).join(' ')}`);
  }
  for (const context of browser.contexts()) if (!before.includes(context)) await context.close();
}

function expect(condition, message) {
  if (!condition) throw new Error(message);
}

/** Waits until a text is what it should be, since answers take their time. */
async function becomes(page, selector, pattern) {
  await page.waitForFunction(([css, source]) => new RegExp(source).test(document.querySelector(css)?.textContent ?? ''), [selector, pattern.source])
    .catch(async () => {
      throw new Error(`${selector} is "${await page.textContent(selector).catch(() => 'missing')}", not ${pattern}`);
    });
}

async function api(route, params) {
  return (await fetch(`${BASE}/api/v1/${route}?${new URLSearchParams(params)}`)).json();
}

const { solution } = await api('solve', { board: CARD });
const play = (extra = '') => `/?board=${CARD}${extra}`;
const vehicle = (letter) => `.board .vehicle[data-letter="${letter}"]`;
const parts = (move) => ({ letter: move[0], by: Number(move.slice(1)) });

/** Where a vehicle is held, how large a cell is, and whether it lies in a row. */
async function hold(page, letter) {
  const box = await page.locator(vehicle(letter)).boundingBox();
  const cell = await page.evaluate((css) => document.querySelector(css).getScreenCTM().a * 100, vehicle(letter));
  return { x: box.x + box.width / 2, y: box.y + box.height / 2, box, cell, horizontal: box.width > box.height };
}

async function settled(page, count) {
  await page.waitForFunction((n) => document.querySelectorAll('#played li').length >= n, count);
  await page.waitForTimeout(200);
}

async function dragged(page, move) {
  const { letter, by } = parts(move);
  const { x, y, cell, horizontal } = await hold(page, letter);
  await page.mouse.move(x, y);
  await page.mouse.down();
  await page.mouse.move(x + (horizontal ? by * cell : 3), y + (horizontal ? 3 : by * cell), { steps: 8 });
  await page.mouse.up();
}

async function isSolved(page) {
  await becomes(page, '.verdict h1', /Solved/);
  await becomes(page, '#summary', new RegExp(`Solved in ${solution.length} moves`));
}

await check('a card is solved by dragging with the mouse', async () => {
  const page = await open(play());
  for (const [i, move] of solution.entries()) {
    await dragged(page, move);
    await settled(page, i + 1);
  }
  await isSolved(page);
  await becomes(page, '#summary', /Not one mistake/);
});

await check('a card is solved by touch, and the page does not scroll', async () => {
  const page = await open(play(), { size: PHONE, touch: true });
  const session = await page.context().newCDPSession(page);
  await page.locator('.board.live').scrollIntoViewIfNeeded();
  const scrolled = await page.evaluate(() => scrollY);
  for (const [i, move] of solution.entries()) {
    const { letter, by } = parts(move);
    const { x, y, cell, horizontal } = await hold(page, letter);
    const at = (share) => [{ x: x + (horizontal ? by * cell * share : 0), y: y + (horizontal ? 0 : by * cell * share) }];
    await session.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: at(0) });
    for (const share of [0.25, 0.5, 0.75, 1]) await session.send('Input.dispatchTouchEvent', { type: 'touchMove', touchPoints: at(share) });
    await session.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
    await settled(page, i + 1);
    expect((await page.evaluate(() => scrollY)) === scrolled, 'the page scrolled');
  }
  await isSolved(page);
});

await check('a card is solved by tapping a vehicle and then a cell', async () => {
  const page = await open(play(), { size: PHONE, touch: true });
  await page.locator('.board.live').scrollIntoViewIfNeeded();
  for (const [i, move] of solution.entries()) {
    const { letter, by } = parts(move);
    const { x, y, box, cell, horizontal } = await hold(page, letter);
    await page.touchscreen.tap(x, y);
    await page.waitForSelector('.target');
    const half = (horizontal ? box.width : box.height) / 2;
    const far = Math.sign(by) * (half + (Math.abs(by) - 0.5) * cell);
    await page.touchscreen.tap(x + (horizontal ? far : 0), y + (horizontal ? 0 : far));
    await settled(page, i + 1);
  }
  await isSolved(page);
});

await check('a card is solved with the keyboard alone', async () => {
  const page = await open(play());
  for (let i = 0; i < 40 && !(await page.evaluate(() => document.activeElement.matches('.vehicle'))); i++) await page.keyboard.press('Tab');
  for (const [i, move] of solution.entries()) {
    const { letter, by } = parts(move);
    const { horizontal } = await hold(page, letter);
    await page.keyboard.press(letter);
    await page.keyboard.press('Enter');
    const key = horizontal ? (by < 0 ? 'ArrowLeft' : 'ArrowRight') : by < 0 ? 'ArrowUp' : 'ArrowDown';
    for (let step = 0; step < Math.abs(by); step++) await page.keyboard.press(key);
    await page.keyboard.press('Enter');
    await settled(page, i + 1);
  }
  await isSolved(page);
});

await check('on a low screen the pointer hits the right cells', async () => {
  const page = await open(play(), { size: { width: 1280, height: 560 } });
  const { x, y, cell } = await hold(page, 'B');
  await page.mouse.click(x, y);
  await page.mouse.click(x + 2.5 * cell, y);
  await becomes(page, '#played', /1 B\+2/);
});

await check('the focus stays in a list that is drawn anew', async () => {
  const page = await open(play());
  await page.focus('#choices a');
  await page.keyboard.press('Enter');
  await settled(page, 1);
  await page.waitForFunction(() => document.activeElement?.closest('#choices'));
});

await check('arrow keys go from vehicle to vehicle, Escape lets go', async () => {
  const page = await open(play());
  await page.focus(vehicle('A'));
  const focused = () => page.evaluate(() => document.activeElement.getAttribute('data-letter'));
  await page.keyboard.press('ArrowRight');
  expect((await focused()) === 'E', `right of A is ${await focused()}`);
  await page.keyboard.press('Enter');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Escape');
  expect((await page.locator('#played li').count()) === 0, 'a move was played');
});

await check('a held vehicle shows the distance at each place, as colour and number', async () => {
  const page = await open(play());
  await becomes(page, '.verdict h1', /8 moves/);
  const { x, y } = await hold(page, 'E');
  await page.mouse.move(x, y);
  await page.mouse.down();
  await page.waitForFunction(() => [...document.querySelectorAll('.target text')].map((t) => t.textContent).sort().join() === '8,9');
  const marks = await page.$$eval('.target', (all) => all.map((one) => [one.querySelector('text').textContent, getComputedStyle(one.querySelector('circle')).fill]));
  expect(new Set(marks.map(([, fill]) => fill)).size === 2, 'both places have one colour');
  await page.mouse.up();
});

await check('steps: longer slides have numbers, too, and moves and steps stand side by side', async () => {
  const page = await open(play('&metric=steps'));
  const { distance } = await api('lookup', { board: CARD, metric: 'steps' });
  await becomes(page, '.verdict h1', new RegExp(`^${distance} steps`));
  await becomes(page, '.numbers tbody', new RegExp(`Moves08.*Steps0${distance}`));
  const { x, y } = await hold(page, 'B');
  await page.mouse.move(x, y);
  await page.mouse.down();
  await page.waitForFunction(() => {
    const texts = [...document.querySelectorAll('.target text')].map((t) => t.textContent);
    return texts.length === 3 && texts.every((t) => /^\d+$/.test(t));
  });
  await page.mouse.up();
});

await check('the move list is best first, shows a move on the board and plays it', async () => {
  const page = await open(play());
  await page.waitForSelector('#choices a');
  const values = await page.$$eval('#choices .value', (all) => all.map((one) => Number(one.textContent)));
  expect(values.length === 11 && values.every((n, i) => i === 0 || n >= values[i - 1]), `values ${values}`);
  await page.hover('#choices a');
  await page.waitForSelector('.ghost rect');
  await page.click('#choices a');
  await settled(page, 1);
  await becomes(page, '.verdict h1', /7 moves/);
});

await check('hints of three degrees', async () => {
  const page = await open(play());
  const letter = solution[0][0];
  await page.click('[data-degree=vehicle]');
  await becomes(page, '#hint', /^Move [A-Z]\.$/);
  await page.click('[data-degree=move]');
  await becomes(page, '#hint', /^[A-Z] (left|right|up|down) \d\.$/);
  await page.waitForSelector('.ghost rect');
  await page.click('[data-degree=line]');
  await becomes(page, '#hint', new RegExp(`^${letter} \\w+ \\d(, [A-Z] \\w+ \\d){${solution.length - 1}}\\.$`));
});

await check('undo, redo, restart, by button and by key', async () => {
  const page = await open(play());
  await dragged(page, solution[0]);
  await settled(page, 1);
  await becomes(page, '.numbers tbody', /Moves1/);
  await page.click('text=Undo');
  await becomes(page, '.numbers tbody', /Moves0/);
  await page.click('text=Redo');
  await becomes(page, '.numbers tbody', /Moves1/);
  await page.keyboard.press('Control+z');
  await becomes(page, '.numbers tbody', /Moves0/);
  await page.keyboard.press('Control+y');
  await page.click('text=Restart');
  await becomes(page, '.numbers tbody', /Moves0/);
});

await check('the solution is played and can be paused', async () => {
  const page = await open(play());
  await page.click('#solution');
  await settled(page, 2);
  await page.click('#solution');
  await becomes(page, '#solution', /Play/);
  const count = await page.locator('#played li').count();
  await page.waitForTimeout(1200);
  expect((await page.locator('#played li').count()) === count, 'it went on');
  await page.click('#solution');
  await isSolved(page);
});

await check('the chart marks mistakes and leads to them', async () => {
  const page = await open(play('&moves=B%2B1.B-1.E%2B1.E-1&at=0'));
  await page.waitForSelector('#game-chart .dot.bad');
  expect((await page.locator('#game-chart .dot').count()) === 5, 'a dot for each board');
  const mistakes = await page.$$eval('#played a', (all) => all.flatMap((one, i) => (one.querySelector('.loss') ? [i + 1] : [])));
  expect(mistakes.length >= 2, `mistakes at ${mistakes}`);
  await page.click('text=Next mistake');
  await becomes(page, '#comment', new RegExp(`^Move ${mistakes[0]}, .*lost .*Better: `));
  await page.click('text=Next mistake');
  await becomes(page, '#comment', new RegExp(`^Move ${mistakes[1]},`));
  await page.click('text=Previous mistake');
  await becomes(page, '#comment', new RegExp(`^Move ${mistakes[0]},`));
  await page.locator('#game-chart .dot').nth(4).click();
  await page.waitForFunction(() => !new URLSearchParams(location.search).has('at'));
});

await check('the summary counts the mistakes', async () => {
  const page = await open(play(`&moves=${encodeURIComponent([MISTAKE, 'E-1', ...solution].join('.'))}`));
  await becomes(page, '#summary', /Solved in 10 moves.*optimum is 8 moves.*1 mistake, 2 moves lost; the first was move 1, E down 1/);
  await page.click('text=Go to the first mistake');
  await becomes(page, '#comment', /^Move 1, E down 1: lost 2 moves/);
});

await check('without help there are no numbers, hints, lists or charts', async () => {
  const page = await open(play());
  await becomes(page, '.verdict h1', /8 moves/);
  await page.click('.switch');
  await becomes(page, '.verdict h1', /Get the red car/);
  for (const css of ['[data-degree=vehicle]', '#choices', '#game-chart']) expect(!(await page.isVisible(css)), `${css} is seen`);
  await page.focus(vehicle('B'));
  await page.keyboard.press('Enter');
  expect((await page.locator('.target').count()) === 3, 'places to stop');
  expect((await page.locator('.target text').count()) === 0, 'numbers on them');
  expect(page.url().includes('help=off'), 'not in the address');
});

await check('each move and its effect is said to screen readers', async () => {
  const page = await open(play());
  await becomes(page, '.verdict h1', /8 moves/);
  await dragged(page, MISTAKE);
  await becomes(page, '#live', /^E down 1\. 9 moves to the exit, 2 moves lost\./);
});

await check('the editor follows to a proof of no way and back', async () => {
  const page = await open(`/edit?board=${CARD}`);
  await becomes(page, '.verdict h1', /8 moves/);
  await page.click('label:has(input[value=wall])');
  const at = async (row, col) => {
    const { a, e, f } = await page.$eval('.stage .board', (board) => {
      const matrix = board.getScreenCTM();
      return { a: matrix.a, e: matrix.e, f: matrix.f };
    });
    return { x: e + (col * 100 + 50) * a, y: f + (row * 100 + 50) * a };
  };
  const wall = await at(2, 4);
  await page.mouse.click(wall.x, wall.y);
  await becomes(page, '.verdict h1', /no way/);
  await page.waitForSelector('.reason .thumbnail');
  await becomes(page, '.reason', /\w+ \w+ \w+/);
  expect(page.url().includes('%23'), 'the wall is not in the address');
  await page.mouse.click(wall.x, wall.y);
  await becomes(page, '.verdict h1', /8 moves/);
  // A vehicle by dragging, then stretched by its end, then removed.
  await page.click('label:has(input[value=vehicle])');
  const [from, to, longer] = [await at(1, 1), await at(1, 2), await at(3, 4)];
  await page.mouse.move(from.x, from.y);
  await page.mouse.down();
  await page.mouse.move(to.x, to.y, { steps: 4 });
  await page.mouse.up();
  await page.waitForSelector(vehicle('I'));
  await page.mouse.click((from.x + to.x) / 2, from.y);
  await becomes(page, '#selection', /I · 2 cells/);
  await page.click('#selection >> text=Remove');
  await page.waitForSelector(vehicle('I'), { state: 'detached' });
  const top = await at(0, 2);
  await page.mouse.move(top.x, top.y);
  await page.mouse.down();
  await page.mouse.move(longer.x, top.y, { steps: 4 });
  await page.mouse.up();
  await becomes(page, '#selection', /I · 3 cells/);
  await page.click('text=Mirror');
  await page.waitForFunction(() => new URLSearchParams(location.search).get('board').startsWith('F.HHH.'));
  await page.click('text=Undo');
  await page.waitForFunction(() => new URLSearchParams(location.search).get('board').startsWith('BBIII'));
});

await check('the editor with keys alone, on 4×4', async () => {
  const page = await open('/edit?board=................');
  await becomes(page, '.verdict h1', /red car/);
  await page.focus('.edit .board');
  for (const key of ['ArrowDown', 'Enter', 'ArrowRight', 'Enter']) await page.keyboard.press(key);
  await becomes(page, '.verdict h1', /^1 move /);
  for (const key of ['ArrowRight', 'w']) await page.keyboard.press(key);
  await becomes(page, '.verdict h1', /no way/);
  await page.keyboard.press('Delete');
  await becomes(page, '.verdict h1', /^1 move /);
});

await check('sizes, clear, and what if a vehicle were gone', async () => {
  const page = await open(`/edit?board=${CARD}`);
  await page.waitForSelector('#whatif li');
  const without = await api('without', { board: CARD });
  expect((await page.locator('#whatif li').count()) === without.vehicles.length, 'a line for each vehicle');
  const first = without.vehicles[0];
  await becomes(page, '#whatif li', new RegExp(`^${first.letter}${first.distance} moves`));
  for (const size of ['8', '4', '6']) {
    await page.selectOption('#size', size);
    await page.waitForFunction((n) => new URLSearchParams(location.search).get('board').length === n * n, Number(size));
  }
  await page.click('text=Clear');
  await becomes(page, '.verdict h1', /Put a red car/);
});

await check('a pasted drawing is read, nonsense is refused with a sentence', async () => {
  const page = await open('/edit');
  await page.fill('#paste', '│ B B . . . C │\n│ D . . E . C │\n│ D A A E . C  →\n│ D . . E . . │\n│ F . . . G G │\n│ F . H H H . │');
  await page.click('text=Read');
  await page.waitForFunction((card) => new URLSearchParams(location.search).get('board') === card, CARD);
  const seen = complaints.length;
  await page.fill('#paste', 'no board at all');
  await page.click('text=Read');
  await page.waitForSelector('.trouble:not([hidden])');
  // The browser itself notes each refusal.
  complaints.splice(seen);
});

await check('filters change the count, and what is left has a histogram', async () => {
  const page = await open('/puzzles');
  await page.waitForSelector('.puzzle .thumbnail');
  const all = await page.textContent('.page-head p');
  await page.fill('[aria-label="moves from"]', '12');
  await page.press('[aria-label="moves from"]', 'Tab');
  await page.waitForFunction((text) => document.querySelector('.page-head p').textContent !== text, all);
  await page.waitForSelector('.histogram .bar');
  expect((await page.locator('.downloads a').count()) >= 4, 'formats to download');
});

await check('random puzzles with a seed repeat', async () => {
  const boards = async () => {
    const page = await open('/puzzles?seed=7');
    await page.waitForSelector('.puzzle .thumbnail');
    return (await page.$$eval('a.puzzle-board', (all) => all.map((one) => one.href))).join();
  };
  expect((await boards()) === (await boards()), 'they differ');
});

await check('a puzzle is opened, and there is a next like it', async () => {
  const page = await open('/puzzles');
  await page.click('.puzzle >> text=Next like this');
  await becomes(page, 'h1', /Like puzzle/);
  await page.click('a.puzzle-board');
  await becomes(page, '.verdict h1', /to the exit/);
});

await check('a copied link opens the same in another browser', async () => {
  const page = await open(play());
  await dragged(page, solution[0]);
  await settled(page, 1);
  await page.click('#copy');
  await becomes(page, '#copy', /Copied/);
  const link = await page.evaluate(() => navigator.clipboard.readText());
  const other = await open(link.slice(BASE.length));
  await settled(other, 1);
  const places = (one) => one.$$eval('.board.live .vehicle', (all) => all.map((v) => v.style.transform).join());
  expect((await places(page)) === (await places(other)), 'the boards differ');
  await becomes(other, '.verdict h1', /7 moves/);
});

await check('the back button goes back, through moves and pages', async () => {
  const page = await open(play());
  await dragged(page, solution[0]);
  await settled(page, 1);
  await page.click('nav >> text=Edit');
  await page.waitForSelector('.edit');
  await page.goBack();
  await becomes(page, '.numbers tbody', /Moves1/);
  await page.goBack();
  await becomes(page, '.numbers tbody', /Moves0/);
  await page.goForward();
  await becomes(page, '.numbers tbody', /Moves1/);
});

await check('the laboratory gives a table', async () => {
  const page = await open(`/lab?board=${CARD}`);
  await page.click('button >> text=Run');
  await page.waitForSelector('table.runs tbody tr');
  expect((await page.locator('table.runs tbody tr').count()) >= 2, 'rows');
});

await check('the map is drawn, with the own path on it', async () => {
  const page = await open(`/map?board=${CARD}&moves=B%2B1`);
  await page.waitForSelector('.map .map-dots, .map .map-level');
  await page.waitForSelector('.map .map-own');
  await becomes(page, '#map-summary', /boards can be reached/);
});

await check('a board nobody can read is answered with a sentence', async () => {
  const seen = complaints.length;
  const page = await open('/?board=what');
  await becomes(page, 'main', /cannot be shown.{20}/);
  complaints.splice(seen);
});

await check('nothing moves by itself if the user wants it still', async () => {
  const page = await open(play(), { still: true });
  const duration = await page.$eval('.vehicle', (one) => getComputedStyle(one).transitionDuration);
  expect(duration === '0s', duration);
});

await check('the theme follows the system, the button, and is kept', async () => {
  const page = await open(play(), { dark: true });
  const paper = () => page.$eval('body', (body) => getComputedStyle(body).backgroundColor);
  const dark = await paper();
  await page.click('#theme');
  const light = await paper();
  expect(dark !== light, 'the button did nothing');
  await page.reload();
  await ready(page);
  expect((await paper()) === light, 'the choice was lost');
});

const status = await api('status');
const PAGES = {
  play: play(), game: play(`&moves=${encodeURIComponent([MISTAKE, 'E-1', ...solution].join('.'))}`),
  edit: `/edit?board=${CARD}`, puzzles: '/puzzles', lab: `/lab?board=${CARD}`, map: `/map?board=${CARD}`,
  ...(status.experiments ? { experiments: '/experiments' } : {}),
};
const LOOKS = [[DESKTOP, 'desktop'], [PHONE, 'phone']].flatMap(([size, name]) => [false, true].map((dark) => ({ size, name, dark })));
if (SHOTS) mkdirSync(SHOTS, { recursive: true });

for (const [name, path] of Object.entries(PAGES)) {
  for (const { size, name: device, dark } of LOOKS) {
    await check(`${name} on a ${device}, ${dark ? 'dark' : 'light'}: accessible, nothing too small or too wide`, async () => {
      const page = await open(path, { size, dark, touch: size === PHONE });
      await page.waitForLoadState('networkidle');
      await page.waitForTimeout(300);
      if (SHOTS) await page.screenshot({ path: join(SHOTS, `${name}-${device}-${dark ? 'dark' : 'light'}.png`), fullPage: true });
      await page.evaluate(axe);
      const { violations } = await page.evaluate(() => window.axe.run());
      expect(violations.length === 0, violations.map((v) => `${v.id}: ${v.nodes.slice(0, 2).map((n) => n.html).join(' ')}`).join('; '));
      const width = await page.evaluate(() => document.documentElement.scrollWidth);
      expect(width <= size.width, `${width} pixels wide`);
      const small = await page.evaluate(smallTexts);
      expect(small.length === 0, `small texts: ${small.join(', ')}`);
      const tiny = await page.evaluate(smallTargets, size === PHONE ? 44 : 24);
      expect(tiny.length === 0, `small targets: ${tiny.join(', ')}`);
    });
  }
}

/** Texts below 12 pixels, with the scale of their picture. */
function smallTexts() {
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const small = new Set();
  while (walker.nextNode()) {
    const element = walker.currentNode.parentElement;
    if (!walker.currentNode.data.trim() || !element.checkVisibility() || element.closest('title, script, noscript, .hidden')) continue;
    const scale = element.getScreenCTM?.().a ?? 1;
    // Text in a picture that was turned has its size in the root of both parts.
    const size = parseFloat(getComputedStyle(element).fontSize) * (element.ownerSVGElement ? element.ownerSVGElement.getScreenCTM().a : scale);
    if (size < 11.9) small.add(`${size.toFixed(1)} "${walker.currentNode.data.trim().slice(0, 20)}"`);
  }
  return [...small];
}

/** Buttons, links and fields that a finger would miss. Links within text are as high as their line. */
function smallTargets(least) {
  return [...document.querySelectorAll('button, select, nav a, .choices a, .played a, a.button, summary, input[type=number], label:has(input)')]
    .filter((one) => one.checkVisibility() && !one.closest('.hidden'))
    .flatMap((one) => {
      const { width, height } = one.getBoundingClientRect();
      return Math.min(width, height) < least - 0.5 ? [`${one.tagName} "${(one.textContent || one.ariaLabel || '').trim().slice(0, 20)}" ${width.toFixed()}×${height.toFixed()}`] : [];
    });
}

for (const dark of [false, true]) {
  await check(`colours of the ${dark ? 'dark' : 'light'} theme have contrast 4.5:1`, async () => {
    const page = await open('/', { dark });
    const poor = await page.evaluate(() => {
      const probe = document.body.appendChild(document.createElement('span'));
      const rgb = (name) => {
        probe.style.color = `var(${name})`;
        return getComputedStyle(probe).color.match(/[\d.]+/g).slice(0, 3).map(Number);
      };
      const light = (name) => {
        const [r, g, b] = rgb(name).map((n) => n / 255).map((n) => (n <= 0.04045 ? n / 12.92 : ((n + 0.055) / 1.055) ** 2.4));
        return 0.2126 * r + 0.7152 * g + 0.0722 * b + 0.05;
      };
      const texts = ['--fg', '--muted', '--accent', '--good', '--fair', '--bad'].flatMap((text) => ['--bg', '--card', '--sunk'].map((paper) => [text, paper]));
      const marks = ['--good', '--fair', '--bad'].map((paper) => ['--on-mark', paper]);
      return [...texts, ...marks, ['--on-accent', '--accent']].flatMap(([a, b]) => {
        const ratio = Math.max(light(a) / light(b), light(b) / light(a));
        return ratio < 4.5 ? [`${a} on ${b} ${ratio.toFixed(2)}`] : [];
      });
    });
    expect(poor.length === 0, poor.join(', '));
  });
}

await check('no error in the console, on any page', async () => expect(complaints.length === 0, complaints.join('; ')));
await check('no request to any other host', async () => expect(foreign.size === 0, [...foreign].join(', ')));

// Times.
const median = (list) => list.sort((a, b) => a - b)[Math.floor(list.length / 2)];
const starts = [];
for (let i = 0; i < 5; i++) {
  const page = await open(play());
  starts.push(await page.evaluate(() => performance.getEntriesByName('ready')[0]?.startTime ?? performance.now()));
  await page.context().close();
}
console.log(`time  from navigation to playable: ${median(starts).toFixed(0)} ms (median of ${starts.length})`);
{
  const page = await open(play());
  await page.evaluate(() => {
    window.delays = [];
    // A pointer's event, then the frame in which the vehicle stands where it is.
    document.querySelector('.board').addEventListener('pointermove', (event) => {
      requestAnimationFrame(() => window.delays.push(performance.now() - event.timeStamp));
    });
  });
  const { x, y, cell } = await hold(page, 'B');
  await page.mouse.move(x, y);
  await page.mouse.down();
  for (let i = 0; i < 60; i++) await page.mouse.move(x + (cell * 3 * i) / 60, y);
  await page.mouse.up();
  const delays = await page.evaluate(() => window.delays);
  console.log(`time  from pointer to frame: ${median(delays).toFixed(1)} ms (median of ${delays.length}), ${Math.max(...delays).toFixed(1)} ms at most`);
}
await browser.close();
console.log(`${passed} checks passed, ${failures.length} failed${failures.length > 0 ? `: ${failures.join('; ')}` : ''}`);
process.exitCode = failures.length > 0 ? 1 : 0;
