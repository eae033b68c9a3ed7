// Makes the events that exports consist of: each record of one book and date that changes levels or is a trade, with
// its times, and the book after it.

import { applyRecord, askLevels, type Book, bidLevels, copyOf, levelsBeyond } from '../book.ts'
import type { TimedRecord } from '../event-time.ts'
import { amount, ONE } from '../exact.ts'
import { bodyOf, deltaOf } from '../kalshi-message.ts'
import { changesOf } from '../polymarket-message.ts'
import { type Trade, tradeOf } from '../questions/trades.ts'
import { continuedBook, type Partition, recordsOf } from '../quotes.ts'

const MICRO = ONE / 1_000_000n

/** A level that a record sets; prices in 1e-6 dollars, sizes in 1e-6 contracts. */
export type SetLevel = { side: 'bid' | 'ask'; price: bigint; now: bigint; before: bigint }
export type PlainTrade = Omit<Trade, 'price' | 'size'> & { price: bigint; size: bigint }

export type BookEvent = {
  kind: 'opening' | 'snapshot' | 'change' | 'gap' | 'trade'
  /** Number of the record within the date; -1 for the opening book. */
  record: number
  timeMs: number
  venueNs: bigint | undefined
  receivedMs: number | null
  opensQuote: boolean
  /** The levels that a change sets, in its order. */
  levels: SetLevel[]
  trade: PlainTrade | undefined
  /** The book after the record. */
  book: Book
}

export function bookEvents(partitions: Partition[], index: number, id: string): BookEvent[] {
  const partition = partitions[index]!
  const book = continuedBook(partitions, index, id)
  const places = new Map(partition.records.map((record, place) => [record, place]))
  const events: BookEvent[] = []
  const add = (record: TimedRecord | undefined, of: Pick<BookEvent, 'kind'> & Partial<BookEvent>) =>
    events.push({
      record: record === undefined ? -1 : places.get(record)!,
      timeMs: record?.timestamp ?? Date.parse(`${partition.date}T00:00:00Z`),
      // A gap comes from a recorder, not from the venue.
      venueNs: record?.type === 'gap' ? undefined : record?.quoteNs,
      receivedMs: record?.receivedAt ?? null,
      ...{ opensQuote: true, levels: [], trade: undefined },
      ...of,
      book: copyOf(book),
    })
  if (book.trust === 'established' || book.bids.size + book.asks.size > 0) add(undefined, { kind: 'opening' })
  let lastDelta: TimedRecord | undefined
  for (const record of recordsOf(partition, id)) {
    const { type, quoteNs } = record
    const opensQuote = type !== 'delta' || quoteNs === undefined || quoteNs !== lastDelta?.quoteNs
    const before = copyOf(book)
    applyRecord(book, record)
    if (type === 'snapshot' || type === 'gap') add(record, { kind: type })
    if (type === 'delta' && before.trust !== 'lost') {
      add(record, { kind: 'change', opensQuote, levels: setLevels(record, before, book) })
    }
    const trade = tradeOf(record)
    if (trade !== undefined) add(record, { kind: 'trade', opensQuote: false, trade: inMicros(trade) })
    if (type === 'delta') lastDelta = record
    else if (type === 'snapshot' || type === 'gap') lastDelta = undefined
  }
  return events
}

const inMicros = ({ price, size, ...trade }: Trade): PlainTrade => ({
  ...trade,
  price: price / MICRO,
  size: size / MICRO,
})

/** Applies the changes of a record to `before`, which the caller has copied. Returns the levels set, in order; then
 *  the levels removed because the venue states other best prices. */
function setLevels(record: TimedRecord, before: Book, after: Book): SetLevel[] {
  const levels: SetLevel[] = []
  for (const { side, price, size, isAdded } of changesIn(record)) {
    if (side === undefined || price === undefined || size === undefined || price < 0n || price > ONE) continue
    const map = side === 'bid' ? before.bids : before.asks
    const sizeBefore = map.get(price) ?? 0n
    const now = isAdded ? sizeBefore + size : size
    const sizeNow = now > 0n ? now : 0n
    if (sizeNow > 0n) map.set(price, sizeNow)
    else map.delete(price)
    levels.push({ side, price: price / MICRO, now: sizeNow / MICRO, before: sizeBefore / MICRO })
  }
  for (const { side, price, size } of levelsBeyond(after, before))
    levels.push({ side, price: price / MICRO, now: 0n, before: size / MICRO })
  return levels
}

type LevelChange = {
  side: 'bid' | 'ask' | undefined
  price: bigint | undefined
  size: bigint | undefined
  isAdded: boolean
}

function changesIn({ venue, msg }: TimedRecord): LevelChange[] {
  if (venue === 'kalshi') {
    const { side, price, amount: size } = deltaOf(bodyOf(msg))
    if (side === 'no') return [{ side: 'ask', price: price === undefined ? price : ONE - price, size, isAdded: true }]
    return [{ side: side === 'yes' ? 'bid' : undefined, price, size, isAdded: true }]
  }
  return changesOf(msg).map(({ side, price, size }) => ({
    side: side === 'BUY' ? 'bid' : side === 'SELL' ? 'ask' : undefined,
    price: amount(price),
    size: amount(size),
    isAdded: false,
  }))
}

/** Returns the levels as venues print a book: bids, then asks, each side with the best level last. */
export const printedLevels = (book: Book): { side: 'bid' | 'ask'; price: bigint; size: bigint }[] =>
  (['bid', 'ask'] as const).flatMap((side) =>
    (side === 'bid' ? bidLevels(book) : askLevels(book))
      .reverse()
      .map(({ price, size }) => ({ side, price: price / MICRO, size: size / MICRO })),
  )

/** Returns the levels with the best first: bids, then asks. */
export const bestFirst = (book: Book): { side: 'bid' | 'ask'; price: bigint; size: bigint }[] =>
  (['bid', 'ask'] as const).flatMap((side) =>
    printedLevels(book)
      .filter((level) => level.side === side)
      .reverse(),
  )

/** Returns the best level, or undefined for an empty side. */
export function bestOf(book: Book, side: 'bid' | 'ask'): { price: bigint; size: bigint } | undefined {
  const [best] = side === 'bid' ? bidLevels(book) : askLevels(book)
  return best && { price: best.price / MICRO, size: best.size / MICRO }
}
