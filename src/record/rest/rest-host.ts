// One server that answers REST: all requests to it share a rate, are tried several times, and wait when it says so.

import type { RestConfig } from '../config/record-config.ts'
import type { Clock, Random, Timers } from '../connection/time.ts'
import { retryAfterMs } from '../socket/retry-after.ts'
import { RequestQueue } from './request-queue.ts'

/** `path` begins with a slash and stands behind the address. */
export type RestRequest<Read> = {
  path: string
  /** Understands a body, or returns undefined: then it is tried again. */
  read: (body: string) => Read | undefined
  /** Goes before requests that are not. */
  isUrgent?: boolean
  signal?: AbortSignal
}
export type RestAnswer<Read> = {
  body: string
  read: Read
  /** Unix ns, when all of it was there. */
  receivedNs: bigint
  /** Unix ms, when it was asked for. */
  askedMs: number
}

/** Counted for the status. */
export type RestFigures = { requests: number; limited: number; garbage: number; failed: number }

/** `refused`: the server said no, and would again. `given_up`: all attempts failed. `stopped`: the caller went away. */
export class RestError extends Error {
  override readonly name = 'RestError'
  readonly kind: 'refused' | 'given_up' | 'stopped'
  /** Null where there was no answer. */
  readonly status: number | null

  constructor(kind: RestError['kind'], status: number | null, message: string) {
    super(message)
    this.kind = kind
    this.status = status
  }
}

export type RestSurroundings = {
  clock: Clock
  timers: Timers
  random: Random
  figures: RestFigures
  /** Headers that sign a request to this address. */
  sign?: (url: string) => Record<string, string>
  fetch?: (
    url: string,
    init: { signal: AbortSignal; redirect: 'error'; headers: Record<string, string> },
  ) => Promise<Response>
}

const RETRY_FROM_MS = 1_000
const RETRY_TO_MS = 60_000

/** What an attempt came to. `retryMs` is set by a server that says when; `pauses` holds up all requests to the host. */
type Failure = { status: number | null; because: string; retryMs?: number; pauses?: true }

export class RestHost {
  readonly #config: RestConfig
  readonly #surroundings: RestSurroundings
  readonly #queue: RequestQueue

  constructor(config: RestConfig, surroundings: RestSurroundings) {
    this.#config = config
    this.#surroundings = surroundings
    this.#queue = new RequestQueue(config.requestsPerSecond, surroundings)
  }

  /** Rejects with RestError, and with nothing else. */
  async get<Read>(request: RestRequest<Read>): Promise<RestAnswer<Read>> {
    const { attempts } = this.#config
    const { figures } = this.#surroundings
    let failure: Failure = { status: null, because: 'it was not asked' }
    for (let attempt = 1; attempt <= attempts; attempt++) {
      await this.#turn(request)
      const outcome = await this.#attempt(request)
      if ('body' in outcome) return outcome
      failure = outcome
      if (attempt < attempts) await this.#waitAfter(failure, attempt, request.signal)
    }
    figures.failed++
    const tried = attempts === 1 ? 'once' : `${attempts} times`
    throw new RestError('given_up', failure.status, `${this.#named(request)} was tried ${tried}: ${failure.because}`)
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

  async #attempt<Read>(request: RestRequest<Read>): Promise<RestAnswer<Read> | Failure> {
    const { clock, figures, sign, fetch = globalThis.fetch } = this.#surroundings
    const { url, timeoutMs } = this.#config
    figures.requests++
    const askedMs = wallMs(clock)
    const limit = this.#limit(request.signal, timeoutMs)
    try {
      const address = url + request.path
      const headers = { accept: 'application/json', ...sign?.(address) }
      const response = await fetch(address, { signal: limit.signal, redirect: 'error', headers })
      if (!response.ok) return this.#refusal(request, response)
      const body = await this.#text(response)
      const receivedNs = clock.wallNs()
      const read = request.read(body)
      if (read !== undefined) return { body, read, receivedNs, askedMs }
      figures.garbage++
      return { status: response.status, because: 'the answer is not of the form that it should have' }
    } catch (error) {
      if (error instanceof RestError) throw error
      if (request.signal?.aborted) throw stopped()
      const because = limit.signal.aborted ? `no whole answer came within ${timeoutMs / 1_000} s` : String(error)
      return { status: null, because }
    } finally {
      limit.cancel()
    }
  }

  /** Throws RestError where another attempt would be answered the same. */
  async #refusal(request: RestRequest<unknown>, response: Response): Promise<Failure> {
    const { clock, figures } = this.#surroundings
    const { status } = response
    await response.body?.cancel().catch(() => undefined)
    const because = `the answer was ${status}`
    const retryMs = retryAfterMs(response.headers.get('retry-after'), wallMs(clock))
    const told = retryMs === undefined ? {} : { retryMs }
    if (status === 429) {
      figures.limited++
      return { status, because, ...told, pauses: true }
    }
    if (status >= 500 || status === 408 || status === 425) return { status, because, ...told }
    throw new RestError('refused', status, `${this.#named(request)}: ${because}`)
  }

  /** Longer bodies are not read. Throws Error. */
  async #text({ body }: Response): Promise<string> {
    const { bodyBytesMax } = this.#config
    const chunks: Uint8Array[] = []
    let length = 0
    for await (const chunk of body ?? []) {
      length += chunk.byteLength
      if (length > bodyBytesMax) throw new Error(`the answer is longer than ${bodyBytesMax} bytes`)
      chunks.push(chunk)
    }
    return Buffer.concat(chunks).toString()
  }

  /** A 429 holds up everything; without a time it waits as after any other failure. */
  async #waitAfter({ retryMs, pauses }: Failure, attempt: number, signal: AbortSignal | undefined): Promise<void> {
    const { random, timers } = this.#surroundings
    const stepMs = Math.min(RETRY_TO_MS, RETRY_FROM_MS * 2 ** (attempt - 1))
    const waitMs = retryMs === undefined ? stepMs * (0.5 + random() / 2) : Math.min(retryMs, RETRY_TO_MS * 10)
    if (pauses) this.#queue.pause(waitMs)
    await new Promise<void>((resolve, reject) => {
      const abort = () => {
        cancel()
        reject(stopped())
      }
      const cancel = timers.after(waitMs, () => {
        signal?.removeEventListener('abort', abort)
        resolve()
      })
      signal?.addEventListener('abort', abort, { once: true })
    })
  }

  #limit(signal: AbortSignal | undefined, ms: number): { signal: AbortSignal; cancel: () => void } {
    const controller = new AbortController()
    const abort = () => controller.abort()
    const cancelTimer = this.#surroundings.timers.after(ms, abort)
    signal?.addEventListener('abort', abort, { once: true })
    const cancel = () => {
      cancelTimer()
      signal?.removeEventListener('abort', abort)
    }
    return { signal: controller.signal, cancel }
  }

  /** Without the query, which may be long. */
  #named({ path }: RestRequest<unknown>): string {
    return `GET ${this.#config.url}${path.replace(/\?.*$/s, '')}`
  }
}

const stopped = () => new RestError('stopped', null, 'the request was given up')
const wallMs = (clock: Clock): number => Number(clock.wallNs() / 1_000_000n)
