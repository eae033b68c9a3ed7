// The explorer's client of the API: sends the reader's key, and turns error responses into Failure.

import { signal } from '@preact/signals'
import { isAccessOpen, key } from '../state/key.ts'
import type { Query } from './book-query.ts'
import { Failure } from './failure.ts'

export { Failure }

export function addressOf(path: string, query: Query = {}): string {
  const given = Object.entries(query).filter(([, value]) => value !== null && value !== undefined)
  const text = new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString()
  return `/api/v1${path}${text === '' ? '' : `?${text}`}`
}

/** Whether the browser may answer from its cache, where answers about a past day may be up to an hour old. False while
 *  the page follows a growing market: every request then asks the server, which answers in a few bytes if nothing has
 *  changed. */
let isCacheTrusted = true
export const trustCache = (isTrusted: boolean): void => {
  isCacheTrusted = isTrusted
}

/** The number of requests that wait to be sent again because the server was busy. */
export const waiting = signal(0)

const ATTEMPTS = 3
const RETRY_MS = 500

/** Sends a request and returns the response. Tries up to three times while the server is busy (503). Throws Failure,
 *  and AbortError if `signal` aborts. */
export async function ask(path: string, query: Query = {}, signal?: AbortSignal): Promise<Response> {
  for (let attempt = 1; ; attempt++) {
    const response = await send(addressOf(path, query), signal)
    if (response.ok) {
      // The monitoring endpoints are public, so they do not show whether a key is needed.
      if (key.peek() === null && !path.startsWith('/monitoring/')) isAccessOpen.value = true
      return response
    }
    const failure = await failureOf(response)
    if (failure.status !== 503 || attempt === ATTEMPTS) throw failure
    waiting.value++
    await new Promise((done) => setTimeout(done, failure.retryAfterMs ?? RETRY_MS * attempt))
    waiting.value--
    signal?.throwIfAborted()
  }
}

export const askJson = async <T>(path: string, query: Query = {}, signal?: AbortSignal): Promise<T> =>
  (await (await ask(path, query, signal)).json()) as T

/** Sends a request once, with `init` and the reader's key, and returns the JSON. Throws Failure. */
export async function askServer<T>(path: string, query: Query, init: RequestInit): Promise<T> {
  const response = await send(addressOf(path, query), undefined, init)
  if (!response.ok) throw await failureOf(response)
  return (await response.json()) as T
}

export const post = <T>(path: string, body: object): Promise<T> => {
  const headers = { 'content-type': 'application/json' }
  return askServer(path, {}, { method: 'POST', headers, body: JSON.stringify(body) })
}

async function send(address: string, signal: AbortSignal | undefined, init: RequestInit = {}): Promise<Response> {
  const headers = { ...init.headers, ...(key.value !== null && { authorization: `Bearer ${key.value}` }) }
  try {
    return await fetch(address, {
      ...init,
      headers,
      cache: isCacheTrusted ? 'default' : 'no-cache',
      ...(signal === undefined ? {} : { signal }),
    })
  } catch (error) {
    if ((error as Error).name === 'AbortError') throw error
    const detail = 'The server does not answer. It may be restarting, or you may be offline.'
    throw new Failure({ status: 0, code: 'unreachable', detail, requestId: null, retryAfterMs: null })
  }
}

async function failureOf(response: Response): Promise<Failure> {
  const problem = (await response.json().catch(() => ({}))) as { code?: string; detail?: string }
  const seconds = Number(response.headers.get('retry-after') ?? Number.NaN)
  return new Failure({
    status: response.status,
    code: problem.code ?? 'unknown',
    detail: problem.detail ?? `The server answered with status ${response.status}.`,
    requestId: response.headers.get('x-request-id'),
    retryAfterMs: Number.isFinite(seconds) ? seconds * 1000 : null,
  })
}
