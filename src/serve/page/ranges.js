// Ranges of numbers as the catalogue's filters take them: `20..30`, `20..`, `..30`, `20`.
// No DOM here.

/** @typedef {{from: number|null, to: number|null}} Range */

/**
 * Null if the text is no range.
 * @param {string} text
 * @returns {Range|null}
 */
export function parseRange(text) {
  const found = /^\s*(\d+(?:\.\d+)?)?\s*(\.\.)?\s*(\d+(?:\.\d+)?)?\s*$/.exec(text);
  if (!found || (found[2] ? false : !found[1] || found[3])) return null;
  const from = found[1] === undefined ? null : Number(found[1]);
  const to = found[3] === undefined ? null : Number(found[3]);
  return found[2] ? { from, to } : { from, to: from };
}

/**
 * The shortest text of a range; empty if it lets everything through.
 * @param {Range} range
 */
export function rangeText({ from, to }) {
  if (from === null && to === null) return '';
  return from === to ? String(from) : `${from ?? ''}..${to ?? ''}`;
}

/**
 * The values that a slider from `least` to `most` stops at: each whole number, or,
 * if those are too many for the width of a slider, round ones that grow.
 * @param {number} least
 * @param {number} most
 * @param {number} [room] so many are not too many
 */
export function stops(least, most, room = 120) {
  if (most - least <= room) return Array.from({ length: Math.floor(most - least) + 1 }, (_, i) => least + i);
  const values = [least];
  for (let power = 1; power <= most; power *= 10) {
    for (const digit of [1, 1.5, 2, 3, 5, 7]) {
      const value = digit * power;
      if (Number.isInteger(value) && value > least && value < most) values.push(value);
    }
  }
  return [...values, most];
}

/**
 * Where the handle for `value` stands: the last stop that is not above it, or, for the
 * upper handle, the first one that is not below.
 * @param {number[]} values stops, rising
 * @param {number|null} value null is no limit
 * @param {boolean} upper
 */
export function stopOf(values, value, upper) {
  const last = values.length - 1;
  if (value === null) return upper ? last : 0;
  const at = values.findIndex((stop) => stop >= value);
  if (at < 0) return last;
  return upper || values[at] === value ? at : Math.max(0, at - 1);
}

/**
 * Counts of single values as at most `room` bars, each for all values from its stop up to the next.
 * @param {{value: number, count: number}[]} counts rising values
 * @param {number} [room]
 * @returns {{from: number, to: number, count: number}[]}
 */
export function bars(counts, room = 60) {
  if (!counts.length) return [];
  const first = counts[0].value;
  const last = counts[counts.length - 1].value;
  const begins = stops(first, last, room);
  const result = begins.map((from, i) => ({ from, to: i + 1 < begins.length ? begins[i + 1] - 1 : last, count: 0 }));
  let at = 0;
  for (const { value, count } of counts) {
    while (at + 1 < result.length && result[at + 1].from <= value) at++;
    result[at].count += count;
  }
  return result;
}

/** The parameters of the page's address that choose puzzles and are the API's as well. */
const CHOICES = ['size', 'rules', 'inventory', 'distinct'];
/** Columns have this before their names in the address of the page, where `moves` are those played. */
export const COLUMN = 'only-';

/**
 * Kinds of lines, such as `2,3`, are one parameter of the address: `2,3_2,2`.
 * @param {URLSearchParams} address
 */
export const kindsOf = (address) => (address.get('kind') ?? '').split('_').filter(Boolean);

/**
 * What the API is asked for, from the address of the page.
 * @param {URLSearchParams} address
 * @returns {Record<string, string|string[]>}
 */
export function queryOf(address) {
  /** @type {Record<string, string|string[]>} */
  const query = {};
  for (const [name, value] of address) {
    if (name.startsWith(COLUMN)) query[name.slice(COLUMN.length)] = value;
    else if (CHOICES.includes(name)) query[name] = value;
  }
  return { ...query, kind: kindsOf(address) };
}

/**
 * The parameters of an address as an object, some of them changed; null takes one away.
 * @param {URLSearchParams} address
 * @param {Record<string, string|number|null>} changes
 * @returns {Record<string, string>}
 */
export function changed(address, changes) {
  const all = Object.entries({ ...Object.fromEntries(address), ...changes });
  return Object.fromEntries(all.flatMap(([name, value]) => (value === null || value === '' ? [] : [[name, String(value)]])));
}
