// Formats a book at an instant as the message that its venue would send to a new subscriber.

import type { Store } from '../../storage/open-store.ts'
import { MICROS, utcDate } from '../../storage/units.ts'
import type { Venue } from '../../storage/venue.ts'
import { type BookMark, hasRecord, markAfterSwitch, NO_MARK } from '../book/book-mark.ts'
import { releaseBook, takeBook } from '../book/book-pool.ts'
import { decodeBooks, UNSEEN_BOOKS } from '../book/book-state.ts'
import { ASK, BID } from '../book/ladder.ts'
import type { OrderBook } from '../book/order-book.ts'
import { Days, type FoundBook, findBook, type Instant } from '../instant/book-at.ts'
import { verifyBook } from '../instant/verify-book.ts'
import { MEANINGS } from '../venues.ts'

export type BookMessageRequest = { venue: Venue; market: string; book: string; at: Instant }

/** Returns the message; null if the book is unknown, because it has no record yet or was lost in a gap. Rejects with
 *  DataError('block_corrupt'). */
export async function bookMessage(store: Store, request: BookMessageRequest): Promise<string | null> {
  if ((await store.catalogue.market(request.venue, request.market)) === undefined) return null
  return findBook(store, request, async (found) => {
    return messageOf(request, found)
  })
}

/** A switch to another source at `atMs`, Unix ms. `state` has the books of that source; null if it has none. `known` are
 *  the ids of the books that were known before. */
export type SwitchedBooks = { atMs: number; state: Uint8Array | null; known: readonly string[] }

/** Returns the messages of a switch: one with each book of the new source, and one with an empty book for each book
 *  that is no longer known. Rejects with DataError('block_corrupt'). */
export async function bookMessages(
  store: Store,
  of: Pick<BookMessageRequest, 'venue' | 'market'>,
  { atMs, state, known }: SwitchedBooks,
): Promise<{ id: string; text: string }[]> {
  const days = new Days(store, of)
  const messages: { id: string; text: string }[] = []
  const missing = new Set(known)
  const add = async (id: string, book: OrderBook, mark: BookMark) => {
    const text = await messageOf({ ...of, book: id }, { book, mark, days })
    releaseBook(book)
    if (text === null) return
    messages.push({ id, text })
    missing.delete(id)
  }
  for (const { id, book, mark } of state === null ? [] : decodeBooks(state)) {
    // The mark of an opening book has places of an earlier day, where a layer may number its records differently. So
    // use the mark of a switch, which has no such places.
    if (id !== UNSEEN_BOOKS) await add(id, book, hasRecord(mark.last) ? markAfterSwitch(NO_MARK, mark, atMs) : mark)
  }
  for (const id of [...missing]) await add(id, takeBook(), markAfterSwitch(NO_MARK, NO_MARK, atMs))
  return messages
}

type BookRef = Omit<BookMessageRequest, 'at'>

async function messageOf(
  { venue, market, book: id }: BookRef,
  { book, mark, days }: FoundBook,
): Promise<string | null> {
  const { last, change, trade, tickSize } = mark
  const { socket } = MEANINGS[venue]
  if (socket === null || last === null || book.trust === 'lost') return null
  const message = await socket.book({
    ...{ market, book: id },
    bids: book.levels(BID).reverse(),
    asks: book.levels(ASK).reverse().map(askOfHeight),
    changedMs: (change ?? last).timeMs,
    tickSize: tickSize?.micros ?? null,
    changeText: async (key) => (hasRecord(change) ? textAt(days, change, key) : undefined),
    tradeText: async (key) => (trade === null ? undefined : textAt(days, trade, key)),
    isVerified: async () =>
      hasRecord(change) &&
      (await verifyBook({ id, book, mark }, change, await days.at(utcDate(change.timeMs)))) === true,
  })
  return JSON.stringify(message)
}

/** Returns the ask. Its price is one dollar minus `height`, in micro-dollars. */
const askOfHeight = ([height, size]: [number, number]): [number, number] => [MICROS - height, size]

async function textAt(
  days: FoundBook['days'],
  place: { timeMs: number; record: number },
  key: string,
): Promise<string | undefined> {
  const day = await days.at(utcDate(place.timeMs))
  const { fields, firstRecord } = await day.block(day.indexOf(place.record))
  return fields.text(place.record - firstRecord, key, true)
}
