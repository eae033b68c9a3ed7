// Requests from REST the books that a socket did not send. The session decides whether the body of a response fits
// between the messages of the socket. If the body does not fit, the book is requested again.

import { sleep, type Timers } from '../../../storage/retry/timers.ts'
import { TransientFailure, withRetry } from '../../../storage/retry/with-retry.ts'
import { RestError } from '../rest/rest-host.ts'
import type { BookId, BookSource, Link, ProtocolSession } from './venue-protocol.ts'

export class BookRequests {
  readonly #source: BookSource
  readonly #timers: Timers
  readonly #session: Pick<ProtocolSession, 'beginBook' | 'readBook'>
  readonly #note: Link['state']
  readonly #abort = new AbortController()
  /** Books that are being requested. */
  readonly #pending = new Set<BookId>()

  /** `note` receives the reason why a book could not be fetched. */
  constructor(
    source: BookSource,
    timers: Timers,
    session: Pick<ProtocolSession, 'beginBook' | 'readBook'>,
    note: Link['state'],
  ) {
    this.#source = source
    this.#timers = timers
    this.#session = session
    this.#note = note
  }

  /** Requests these books. Skips books that are already being requested. */
  ask(books: Iterable<BookId>): void {
    for (const book of books) {
      if (this.#pending.has(book)) continue
      this.#pending.add(book)
      void this.#get(book)
    }
  }

  close(): void {
    this.#abort.abort()
  }

  async #get(book: BookId): Promise<void> {
    const { attempts, waitMs } = this.#source
    const { signal } = this.#abort
    try {
      await withRetry(() => this.#try(book), { attempts, waitMs, timers: this.#timers, signal })
    } catch (error) {
      if (signal.aborted) return
      if (error instanceof TransientFailure) return this.#note('rest_book_unusable', { book, tries: attempts })
      if (!(error instanceof RestError)) throw error
      this.#note('rest_book_failed', { book, because: error.message })
    } finally {
      this.#pending.delete(book)
    }
  }

  /** Requests a book once. Rejects with TransientFailure if the body does not fit, and with RestError. */
  async #try(book: BookId): Promise<void> {
    const { rest, path, isBook, settleMs } = this.#source
    const { signal } = this.#abort
    if (signal.aborted || !this.#session.beginBook(book)) return
    const read = (json: unknown) => (isBook(json) ? { json } : undefined)
    const { body, read: parsed } = await rest.get({ path: path(book), read, isUrgent: true, signal })
    if (settleMs > 0) await sleep(settleMs, this.#timers, signal)
    if (signal.aborted) return
    if (!this.#session.readBook(book, body, parsed.json)) throw new TransientFailure('the body does not fit')
  }
}
