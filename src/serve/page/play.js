// The play page: the board, what each move is worth, hints, and the game as a chart.

import { gameParams, href, readState } from './address.js';
import { isAbort } from './api.js';
import { text } from './board.js';
import { BoardView } from './board-view.js';
import { lineChart } from './chart.js';
import { METRICS } from './controller.js';
import { announce, clear, h, keepFocus } from './dom.js';
import { Game } from './game.js';
import { apply } from './moves.js';
import { count, formatMove, length, parseMove, words } from './notation.js';
import { reasonView } from './reason.js';

/**
 * @typedef {import('./moves.js').Move} Move
 * @typedef {import('./moves.js').Metric} Metric
 * @typedef {import('./controller.js').Graded} Graded
 */

const DEGREES = /** @type {const} */ ({ vehicle: 'Which vehicle?', move: 'Which move?', line: 'The whole line' });
/** Between two moves of a solution that is played. */
const PACE_MS = 750;

/** @param {import('./app.js').App} app @returns {import('./app.js').Page} */
export function create(app) {
  const { controller } = app;
  const view = new BoardView(controller.game.board);
  let active = false;
  /** The next change makes a new entry in the history of the browser. */
  let push = false;
  /** A move that is to be announced as soon as its effect is known. @type {{ move: Move, board: string } | null} */
  let told = null;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer;

  const verdict = h('h1', {});
  const source = h('p', { class: 'muted' });
  const numbers = h('table', { class: 'numbers' });
  const reason = h('div', {});
  const trouble = h('p', { class: 'trouble', role: 'alert', hidden: true });
  const undo = h('button', { type: 'button', onclick: () => controller.undo() }, 'Undo');
  const redo = h('button', { type: 'button', onclick: () => controller.redo() }, 'Redo');
  const restart = h('button', { type: 'button', onclick: () => controller.restart() }, 'Restart');
  const help = h('input', { type: 'checkbox', role: 'switch', id: 'help', onchange: () => controller.setHelp(help.checked) });
  const radios = METRICS.map((metric) => h('input', { type: 'radio', name: 'metric', value: metric, onchange: () => controller.setMetric(metric) }));
  const hintText = h('p', { class: 'advice', id: 'hint' });
  const solver = h('button', { type: 'button', class: 'primary', id: 'solution', onclick: () => (timer ? stop() : void playSolution()) });
  const choices = h('ol', { class: 'choices', id: 'choices' });
  const summary = h('section', { class: 'card summary', id: 'summary', 'aria-label': 'Summary' });
  const chart = h('div', { id: 'game-chart' });
  const played = h('ol', { class: 'played', id: 'played' });
  const comment = h('p', { class: 'comment', id: 'comment' });
  const previous = h('button', { type: 'button', onclick: () => toMistake(-1) }, 'Previous mistake');
  const next = h('button', { type: 'button', onclick: () => toMistake(1) }, 'Next mistake');

  const hintCard = h('section', { class: 'card', 'aria-labelledby': 'hints-title' },
    h('div', { class: 'row' }, h('h2', { id: 'hints-title' }, 'Hints'), h('span', { class: 'gap' }), solver),
    h('div', { class: 'row' }, Object.entries(DEGREES).map(([degree, name]) =>
      h('button', { type: 'button', 'data-degree': degree, onclick: () => showHint(/** @type {keyof typeof DEGREES} */ (degree)) }, name))),
    hintText);
  const choiceCard = h('section', { class: 'card', 'aria-labelledby': 'choices-title' },
    h('h2', { id: 'choices-title' }, 'Moves, best first'), choices);
  const gameCard = h('section', { class: 'card', 'aria-labelledby': 'game-title' },
    h('h2', { id: 'game-title' }, 'This game'), chart, h('div', { class: 'row' }, previous, next), comment, played);

  const element = h('div', { class: 'play' },
    h('section', { class: 'card verdict', 'aria-label': 'Where you stand' }, verdict, source, trouble, reason, numbers),
    h('section', { class: 'stage', 'aria-label': 'Board and controls' },
      view.element,
      h('div', { class: 'row controls' }, undo, redo, restart, h('span', { class: 'gap' }),
        h('fieldset', { class: 'segments' }, h('legend', { class: 'hidden' }, 'Count in'),
          METRICS.map((metric, i) => h('label', {}, radios[i], h('span', {}, metric === 'moves' ? 'Moves' : 'Steps')))),
        h('label', { class: 'switch', for: 'help' }, help, h('span', { class: 'track' }), 'Help')),
      h('p', { class: 'muted' }, 'Drag a vehicle, or tap it and then a cell.', h('span', { class: 'keys' }, ' Keys: arrows choose, Enter takes it and puts it down, Ctrl+Z takes back.'))),
    h('div', { class: 'side' }, summary, hintCard, choiceCard, gameCard));

  view.value = (move) => {
    const after = controller.after(move);
    const before = controller.distance(controller.board);
    if (!controller.help) return null;
    if (typeof after !== 'number' || typeof before !== 'number') return { text: after === null ? '∞' : '…', mark: 'plain' };
    return { text: String(after), mark: controller.grade(before, after, move).mark };
  };
  view.addEventListener('move', (event) => playMove(/** @type {CustomEvent<Move>} */ (event).detail));
  view.addEventListener('preview', (event) => {
    const { detail } = /** @type {CustomEvent<Move>} */ (event);
    const after = controller.help ? controller.after(detail) : undefined;
    const place = detail.by === 0 ? `${detail.letter} back` : words(controller.game.board, detail);
    announce(typeof after === 'number' ? `${place}: ${length(after, controller.metric)} to the exit` : place);
  });
  controller.addEventListener('change', () => {
    if (!active) return;
    app.remember(controller.params, { replace: !push });
    push = false;
    draw();
  });
  controller.addEventListener('known', () => {
    if (active) drawKnown();
  });
  controller.addEventListener('trouble', (event) => {
    if (!active) return;
    complain(/** @type {CustomEvent<Error>} */ (event).detail);
    drawVerdict();
  });
  addEventListener('keydown', (event) => {
    const typing = /** @type {Element} */ (event.target).closest?.('textarea, input:not([type=radio], [type=checkbox])');
    if (!active || typing || !(event.ctrlKey || event.metaKey)) return;
    const key = event.key.toLowerCase();
    if (key === 'z') event.shiftKey ? controller.redo() : controller.undo();
    else if (key === 'y') controller.redo();
    else return;
    event.preventDefault();
  });

  /** @param {Move} move */
  function playMove(move) {
    stop();
    told = { move, board: controller.board };
    push = true;
    if (!controller.play(move)) push = false;
  }

  function draw() {
    const { game } = controller;
    view.draw(game.board);
    undo.disabled = restart.disabled = !game.canUndo;
    redo.disabled = !game.canRedo;
    help.checked = controller.help;
    for (const radio of radios) radio.checked = radio.value === controller.metric;
    trouble.hidden = true;
    clear(hintText);
    drawKnown();
  }

  /** Whatever depends on what the server knows. */
  function drawKnown() {
    const on = controller.help;
    // Who has solved it needs neither hints nor moves; without a way there is nothing to hint at.
    choiceCard.hidden = !on || won();
    hintCard.hidden = choiceCard.hidden || controller.distance(controller.board) === null;
    chart.hidden = !on;
    view.refresh();
    drawVerdict();
    keepFocus(choices, drawChoices);
    keepFocus(gameCard, drawGame);
    tell();
  }

  const won = () => controller.game.solved && controller.game.at > 0;

  function drawVerdict() {
    const { game, metric, help: on } = controller;
    const known = controller.lookup();
    const distance = on || game.solved ? controller.distance(controller.board) : undefined;
    if (game.solved) verdict.textContent = won() ? 'Solved!' : 'The red car is at the exit';
    else if (!on) verdict.textContent = 'Get the red car to the exit';
    else if (distance === null) verdict.textContent = 'There is no way to the exit';
    else verdict.textContent = distance === undefined ? (trouble.hidden ? 'Looking it up…' : 'The distance is not known') : `${length(distance, metric)} to the exit`;
    const from = { table: 'From the table.', search: 'Found by search.', rule: 'By a rule.' }[known?.source ?? ''] ?? '';
    source.textContent = on ? from : `The red car is ${controller.primary}.`;
    clear(reason, on && reasonView(known));
    view.spotlight(on && known?.reason ? [controller.primary, ...known.reason.vehicles] : null);

    const { made } = game;
    const show = (/** @type {number | null | undefined} */ n) => (n === null ? 'none' : n ?? '…');
    /** @type {[string, (metric: Metric) => string | number][]} */
    const rows = [['Made', (m) => made[m]]];
    if (on) {
      rows.push(['To go', (m) => show(controller.distance(controller.board, m))],
        ['Best', (m) => show(controller.distance(controller.start, m))],
        ['Lost', (m) => {
          const [left, best] = [controller.distance(controller.board, m), controller.distance(controller.start, m)];
          return typeof left === 'number' && typeof best === 'number' ? made[m] + left - best : '–';
        }]);
    }
    clear(numbers,
      h('caption', { class: 'hidden' }, 'Moves and steps side by side'),
      h('thead', {}, h('tr', {}, h('td', {}), rows.map(([name]) => h('th', { scope: 'col' }, name)))),
      h('tbody', {}, METRICS.map((m) => h('tr', { class: m === metric ? 'now' : '' },
        h('th', { scope: 'row' }, m === 'moves' ? 'Moves' : 'Steps'), rows.map(([, value]) => h('td', {}, value(m)))))));
  }

  function drawChoices() {
    const known = controller.lookup();
    const { board } = controller.game;
    const before = known?.distance;
    clear(choices, (known?.choices ?? []).map((choice) => {
      const move = /** @type {Move} */ (parseMove(choice.move));
      const { mark } = typeof before === 'number' && choice.distance !== null ? controller.grade(before, choice.distance, move) : { mark: 'plain' };
      const after = choice.distance === null ? 'no way' : length(choice.distance, controller.metric);
      const worth = choice.loss === null ? '' : choice.loss === 0 ? 'best' : `loses ${choice.loss}`;
      const link = h('a', { href: href('/', addressAfter(move)), class: mark },
        h('span', { class: 'value' }, choice.distance ?? '∞'),
        h('span', { class: 'words' }, words(board, move)), h('span', { class: 'worth' }, worth),
        h('span', { class: 'hidden' }, `, then ${after}`));
      link.addEventListener('click', (event) => {
        if (event.ctrlKey || event.metaKey || event.shiftKey) return;
        event.preventDefault();
        playMove(move);
      });
      showsMove(link, move);
      return h('li', {}, link);
    }));
  }

  /** The address after one more move.
   * @param {Move} move */
  function addressAfter(move) {
    const { game, metric, help: on } = controller;
    return gameParams(Game.of(game.start, [...game.moves.slice(0, game.at), move]), metric, on);
  }

  /** Pointing at it, or coming to it with Tab, shows the move on the board.
   * @param {HTMLElement} link @param {Move} move */
  function showsMove(link, move) {
    for (const type of ['pointerenter', 'focus']) link.addEventListener(type, () => view.highlight(move));
    for (const type of ['pointerleave', 'blur']) link.addEventListener(type, () => view.highlight(null));
  }

  function drawGame() {
    const { game, metric, help: on } = controller;
    const graded = controller.graded();
    const distances = game.texts.map((board) => controller.distance(board));
    gameCard.hidden = game.moves.length === 0 || (!on && !game.solved && game.at === 0);
    previous.parentElement?.toggleAttribute('hidden', !on);
    const mistakes = mistakesOf(graded);
    previous.disabled = !mistakes.some((at) => at < game.at);
    next.disabled = !mistakes.some((at) => at > game.at);

    let cost = 0;
    const costs = [0, ...game.moves.map((move) => (cost += metric === 'steps' ? Math.abs(move.by) : 1))];
    const points = distances.map((distance, i) => {
      const grade = i > 0 ? graded[i - 1] : null;
      const name = i > 0 ? `After move ${i}, ${words(game.start, game.moves[i - 1])}` : 'At the start';
      return {
        x: costs[i], y: distance ?? null,
        label: typeof distance === 'number' ? `${name}: ${length(distance, metric)} to the exit${grade?.loss ? `, ${length(grade.loss, metric)} lost` : ''}` : name,
        ...(grade && grade.loss > 0 ? { mark: grade.mark, note: `+${grade.loss}` } : {}),
      };
    });
    const best = distances[0];
    const ideal = typeof best === 'number' ? [{ x: 0, y: best }, { x: best, y: 0 }] : [];
    clear(chart, on && typeof best === 'number' && lineChart({
      label: `Distance after each move of the game, ${mistakes.length === 0 ? 'no mistakes' : `mistakes at ${mistakes.join(', ')}`}`,
      x: `${metric} made`, y: `${metric} to the exit`, height: 200, cursor: costs[game.at],
      series: [{ name: 'this game', points, dots: true }, { name: 'best play', points: ideal, dashed: true, colour: 'var(--muted)' }],
      onpick: (point) => controller.jump(points.indexOf(/** @type {typeof points[0]} */ (point))),
    }));
    clear(played, game.moves.map((move, i) => {
      const grade = on ? graded[i] : null;
      const link = h('a', { href: href('/', gameParams(Game.of(game.start, game.moves, i + 1), metric, on)), class: grade?.mark ?? '', 'aria-current': i + 1 === game.at ? 'step' : null },
        `${i + 1} ${formatMove(move)}`, grade && grade.loss > 0 && h('span', { class: 'loss' }, ` +${grade.loss}`));
      link.addEventListener('click', (event) => {
        if (event.ctrlKey || event.metaKey || event.shiftKey) return;
        event.preventDefault();
        stop();
        controller.jump(i + 1);
      });
      return h('li', { class: i + 1 > game.at ? 'undone' : '' }, link);
    }));
    drawComment(graded);
    drawSummary(graded);
  }

  /** After which moves of the game the way was longer than it had to be.
   * @param {(Graded | null)[]} graded */
  const mistakesOf = (graded) => graded.flatMap((grade, i) => (grade && grade.loss > 0 ? [i + 1] : []));

  /** What was wrong with the move one stands behind.
   * @param {(Graded | null)[]} graded */
  function drawComment(graded) {
    const { game, metric, help: on } = controller;
    const grade = graded[game.at - 1];
    clear(comment);
    if (!on || !grade) return;
    const said = `Move ${game.at}, ${words(game.start, grade.move)}`;
    if (grade.loss === 0) {
      comment.append(`${said}: best.`);
      return;
    }
    const before = game.boards[game.at - 1];
    const best = controller.best(text(before)).slice(0, 3).map((each) => words(before, /** @type {Move} */ (parseMove(each))));
    comment.append(`${said}: lost ${length(grade.loss, metric)}. ${best.length > 0 ? `Better: ${best.join(' or ')}.` : ''}`);
  }

  /** @param {(Graded | null)[]} graded */
  function drawSummary(graded) {
    const { game, metric } = controller;
    clear(summary);
    if (!won()) return;
    const until = graded.slice(0, game.at);
    const mistakes = mistakesOf(until);
    const bests = METRICS.map((m) => controller.distance(controller.start, m));
    const best = bests[METRICS.indexOf(metric)];
    const perfect = typeof best === 'number' && game.made[metric] === best;
    const first = mistakes[0];
    summary.append(
      h('p', { class: 'result' }, `Solved in ${length(game.made.moves, 'moves')} and ${length(game.made.steps, 'steps')}.`),
      h('p', {}, perfect ? `No way is shorter: ${length(best, metric)} is the optimum.`
        : METRICS.every((_, i) => typeof bests[i] === 'number') ? `The optimum is ${length(bests[0] ?? 0, 'moves')}, or ${length(bests[1] ?? 0, 'steps')} if steps count.` : ''),
      h('p', {}, until.includes(null) ? '' : mistakes.length === 0 ? 'Not one mistake.'
        : `${count(mistakes.length, 'mistake')}, ${length(until.reduce((sum, grade) => sum + (grade?.loss ?? 0), 0), metric)} lost; the first was move ${first}, ${words(game.start, game.moves[first - 1])}.`),
      h('div', { class: 'row' },
        first !== undefined && h('button', { type: 'button', onclick: () => controller.jump(first) }, 'Go to the first mistake'),
        h('button', { type: 'button', onclick: () => controller.restart() }, 'Play again'),
        app.status.catalogues.length > 0 && h('button', { type: 'button', onclick: () => void nextLikeThis() }, 'Next like this')));
  }

  async function nextLikeThis() {
    try {
      const { puzzles } = await app.api.get('similar', { board: controller.start, primary: controller.primary }, { kind: 'similar', fresh: true });
      if (puzzles.length === 0) throw new Error('There is no other puzzle like this one.');
      app.go('/', { board: puzzles[0].board });
    } catch (error) {
      complain(error);
    }
  }

  /** @param {1 | -1} way */
  function toMistake(way) {
    const mistakes = mistakesOf(controller.graded());
    const { at } = controller.game;
    const target = way > 0 ? mistakes.find((each) => each > at) : mistakes.findLast((each) => each < at);
    if (target === undefined) return;
    stop();
    controller.jump(target);
    announce(comment.textContent ?? '');
  }

  /** @param {keyof typeof DEGREES} degree */
  async function showHint(degree) {
    stop();
    const { board } = controller.game;
    try {
      const hint = await controller.hint(degree);
      if (controller.game.board !== board) return;
      const move = hint.move ? parseMove(hint.move) : null;
      let sentence = 'The red car is at the exit already.';
      if (degree === 'vehicle' && hint.vehicle) sentence = `Move ${hint.vehicle}.`;
      else if (degree === 'move' && move) sentence = `${words(board, move)}.`;
      else if (degree === 'line' && hint.line?.length) {
        let place = board;
        sentence = `${hint.line.map((each) => {
          const step = /** @type {Move} */ (parseMove(each));
          const said = words(place, step);
          place = apply(place, step);
          return said;
        }).join(', ')}.`;
      }
      hintText.textContent = sentence;
      announce(sentence);
      if (hint.vehicle) view.spotlight([hint.vehicle]);
      view.highlight(degree === 'vehicle' ? null : move ?? parseMove(hint.line?.[0] ?? ''));
    } catch (error) {
      complain(error);
    }
  }

  async function playSolution() {
    try {
      const solution = await controller.solution();
      const moves = (solution ?? []).map((each) => /** @type {Move} */ (parseMove(each)));
      push = true;
      const step = () => {
        const move = moves.shift();
        if (!move) return stop();
        told = { move, board: controller.board };
        controller.play(move);
        timer = setTimeout(step, PACE_MS);
        nameSolver();
      };
      step();
    } catch (error) {
      complain(error);
    }
  }

  function stop() {
    clearTimeout(timer);
    timer = undefined;
    nameSolver();
  }

  function nameSolver() {
    solver.textContent = timer ? 'Pause' : 'Play the solution';
  }

  /** @param {unknown} error */
  function complain(error) {
    if (isAbort(error)) return;
    trouble.textContent = error instanceof Error ? error.message : String(error);
    trouble.hidden = false;
  }

  /** Says the last move, and its effect as soon as it is known. */
  function tell() {
    if (!told) return;
    const { move, board } = told;
    const said = words(controller.game.board, move);
    const [before, after] = [controller.distance(board), controller.distance(controller.board)];
    if (controller.game.solved) announce(`${said}. Solved in ${length(controller.game.made.moves, 'moves')}.`);
    else if (!controller.help) announce(said);
    else if (typeof after !== 'number' || typeof before !== 'number') {
      if (after === null) announce(`${said}. There is no way to the exit.`);
      else return;
    } else {
      const { loss } = controller.grade(before, after, move);
      announce(`${said}. ${length(after, controller.metric)} to the exit, ${loss === 0 ? 'a best move' : `${length(loss, controller.metric)} lost`}.`);
    }
    told = null;
  }

  nameSolver();
  return {
    element,
    async show(params) {
      app.setTitle('Play');
      stop();
      active = true;
      const state = readState(params);
      await controller.open(state.board, state);
    },
    hide() {
      active = false;
      stop();
    },
  };
}
