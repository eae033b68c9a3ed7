// Sends requests. Decides which failures are retried, and how long to wait before the next attempt.

import { BrokenError, ProblemError, problemOf } from './problem.js'
import { ReaderFailure } from './reader.js'

export type ClientOptions = {
  /** Address of the server, such as http://127.0.0.1:8080. */
  url: string
  /** API key. Leave it out if the server requires none. */
  key?: string
  /** Maximum number of attempts per request, the first included; 5 by default. */
  tries?: number
  fetch?: (url: string, init: RequestInit) => Promise<Response>
  sleep?: (ms: number, signal?: AbortSignal) => Promise<void>
}

export type Given = {
  method?: 'GET' | 'POST'
  headers?: Record<string, string>
  body?: string
  signal?: AbortSignal | undefined
}

export class Server {
  readonly url: string
  readonly key: string | undefined
  readonly sleep: (ms: number, signal?: AbortSignal) => Promise<void>
  readonly #tries: number
  readonly #fetch: (url: string, init: RequestInit) => Promise<Response>

  constructor({
    url,
    key,
    tries = 5,
    fetch: ask = (address, init) => fetch(address, init),
    sleep = slept,
  }: ClientOptions) {
    // Throws here because fetch would refuse such a URL in every attempt.
    if (!/^https?:/i.test(url) || !URL.canParse(url)) {
      throw new TypeError(`url must be an address such as http://127.0.0.1:8080, got ${JSON.stringify(url)}`)
    }
    // A key that was read from a file may end with a newline.
    const given = key?.trim()
    if (given !== undefined && /[^\x21-\x7e]/.test(given)) {
      throw new TypeError('key has a character that no key has: was it copied whole?')
    }
    this.url = url.replace(/\/+$/, '')
    this.key = given === '' ? undefined : given
    this.sleep = sleep
    this.#tries = tries
    this.#fetch = ask
  }

  /** Sends a request and returns what `read` makes of the answer. Retries after 503, after a rate limit, and when
   *  the connection breaks before the answer is read. Rejects with ProblemError, BrokenError, the error of `read`,
   *  or the reason of `signal`. */
  async ask<Value>(path: string, query: object, read: (response: Response) => Promise<Value>, given: Given = {}) {
    // Rejects at once if the query cannot be written as a URL.
    this.address(path, query)
    for (let attempt = 1; ; attempt++) {
      let seconds = attempt
      try {
        return await read(await this.send(path, query, given))
      } catch (error) {
        given.signal?.throwIfAborted()
        if (error instanceof ReaderFailure) throw error.cause
        if (error instanceof ProblemError) {
          if (attempt >= this.#tries || !error.isWorthAnother) throw error
          seconds = error.retryAfterSeconds ?? attempt
        } else if (attempt >= this.#tries) {
          throw new BrokenError(`${path}: no whole answer in ${attempt} tries: ${wordsOf(error)}`, { cause: error })
        }
      }
      await this.sleep(seconds * 1000, given.signal)
    }
  }

  /** Sends one request. Rejects with ProblemError if the server refuses it, or with the error of `fetch`. */
  async send(path: string, query: object, { headers, ...given }: Given = {}): Promise<Response> {
    const all = { ...headers, ...(this.key === undefined ? {} : { authorization: `Bearer ${this.key}` }) }
    const { signal, ...rest } = given
    // Follows no redirect, because the key is for this server alone.
    const init = { ...rest, redirect: 'error' as const, headers: all, ...(signal === undefined ? {} : { signal }) }
    const response = await this.#fetch(this.address(path, query), init)
    if (!response.ok) throw await problemOf(response)
    return response
  }

  address(path: string, query: object): string {
    const words = Object.entries(query).filter(([, value]) => value !== undefined)
    for (const [name, value] of words) if (value === null) throw new TypeError(`${name} is null: leave it out`)
    const text = new URLSearchParams(words.map(([name, value]): [string, string] => [name, String(value)])).toString()
    return `${this.url}${path}${text === '' ? '' : `?${text}`}`
  }
}

/** Resolves after `ms`. Rejects with the signal's reason as soon as it aborts. */
export function slept(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted()
    const stop = () => {
      clearTimeout(timer)
      reject(signal?.reason)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop)
      resolve()
    }, ms)
    signal?.addEventListener('abort', stop, { once: true })
  })
}

export const wordsOf = (error: unknown) => (error instanceof Error ? error.message : String(error))
