// Gets a book from REST where the socket gave none. The body tells how old it is: one that is older than what the
// socket said last would undo that, and is asked for again.

import type { Timers } from '../../../storage/retry/timers.ts'
import { TransientFailure, withRetry } from '../../../storage/retry/with-retry.ts'
import { RestError, type RestHost } from '../rest/rest-host.ts'
import { bookPath, type RestBook, readRestBook } from './rest-book.ts'

const ATTEMPTS = 5
const AGAIN_MS = 250

export type ResyncOptions = {
  rest: Pick<RestHost, 'get'>
  timers: Timers
  /** Whether a snapshot of the book is still waited for. */
  isWaiting(token: string): boolean
  /** Whether the socket said something of the book that this one does not know. */
  isBehind(book: RestBook): boolean
  take(book: RestBook, body: string): void
  /** Evidence of a book that was not got. */
  note(name: string, fields: Record<string, unknown>): void
}

export class RestResync {
  readonly #options: ResyncOptions
  readonly #abort = new AbortController()
  readonly #asked = new Set<string>()

  constructor(options: ResyncOptions) {
    this.#options = options
  }

  ask(tokens: Iterable<string>): void {
    for (const token of tokens) {
      if (this.#asked.has(token)) continue
      this.#asked.add(token)
      void this.#get(token)
    }
  }

  close(): void {
    this.#abort.abort()
  }

  async #get(token: string): Promise<void> {
    const { note, timers } = this.#options
    const { signal } = this.#abort
    const waitMs = (failures: number) => AGAIN_MS * 2 ** failures
    try {
      await withRetry(() => this.#try(token), { attempts: ATTEMPTS, waitMs, timers, signal })
    } catch (error) {
      if (signal.aborted) return
      if (error instanceof TransientFailure) return note('rest_book_behind', { token, tries: ATTEMPTS })
      if (!(error instanceof RestError)) throw error
      if (error.kind !== 'stopped') note('rest_book_failed', { token, because: error.message })
    } finally {
      this.#asked.delete(token)
    }
  }

  /** Rejects with TransientFailure where the book is behind, and with RestError. */
  async #try(token: string): Promise<void> {
    const { rest, isWaiting, isBehind, take } = this.#options
    const { signal } = this.#abort
    if (signal.aborted || !isWaiting(token)) return
    const read = (body: string) => readRestBook(body)
    const { read: book, body } = await rest.get({ path: bookPath(token), read, isUrgent: true, signal })
    if (signal.aborted || !isWaiting(token)) return
    if (book.token !== token || isBehind(book)) throw new TransientFailure('the book is behind')
    take(book, body)
  }
}
