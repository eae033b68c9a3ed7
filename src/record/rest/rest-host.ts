// A client of one REST server: its requests share a rate limit, are retried, and obey Retry-After. Urgent requests go
// first.

import { fetchOnce, HttpFailure, type HttpInit, mayPass, readText } from '../../../storage/retry/http-client.ts'
import type { Timers } from '../../../storage/retry/timers.ts'
import { backoff, withRetry } from '../../../storage/retry/with-retry.ts'
import type { RestConfig } from '../config/venue-config.ts'
import { type Clock, msOf, type Random } from '../time/clock.ts'

/** `path` begins with a slash and is appended to the URL of the host. */
export type RestRequest<Read> = {
  path: string
  /** Reads the JSON of a body. Returns undefined if the JSON does not have the expected form. The request is then
   *  retried, like after a body that is not JSON. */
  read: (json: unknown) => Read | undefined
  /** Urgent requests go before all others. */
  isUrgent?: boolean
  signal?: AbortSignal
}
export type RestAnswer<Read> = {
  body: string
  read: Read
  /** Time at which the whole body was received, Unix ns. */
  receivedNs: bigint
}

/** Counters for the status. */
type RestStats = { requests: number; limited: number; garbage: number; failed: number }

/** `refused`: the server refused, and a retry would not help. `failed`: all attempts failed. `stopped`: the caller
 *  cancelled. */
export class RestError extends Error {
  override readonly name = 'RestError'
  readonly kind: 'refused' | 'failed' | 'stopped'
  /** HTTP status; null if there was no response. */
  readonly status: number | null

  constructor(kind: RestError['kind'], status: number | null, message: string) {
    super(message)
    this.kind = kind
    this.status = status
  }
}

type RestContext = {
  clock: Clock
  timers: Timers
  random: Random
  stats: RestStats
  /** Returns the headers that sign a request to this URL. */
  sign?: (url: string) => Record<string, string>
  fetch?: (url: string, init: HttpInit) => Promise<Response>
}

const RETRY_FROM_MS = 1_000
const RETRY_TO_MS = 60_000
/** The longest Retry-After that is obeyed. */
const RETRY_AFTER_MS_MAX = 600_000
const TOO_MANY_REQUESTS = 429

export class RestHost {
  readonly #config: RestConfig
  readonly #context: RestContext
  readonly #queue: RequestQueue

  constructor(config: RestConfig, context: RestContext) {
    this.#config = config
    this.#context = context
    this.#queue = new RequestQueue(config.requestsPerSecond, context)
  }

  /** Sends a request, with retries. Rejects only with RestError. */
  async get<Read>(request: RestRequest<Read>): Promise<RestAnswer<Read>> {
    const { attempts } = this.#config
    const { stats, random, timers } = this.#context
    const { signal } = request
    const wait = backoff({ firstMs: RETRY_FROM_MS, maxMs: RETRY_TO_MS, random })
    const waitMs = (failures: number, error: unknown) => {
      const ms = Math.min(wait(failures, error), RETRY_AFTER_MS_MAX)
      if (isLimited(error)) this.#queue.pause(ms)
      return ms
    }
    try {
      return await withRetry(() => this.#attempt(request), { attempts, isPassing: mayPass, waitMs, timers, signal })
    } catch (error) {
      if (signal?.aborted) throw stopped()
      const { isRefusal, status, message } = error instanceof HttpFailure ? error : new HttpFailure(null, String(error))
      if (isRefusal) throw new RestError('refused', status, `${this.#named(request)}: ${message}`)
      stats.failed++
      const tried = attempts === 1 ? 'once' : `${attempts} times`
      throw new RestError('failed', status, `${this.#named(request)} failed ${tried}: ${message}`)
    }
  }

  async #attempt<Read>(request: RestRequest<Read>): Promise<RestAnswer<Read>> {
    const { clock, stats, timers, sign, fetch } = this.#context
    const { timeoutMs, bodyBytesMax } = this.#config
    await this.#turn(request)
    stats.requests++
    const url = this.#config.url + request.path
    const headers = { accept: 'application/json', ...sign?.(url) }
    const read = async (response: Response) => {
      const body = await readText(response, bodyBytesMax)
      const receivedNs = clock.wallNs()
      const json = jsonIn(body)
      const read = json === undefined ? undefined : request.read(json)
      if (read !== undefined) return { body, read, receivedNs }
      stats.garbage++
      throw new HttpFailure(response.status, 'the response has an unexpected form')
    }
    const { signal } = request
    try {
      return await fetchOnce({ url, headers, redirect: 'error', signal, timeoutMs, read, fetch, timers })
    } catch (error) {
      if (isLimited(error)) stats.limited++
      throw error
    }
  }

  #turn({ isUrgent = false, signal }: RestRequest<unknown>): Promise<void> {
    return new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(stopped())
      const leave = this.#queue.enter(() => {
        signal?.removeEventListener('abort', abort)
        resolve()
      }, isUrgent)
      const abort = () => {
        leave()
        reject(stopped())
      }
      signal?.addEventListener('abort', abort, { once: true })
    })
  }

  /** Returns the name of the request for messages, without the query, which may be long. */
  #named({ path }: RestRequest<unknown>): string {
    return `GET ${this.#config.url}${path.replace(/\?.*$/s, '')}`
  }
}

const isLimited = (error: unknown) => error instanceof HttpFailure && error.status === TOO_MANY_REQUESTS
const stopped = () => new RestError('stopped', null, 'the request was cancelled')
/** Parses a body. Returns undefined if it is not JSON. */
function jsonIn(body: string): unknown {
  try {
    return JSON.parse(body)
  } catch {
    return undefined
  }
}

class RequestQueue {
  readonly #clock: Pick<Clock, 'monoNs'>
  readonly #timers: Timers
  readonly #stepMs: number
  readonly #urgent: (() => void)[] = []
  readonly #others: (() => void)[] = []
  /** When the next request may begin, on the monotonic clock, ms. */
  #nextMs = Number.NEGATIVE_INFINITY
  #cancel: (() => void) | undefined

  constructor(perSecond: number, { clock, timers }: { clock: Pick<Clock, 'monoNs'>; timers: Timers }) {
    this.#stepMs = 1_000 / perSecond
    this.#clock = clock
    this.#timers = timers
  }

  /** Queues `begin`. It is called when its turn comes, but never before `enter` returns. The returned function removes
   *  `begin` from the queue. */
  enter(begin: () => void, isUrgent: boolean): () => void {
    const queue = isUrgent ? this.#urgent : this.#others
    queue.push(begin)
    this.#schedule()
    return () => {
      const index = queue.indexOf(begin)
      if (index >= 0) queue.splice(index, 1)
    }
  }

  /** Starts no request for `ms`. */
  pause(ms: number): void {
    this.#nextMs = Math.max(this.#nextMs, this.#nowMs() + ms)
  }

  #nowMs(): number {
    return msOf(this.#clock.monoNs())
  }

  #schedule(): void {
    if (this.#cancel !== undefined || this.#urgent.length + this.#others.length === 0) return
    this.#cancel = this.#timers.after(this.#nextMs - this.#nowMs(), () => {
      this.#cancel = undefined
      this.#begin()
      this.#schedule()
    })
  }

  /** Starts the next request if it is due: `pause` may have been called since the timer was set. Counts a request as
   *  due 1 ms early, since timers may fire a fraction of a ms early. */
  #begin(): void {
    const nowMs = this.#nowMs()
    if (nowMs < this.#nextMs - 1) return
    const begin = this.#urgent.shift() ?? this.#others.shift()
    if (begin === undefined) return
    this.#nextMs = Math.max(nowMs, this.#nextMs === Number.NEGATIVE_INFINITY ? nowMs : this.#nextMs) + this.#stepMs
    begin()
  }
}
