// Gets a book from REST where the socket gave none. A body of REST tells no time, so it is taken only if nothing of
// that book arrived from the question until some time after the answer: then it cannot be mistaken about its place.

import { sleep, type Timers } from '../../../storage/retry/timers.ts'
import { TransientFailure, withRetry } from '../../../storage/retry/with-retry.ts'
import type { Levels } from '../audit/levels.ts'
import { RestError, type RestHost } from '../rest/rest-host.ts'
import { orderbookPath, readOrderbook } from './rest-orderbooks.ts'

/** What the socket may lag behind REST. */
const SETTLE_MS = 500
const ATTEMPTS = 3

export type ResyncOptions = {
  rest: Pick<RestHost, 'get'>
  timers: Timers
  /** Whether a snapshot of the book is still waited for. */
  isWaiting(ticker: string): boolean
  take(ticker: string, body: string, levels: Levels): void
  /** Evidence of a book that was not got. */
  note(name: string, fields: Record<string, unknown>): void
}

export class RestResync {
  readonly #options: ResyncOptions
  readonly #abort = new AbortController()
  /** The books that are asked for, and whether something of them arrived since. */
  readonly #asked = new Map<string, { isTouched: boolean }>()

  constructor(options: ResyncOptions) {
    this.#options = options
  }

  ask(tickers: Iterable<string>): void {
    for (const ticker of tickers) if (!this.#asked.has(ticker)) void this.#get(ticker)
  }

  /** Something that changes this book arrived. */
  touched(ticker: string): void {
    const asked = this.#asked.get(ticker)
    if (asked !== undefined) asked.isTouched = true
  }

  close(): void {
    this.#abort.abort()
  }

  async #get(ticker: string): Promise<void> {
    const { note } = this.#options
    const asked = { isTouched: false }
    this.#asked.set(ticker, asked)
    try {
      await withRetry(() => this.#try(ticker, asked), { attempts: ATTEMPTS })
    } catch (error) {
      if (this.#abort.signal.aborted) return
      if (error instanceof TransientFailure) return note('rest_book_unsettled', { ticker, tries: ATTEMPTS })
      if (!(error instanceof RestError)) throw error
      if (error.kind !== 'stopped') note('rest_book_failed', { ticker, because: error.message })
    } finally {
      this.#asked.delete(ticker)
    }
  }

  /** Rejects with TransientFailure where the book moved meanwhile, and with RestError. */
  async #try(ticker: string, asked: { isTouched: boolean }): Promise<void> {
    const { rest, timers, isWaiting, take } = this.#options
    const { signal } = this.#abort
    asked.isTouched = false
    const { body, read } = await rest.get({ path: orderbookPath(ticker), read: readOrderbook, isUrgent: true, signal })
    await sleep(SETTLE_MS, timers, signal)
    if (!isWaiting(ticker)) return
    if (asked.isTouched) throw new TransientFailure('the book moved')
    take(ticker, body, read)
  }
}
