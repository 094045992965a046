// The server's API: `get`, `post`, one kind of error, and a small memory.

const BASE = '/api/v1/';
const MEMORY = 400;
/** A server that is busy is asked once more, if it does not ask to wait longer than this. */
const PATIENCE_SECONDS = 3;

/** A refusal, or no answer at all (`status` 0). `message` is a sentence for people. */
export class ApiError extends Error {
  /** @param {number} status @param {string} code @param {string} message */
  constructor(status, code, message) {
    super(message);
    this.status = status;
    this.code = code;
  }
}

/**
 * @typedef {Record<string, string | number | boolean | null | undefined | readonly (string | number)[]>} Params
 *   A list is repeated; null, undefined and '' are left out.
 * @typedef {object} Options
 * @property {AbortSignal} [signal]
 * @property {string} [kind] a newer request of the same kind aborts this one
 * @property {boolean} [fresh] ask the server even if the answer is known
 * @property {'json' | 'text' | 'lines'} [as] 'lines': an object a line
 */

/** Aborted by a newer request: nothing to tell anyone.
 * @param {unknown} error */
export const isAbort = (error) => error instanceof DOMException && error.name === 'AbortError';

/** The address of a request, also for links and images.
 * @param {string} route such as 'puzzles/count' @param {Params | URLSearchParams} [params] */
export function address(route, params = {}) {
  const query = params instanceof URLSearchParams ? params : new URLSearchParams();
  if (!(params instanceof URLSearchParams)) {
    for (const [name, value] of Object.entries(params)) {
      for (const each of Array.isArray(value) ? value : [value]) {
        if (each !== null && each !== undefined && each !== '') query.append(name, String(each));
      }
    }
  }
  const text = String(query);
  return BASE + route + (text && `?${text}`);
}

export class Api {
  /** @param {string | null} [token] for what not everybody may ask */
  constructor(token = null) {
    this.#token = token;
  }

  #token;
  /** @type {Map<string, any>} */
  #known = new Map();
  /** @type {Map<string, AbortController>} */
  #running = new Map();

  /** The answer to GET. The same request again is answered from memory.
   * @param {string} route @param {Params | URLSearchParams} [params] @param {Options} [options]
   * @returns {Promise<any>} */
  async get(route, params, options = {}) {
    const url = address(route, params);
    if (!options.fresh && this.#known.has(url)) {
      this.#abort(options.kind);
      return this.#known.get(url);
    }
    const answer = await this.#ask(url, {}, options);
    this.#known.set(url, answer);
    if (this.#known.size > MEMORY) this.#known.delete(this.#known.keys().next().value ?? '');
    return answer;
  }

  /** The answer to POST of an object (as JSON), or of text as it is.
   * @param {string} route @param {object | string} body @param {Options} [options]
   * @returns {Promise<any>} */
  post(route, body, options = {}) {
    const json = typeof body !== 'string';
    const headers = { 'content-type': json ? 'application/json' : 'text/plain; charset=utf-8' };
    return this.#ask(BASE + route, { method: 'POST', headers, body: json ? JSON.stringify(body) : body }, options);
  }

  /** @param {string | undefined} kind */
  #abort(kind) {
    if (kind) this.#running.get(kind)?.abort();
  }

  /** @param {string} url @param {RequestInit} init @param {Options} options */
  async #ask(url, init, { kind, signal, as = 'json' }) {
    this.#abort(kind);
    const own = new AbortController();
    if (kind) this.#running.set(kind, own);
    const signals = signal ? AbortSignal.any([signal, own.signal]) : own.signal;
    const headers = { ...init.headers, ...(this.#token && { authorization: `Bearer ${this.#token}` }) };
    const request = { ...init, headers, signal: signals };
    try {
      let response = await fetch(url, request);
      const wait = Number(response.headers.get('retry-after') ?? Infinity);
      if ((response.status === 429 || response.status === 503) && wait <= PATIENCE_SECONDS) {
        await new Promise((resume) => setTimeout(resume, wait * 1000));
        response = await fetch(url, request);
      }
      const text = await response.text();
      if (!response.ok) throw refusal(response.status, text);
      if (as === 'lines') return text.split('\n').filter(Boolean).map((line) => JSON.parse(line));
      return as === 'text' ? text : JSON.parse(text);
    } catch (error) {
      if (isAbort(error) || error instanceof ApiError) throw error;
      throw new ApiError(0, 'offline', 'The server does not answer. Is it still running?');
    } finally {
      if (kind && this.#running.get(kind) === own) this.#running.delete(kind);
    }
  }
}

/** @param {number} status @param {string} text */
function refusal(status, text) {
  try {
    const { error, code } = JSON.parse(text);
    if (typeof error === 'string') return new ApiError(status, code ?? 'refused', error);
  } catch {
    // Not from the API itself, perhaps from a proxy.
  }
  return new ApiError(status, 'refused', `The server refused with status ${status}.`);
}
