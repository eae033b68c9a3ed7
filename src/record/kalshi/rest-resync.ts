// Fetches a book from REST when the socket sent none. A REST body has no time. So it is used only if no message of the
// book arrived from the request until some time after the response: only then is its place in the sequence certain.

import { sleep, type Timers } from '../../../storage/retry/timers.ts'
import { TransientFailure, withRetry } from '../../../storage/retry/with-retry.ts'
import type { Levels } from '../audit/signed-book.ts'
import { RestError, type RestHost } from '../rest/rest-host.ts'
import { orderbookPath, readOrderbook } from './rest-orderbooks.ts'

/** How far the socket may lag behind REST. */
const SETTLE_MS = 500
const ATTEMPTS = 3

type ResyncOptions = {
  rest: Pick<RestHost, 'get'>
  timers: Timers
  /** Whether the book still waits for a snapshot. */
  isWaiting(ticker: string): boolean
  /** Uses a book from REST. */
  take(ticker: string, body: string, levels: Levels): void
  /** Records why a book could not be fetched. */
  note(name: string, fields: Record<string, unknown>): void
}

export class RestResync {
  readonly #options: ResyncOptions
  readonly #abort = new AbortController()
  /** Books that are being requested, and whether a message of them has arrived since. */
  readonly #pending = new Map<string, { isTouched: boolean }>()

  constructor(options: ResyncOptions) {
    this.#options = options
  }

  /** Starts a request for each of these books that has none open. */
  ask(tickers: Iterable<string>): void {
    for (const ticker of tickers) if (!this.#pending.has(ticker)) void this.#get(ticker)
  }

  /** Notes that a message which changes this book has arrived. */
  touched(ticker: string): void {
    const pending = this.#pending.get(ticker)
    if (pending !== undefined) pending.isTouched = true
  }

  close(): void {
    this.#abort.abort()
  }

  async #get(ticker: string): Promise<void> {
    const { note } = this.#options
    const pending = { isTouched: false }
    this.#pending.set(ticker, pending)
    try {
      await withRetry(() => this.#try(ticker, pending), { attempts: ATTEMPTS })
    } catch (error) {
      if (this.#abort.signal.aborted) return
      if (error instanceof TransientFailure) return note('rest_book_unsettled', { ticker, tries: ATTEMPTS })
      if (!(error instanceof RestError)) throw error
      if (error.kind !== 'stopped') note('rest_book_failed', { ticker, because: error.message })
    } finally {
      this.#pending.delete(ticker)
    }
  }

  /** Requests a book once. Rejects with TransientFailure if the book changed meanwhile, and with RestError. */
  async #try(ticker: string, pending: { isTouched: boolean }): Promise<void> {
    const { rest, timers, isWaiting, take } = this.#options
    const { signal } = this.#abort
    pending.isTouched = false
    const { body, read } = await rest.get({ path: orderbookPath(ticker), read: readOrderbook, isUrgent: true, signal })
    await sleep(SETTLE_MS, timers, signal)
    if (!isWaiting(ticker)) return
    if (pending.isTouched) throw new TransientFailure('the book moved')
    take(ticker, body, read)
  }
}
