// Encodes the state of a partition's books at a point between two records: at the start of a block, and at the start
// and end of a day.

import { Packr } from 'msgpackr'
import { DataError } from '../../storage/failures.ts'
import { checkedBody, withChecksum } from '../../storage/format/block.ts'
import { decodeInts, encodeInts } from '../../storage/format/columns/int-column.ts'
import { packText, unpack } from '../../storage/format/columns/packed.ts'
import type { BookTrust } from '../../storage/format/partition-head.ts'
import type { BookMark } from './book-mark.ts'
import { takeBook } from './book-pool.ts'
import { ASK, BID, type Side } from './ladder.ts'
import type { OrderBook } from './order-book.ts'

export type NamedBook = { id: string; book: OrderBook; mark: BookMark }

/** Id that stands for all books without a record yet. After a gap of the whole market, a state contains a lost book
 *  with this id. */
export const UNSEEN_BOOKS = ''

type EncodedSide = { count: number; heights: Uint8Array; sizes: Uint8Array }
type EncodedBook = {
  id: string
  trust: BookTrust
  openQuoteMs: number
  venueBid: number
  venueAsk: number
  bid: EncodedSide
  ask: EncodedSide
  mark: BookMark
}

/** Keys of the objects in a state. A state stores only the values of an object whose keys are in this list in this
 *  order; any other object is stored with its keys. Part of the stored format. */
const STATE_KEYS: string[][] = [
  ['id', 'trust', 'openQuoteMs', 'venueBid', 'venueAsk', 'bid', 'ask', 'mark'],
  ['count', 'heights', 'sizes'],
  ['last', 'change', 'trade', 'tickSize'],
  ['timeMs', 'record'],
  ['timeMs', 'micros'],
  ['entries', 'clockUs', 'gapCount', 'hasMarketGap', 'quality', 'hashes'],
  [
    ...['id', 'recordCount', 'tradeCount', 'tradeVolume', 'quoteCount', 'firstQuoteMs', 'lastQuoteMs'],
    ...['startsFrom', 'snapshotCount', 'opening', 'last'],
  ],
  ['bid', 'bidSize', 'ask', 'askSize'],
  ['gapCount', 'books', 'seqs'],
  ['recipe', 'trials', 'tradePrices', 'books'],
  ['hashesAgreed', 'hashesChecked', 'tickSize', 'doubts', 'open'],
  ['gapCount', 'books', 'seqs', 'isMatched'],
  ['reason', 'fromMs', 'record'],
  ['entries', 'clockUs', 'gapCount', 'hasMarketGap', 'quality', 'hashes', 'date'],
  [
    ...['id', 'recordCount', 'tradeCount', 'tradeVolume', 'quoteCount', 'firstQuoteMs', 'lastQuoteMs'],
    ...['startsFrom', 'snapshotCount', 'opening', 'last', 'trust'],
  ],
]
const packr = new Packr({
  // The type declares objects; the library also takes the lists of their keys.
  structures: STATE_KEYS as unknown as object[],
  maxSharedStructures: STATE_KEYS.length,
})

/** The books at a point of a partition, and what the partition's writer needs to continue from that point. */
export type BookState = { books: NamedBook[]; progress: unknown }

export function encodeBooks(books: NamedBook[], progress: unknown = null): Uint8Array {
  const encoded: EncodedBook[] = books.map(({ id, book, mark }) => ({
    id,
    trust: book.trust,
    openQuoteMs: book.openQuoteMs,
    venueBid: book.venueBid,
    venueAsk: book.venueAsk,
    bid: encodeSide(book, BID),
    ask: encodeSide(book, ASK),
    mark,
  }))
  return withChecksum(packText(packr.pack([encoded, progress])))
}

/** Decodes the books of a state. Throws DataError('block_corrupt'). */
export const decodeBooks = (bytes: Uint8Array): NamedBook[] => decodeState(bytes).books

/** Decodes a state. Throws DataError('block_corrupt'). */
export function decodeState(bytes: Uint8Array): BookState {
  const body = checkedBody(bytes)
  try {
    const [books, progress] = packr.unpack(unpack(body)) as [EncodedBook[], unknown]
    return { books: books.map(decodeBook), progress }
  } catch (error) {
    throw new DataError('block_corrupt', `Cannot read the state of stored books: ${(error as Error).message}`)
  }
}

/** Returns the book with this id, or the entry of UNSEEN_BOOKS if the book has no records; undefined if neither
 *  exists. */
export const bookOf = (books: NamedBook[], id: string): NamedBook | undefined =>
  books.find((named) => named.id === id) ?? books.find((named) => named.id === UNSEEN_BOOKS)

function decodeBook({ id, trust, openQuoteMs, venueBid, venueAsk, bid, ask, mark }: EncodedBook): NamedBook {
  const book = takeBook()
  book.trust = trust
  book.openQuoteMs = openQuoteMs
  book.venueBid = venueBid
  book.venueAsk = venueAsk
  decodeSide(bid, book, BID)
  decodeSide(ask, book, ASK)
  return { id, book, mark }
}

function encodeSide(book: OrderBook, side: Side): EncodedSide {
  const levels = book.levels(side)
  const count = levels.length
  const heights = new Float64Array(count)
  const sizes = new Float64Array(count)
  for (let i = 0; i < count; i++) [heights[i], sizes[i]] = levels[i]!
  return { count, heights: encodeInts(heights, count), sizes: encodeInts(sizes, count) }
}

function decodeSide({ count, heights, sizes }: EncodedSide, book: OrderBook, side: Side): void {
  const heightValues = decodeInts(heights, count)
  const sizeValues = decodeInts(sizes, count)
  for (let i = 0; i < count; i++) {
    book.setLevel(side, heightValues[i]!, sizeValues[i]!)
  }
}
