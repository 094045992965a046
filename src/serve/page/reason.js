// Why a board cannot be solved, in words and as a picture: for play and editor.

import { thumbnail } from './board-view.js';
import { h } from './dom.js';

/** @param {import('./controller.js').Lookup | undefined} lookup @returns {HTMLElement | null} */
export function reasonView(lookup) {
  const reason = lookup?.reason;
  if (!lookup || !reason) return null;
  const others = reason.vehicles.length > 0;
  const name = `Only the red car${others ? ` and ${reason.vehicles.join(', ')}` : ''}`;
  return h('div', { class: 'reason' },
    thumbnail(reason.board, lookup.primary, name),
    h('div', {}, h('p', {}, `${reason.text[0].toUpperCase()}${reason.text.slice(1)}.`.replace('..', '.')), others && h('p', { class: 'muted' },
      reason.minimal ? 'Without any one of these vehicles the others would let it through.' : 'These vehicles alone close the way.')));
}
