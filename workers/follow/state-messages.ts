// Writes the present state of a market as messages: the position where the stream starts, and the books at that
// position.

import { MICROS } from '../../storage/units.ts'
import { bookFields } from '../../storage/venue.ts'
import { hasRecord } from '../book/book-mark.ts'
import { releaseBook } from '../book/book-pool.ts'
import { type NamedBook, UNSEEN_BOOKS } from '../book/book-state.ts'
import { ASK, BID, type Side } from '../book/ladder.ts'
import type { OrderBook } from '../book/order-book.ts'
import { closedBooks } from '../partition/closed-books.ts'
import { shownTrust, type TrustStep } from '../trust/trust-steps.ts'
import type { FollowedMarket } from './follow-block.ts'
import type { ResetReason } from './follow-request.ts'
import { quoteMessage } from './quote-message.ts'
import type { SentMessages } from './sent-messages.ts'

export type Start = {
  /** Null if nothing is stored. */
  date: string | null
  /** Index of the next record. */
  record: number
  /** Stored state of the books before the next record; null if there is none. */
  closing: Uint8Array | null
  /** Trust of each book over time, by id. */
  steps: ReadonlyMap<string, TrustStep[]>
  /** Null for a new stream. `changed` is the first changed record of a stored date. */
  reset: Reset | null
}
export type Reset = { reason: ResetReason; changed: { date: string; record: number } | null }

/** Writes the messages of the present state. Throws DataError('block_corrupt'). */
export function writeState(
  of: FollowedMarket,
  { date, record, closing, steps, reset }: Start,
  messages: SentMessages,
): void {
  const books = of.channels.some((channel) => channel === 'book' || channel === 'quotes') ? booksIn(closing) : []
  const begin = reset === null ? { type: 'begin' } : { type: 'reset', reason: reset.reason, changed: reset.changed }
  for (const channel of of.channels) {
    messages.add(channel, record, { ...begin, date, record })
    if (channel !== 'book' && channel !== 'quotes') continue
    for (const named of books) {
      const ids = bookFields(of, named.id)
      messages.add(channel, record, channel === 'book' ? wholeBook(named, ids, steps) : topNow(named, ids, steps))
    }
  }
  for (const { book } of books) releaseBook(book)
}

function booksIn(closing: Uint8Array | null): NamedBook[] {
  const { books } = closedBooks(closing)
  const isShown = ({ id, mark }: NamedBook) => id !== UNSEEN_BOOKS && mark.last !== null
  for (const named of books) if (!isShown(named)) releaseBook(named.book)
  return books.filter(isShown)
}

type Ids = Record<string, string>

type Steps = Start['steps']

/** Returns the present trust, even if the book's last record is of an earlier day. */
const trustOf = ({ id, book }: NamedBook, steps: Steps) =>
  shownTrust(book.trust, steps.get(id), Number.POSITIVE_INFINITY)

const wholeBook = (named: NamedBook, ids: Ids, steps: Steps): object => ({
  type: 'book',
  timestamp: named.mark.last?.timeMs ?? null,
  ...ids,
  trust: trustOf(named, steps),
  bids: levelsOf(named.book, BID),
  asks: levelsOf(named.book, ASK),
})

const topNow = (named: NamedBook, ids: Ids, steps: Steps): object => {
  const { book, mark } = named
  const isOpen = book.openQuoteMs >= 0
  const timestamp = mark.change?.timeMs ?? mark.last?.timeMs ?? 0
  const record = hasRecord(mark.change) ? mark.change.record : null
  return quoteMessage(book, { timestamp, ...ids, record, isOpen, trust: trustOf(named, steps) })
}

const levelsOf = (book: OrderBook, side: Side): [number, number][] =>
  book.levels(side).map(([height, size]) => [(side === BID ? height : MICROS - height) / MICROS, size / MICROS])
