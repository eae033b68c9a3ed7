// Fetches a book from REST when the socket sent none. The body has the time of the book: a book that is older than the
// socket's last message would undo that message, so it is requested again.

import type { Timers } from '../../../storage/retry/timers.ts'
import { TransientFailure, withRetry } from '../../../storage/retry/with-retry.ts'
import { RestError, type RestHost } from '../rest/rest-host.ts'
import { bookPath, type RestBook, readRestBook } from './rest-book.ts'

const ATTEMPTS = 5
const AGAIN_MS = 250

type ResyncOptions = {
  rest: Pick<RestHost, 'get'>
  timers: Timers
  /** Whether the book still waits for a snapshot. */
  isWaiting(token: string): boolean
  /** Whether the socket has received a message that this book does not include. */
  isBehind(book: RestBook): boolean
  /** Uses a book from REST. */
  take(book: RestBook, body: string): void
  /** Records why a book could not be fetched. */
  note(name: string, fields: Record<string, unknown>): void
}

export class RestResync {
  readonly #options: ResyncOptions
  readonly #abort = new AbortController()
  /** Tokens that are being requested. */
  readonly #pending = new Set<string>()

  constructor(options: ResyncOptions) {
    this.#options = options
  }

  /** Starts a request for each of these tokens that has none open. */
  ask(tokens: Iterable<string>): void {
    for (const token of tokens) {
      if (this.#pending.has(token)) continue
      this.#pending.add(token)
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
      this.#pending.delete(token)
    }
  }

  /** Requests a book once. Rejects with TransientFailure if the book is behind, and with RestError. */
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
