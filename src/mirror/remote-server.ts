// A client of the mirrored server: sends requests, and retries them while the server is busy.

import { fetchWithRetry, HttpFailure, type HttpInit } from '../../storage/retry/http-client.ts'
import type { Timers } from '../../storage/retry/timers.ts'

/** The message is a sentence for the operator. The cause is the failure of the request. */
export class MirrorError extends Error {
  override readonly name = 'MirrorError'
}

export type RemoteParts = {
  /** http://HOST:PORT, and any path that the server has before /kalshi. */
  url: string
  /** The API key; null if none is needed. */
  key: string | null
  fetch?: (url: string, init: HttpInit) => Promise<Response>
  timers?: Timers
}

const ATTEMPTS = 6
const WAIT_MS_MIN = 1_000
const WAIT_MS_MAX = 60_000

export class RemoteServer {
  readonly #parts: RemoteParts

  constructor(parts: RemoteParts) {
    this.#parts = parts
  }

  /** Returns the JSON document at a path. Rejects with MirrorError. */
  async json(path: string): Promise<unknown> {
    const response = await this.get(path)
    return response.json().catch(() => {
      throw new MirrorError(`the answer to ${path} is not JSON: is this a backbook server?`)
    })
  }

  /** Returns the response to a GET of a path. Rejects with MirrorError. */
  async get(path: string, headers: Record<string, string> = {}): Promise<Response> {
    const { url, key, ...means } = this.#parts
    const all = { ...headers, ...(key === null ? {} : { authorization: `Bearer ${key}` }) }
    const read = async (response: Response) => response
    try {
      const request = { url: `${url}${path}`, headers: all, redirect: 'error' as const, read, ...means }
      return await fetchWithRetry(request, { attempts: ATTEMPTS, isPassing: isBusy, waitMs })
    } catch (error) {
      throw error instanceof HttpFailure ? mirrorError(error, path) : error
    }
  }
}

const waitMs = (_: number, error: unknown): number => Math.max(WAIT_MS_MIN, (error as HttpFailure).retryAfterMs)

/** True if the request is retried because the server is busy. An exhausted quota is not retried. */
const isBusy = (error: unknown): boolean =>
  error instanceof HttpFailure &&
  (error.status === 503 || (error.status === 429 && error.problem.code !== 'quota_exceeded')) &&
  error.retryAfterMs <= WAIT_MS_MAX

/** Returns an error with the server's own message. */
function mirrorError(cause: HttpFailure, path: string): MirrorError {
  const { status, message, problem } = cause
  if (status === null) return new MirrorError(`the server does not answer: ${message}`, { cause })
  const words = typeof problem.detail === 'string' ? `: ${problem.detail}` : ''
  return new MirrorError(`the server answered ${path} with ${status}${words}`, { cause })
}
