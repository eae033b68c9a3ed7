// The live stream, over server-sent events or WebSocket. Reconnects from the last position.

import type { Server } from './ask.js'
import { eventsOf } from './events.js'
import type { Carried, Channel, Message } from './messages.js'
import { BrokenError, ProblemError } from './problem.js'
import { socketMessages } from './socket.js'

export type StreamOptions = {
  /** Up to 200 markets, each as `kalshi:TICKER` or `polymarket:CONDITION`. */
  markets?: readonly string[]
  /** Instead of `markets`: all markets of an event, `kalshi:TICKER` or `polymarket:SLUG`. */
  event?: string
  channels: readonly Channel[]
  /** Position of a message. The stream continues after that message. */
  after?: string
  /** `events` by default: server-sent events, which need nothing but `fetch`. */
  over?: 'events' | 'socket'
  /** Number of failures in a row that the stream tolerates; no limit by default. */
  failuresMax?: number
  signal?: AbortSignal
}

/** Connects, and yields what the server sends until the connection ends. Throws ProblemError if it is refused. */
export type Connect = (query: StreamQuery, after: string | undefined, signal: AbortSignal) => AsyncIterable<Carried>
export type StreamQuery = { markets?: string; event?: string; channels: string }

const WAITS_MS = [500, 1_000, 2_000, 5_000, 10_000]

/** Iterates over messages. `position` is the position of the last one. */
export class Stream implements AsyncIterable<Message> {
  position: string | undefined
  readonly #server: Server
  readonly #options: StreamOptions

  constructor(server: Server, options: StreamOptions) {
    this.#server = server
    this.#options = options
    // A caller without a stored position may pass null.
    this.position = options.after ?? undefined
  }

  /** Ends only when the caller leaves the loop or `signal` aborts. Yields each message once and misses none. */
  async *[Symbol.asyncIterator](): AsyncGenerator<Message, void> {
    const { markets, event, channels, over = 'events', failuresMax = Number.POSITIVE_INFINITY, signal } = this.#options
    const named = event === undefined ? { markets: (markets ?? []).join(',') } : { event }
    const query = { ...named, channels: channels.join(',') }
    const connect = over === 'events' ? eventsOf(this.#server) : socketMessages(this.#server)
    let failures = 0
    while (signal?.aborted !== true) {
      const ending = new AbortController()
      const both = signal === undefined ? ending.signal : AbortSignal.any([signal, ending.signal])
      let wait: { error: unknown } | undefined = { error: undefined }
      try {
        for await (const carried of connect(query, this.position, both)) {
          this.position = carried.position ?? this.position
          if (carried.type === 'slow') {
            // This client reads too slowly. Reconnects, and the server reads the rest from its store.
            wait = undefined
            break
          }
          failures = 0
          yield carried as Message
        }
      } catch (error) {
        if (signal?.aborted) return
        if (error instanceof ProblemError && !error.isWorthAnother) throw error
        wait = { error }
      } finally {
        ending.abort()
      }
      if (wait === undefined) continue
      failures++
      if (failures > failuresMax) throw failureAfter(wait.error, failures)
      await this.#wait(wait.error, failures)
    }
  }

  async #wait(error: unknown, failures: number): Promise<void> {
    const retryAfterS = error instanceof ProblemError ? error.retryAfterSeconds : null
    const ms = retryAfterS === null ? WAITS_MS[Math.min(failures, WAITS_MS.length) - 1]! : retryAfterS * 1000
    await this.#server.sleep(ms, this.#options.signal).catch(() => undefined)
  }
}

function failureAfter(error: unknown, failures: number): Error {
  if (error instanceof ProblemError) return error
  return new BrokenError(`/stream: ${failures} failures in a row`, { cause: error })
}
