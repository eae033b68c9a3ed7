// Makes Tardis' CSV files of one book and date from the model's records, one record at a time.

import { applyRecord, askLevels, type Book, bidLevels, copyOf, type Level, levelsBeyond, unseenBook } from '../book.ts'
import type { TimedRecord } from '../event-time.ts'
import { amount, ONE, toText } from '../exact.ts'
import type { JsonObject } from '../json.ts'
import { bodyOf, deltaOf } from '../kalshi-message.ts'
import { changesOf } from '../polymarket-message.ts'
import { tradeOf } from '../questions/trades.ts'
import { continuedBook, type Partition, recordsOf } from '../quotes.ts'

export type TardisFiles = Record<'incremental_book_L2' | 'book_snapshot_25' | 'quotes' | 'trades', string[]>

const DAY_US = 86_400_000_000

/** Returns the rows of each file, without header and without the columns exchange and symbol. */
export function tardisFiles(partitions: Partition[], book: string, date: string): TardisFiles {
  const writer = new TardisWriter(Date.parse(date) * 1_000)
  const index = partitions.findIndex((partition) => partition.date === date)
  const state = continuedBook(partitions, index, book)
  writer.opening(state)
  for (const record of recordsOf(partitions[index]!, book)) {
    const before = copyOf(state)
    applyRecord(state, record)
    writer.record(record, before, state)
  }
  return writer.files
}

class TardisWriter {
  readonly files: TardisFiles = { incremental_book_L2: [], book_snapshot_25: [], quotes: [], trades: [] }
  readonly #startUs: number
  #receivedUs: number
  /** Receipt time of the last trade, µs. Trades have a file of their own. */
  #tradeUs: number
  #snapshotUs = -1
  /** The book that a reader of the rows has; a gap does not change it. */
  readonly #reader = unseenBook()
  #shown = ''
  #top = ',,,'

  constructor(startUs: number) {
    this.#startUs = startUs
    this.#receivedUs = startUs
    this.#tradeUs = startUs
  }

  opening(book: Book): void {
    const [bids, asks] = [bidLevels(book), askLevels(book)]
    if (book.trust !== 'established' && bids.length + asks.length === 0) return
    if (book.trust === 'established') this.#snapshot(this.#startUs, book)
    else this.#rows(this.#startUs, 'false', bids, asks)
    this.#state(this.#startUs, book)
  }

  record(record: TimedRecord, before: Book, after: Book): void {
    const { type, timestamp, receivedAt } = record
    if (type !== 'snapshot' && type !== 'delta' && type !== 'trade') return
    const trade = tradeOf(record)
    if (type === 'trade' && trade === undefined) return
    // A change of a lost book has no rows.
    if (type === 'delta' && before.trust === 'lost') return
    const venueNs = record.quoteNs ?? record.venueNs
    let timeUs = venueNs === undefined ? timestamp * 1_000 : Number(venueNs / 1_000n)
    const receiptUs = (receivedAt ?? timestamp) * 1_000
    const notBefore = (us: number) => Math.min(Math.max(us, receiptUs), this.#startUs + DAY_US - 1)
    if (trade !== undefined) {
      this.#tradeUs = notBefore(this.#tradeUs)
      const { id, side, price, size } = trade
      const row = [timeUs, this.#tradeUs, id === '' ? '""' : (id ?? ''), side ?? 'unknown', toText(price), toText(size)]
      this.files.trades.push(row.join(','))
      return
    }
    this.#receivedUs = notBefore(this.#receivedUs)
    const isEmpty = type === 'snapshot' && bidLevels(after).length + askLevels(after).length === 0
    if (isEmpty) timeUs = timestamp * 1_000
    if (type === 'snapshot') this.#snapshot(timeUs, after)
    else for (const row of levelsSet(record, before, after)) this.#incremental(timeUs, 'false', row)
    this.#state(timeUs, after)
  }

  #snapshot(timeUs: number, after: Book): void {
    if (this.#receivedUs === this.#snapshotUs) this.#receivedUs++
    this.#snapshotUs = this.#receivedUs
    const [bids, asks] = [bidLevels(after), askLevels(after)]
    if (bids.length + asks.length > 0) {
      this.#reader.bids.clear()
      this.#reader.asks.clear()
      return this.#rows(timeUs, 'true', bids, asks)
    }
    const gone = (level: Level) => ({ ...level, size: 0n })
    this.#rows(timeUs, 'false', bidLevels(this.#reader).map(gone), askLevels(this.#reader).map(gone))
  }

  #rows(timeUs: number, isSnapshot: string, bids: Level[], asks: Level[]): void {
    for (const level of bids) this.#incremental(timeUs, isSnapshot, { side: 'bid', ...level })
    for (const level of asks) this.#incremental(timeUs, isSnapshot, { side: 'ask', ...level })
  }

  #incremental(timeUs: number, isSnapshot: string, { side, price, size }: Level & { side: string }): void {
    const levels = side === 'bid' ? this.#reader.bids : this.#reader.asks
    if (size > 0n) levels.set(price, size)
    else levels.delete(price)
    this.files.incremental_book_L2.push(
      [timeUs, this.#receivedUs, isSnapshot, side, toText(price), toText(size)].join(','),
    )
  }

  #state(timeUs: number, book: Book): void {
    if (book.trust !== 'established') return
    const [asks, bids] = [askLevels(book), bidLevels(book)]
    const printed = (level: Level | undefined) =>
      level === undefined ? ',' : `${toText(level.price)},${toText(level.size)}`
    const shown = Array.from({ length: 25 }, (_, i) => `${printed(asks[i])},${printed(bids[i])}`).join(',')
    if (shown !== this.#shown && (this.#shown !== '' || asks.length + bids.length > 0)) {
      this.files.book_snapshot_25.push(`${timeUs},${this.#receivedUs},${shown}`)
      this.#shown = shown
    }
    const [ask, bid] = [asks[0], bids[0]]
    const top = [ask?.size, ask?.price, bid?.price, bid?.size].map((units) =>
      units === undefined ? '' : toText(units),
    )
    if (top.join(',') === this.#top) return
    this.#top = top.join(',')
    this.files.quotes.push(`${timeUs},${this.#receivedUs},${this.#top}`)
  }
}

type SetLevel = Level & { side: 'bid' | 'ask' }

/** Returns the levels that a record sets, in the record's order, then the levels that it removes because the venue
 *  states other best prices. Leaves out removals of missing levels. */
function levelsSet(record: TimedRecord, before: Book, after: Book): SetLevel[] {
  const book = copyOf(before)
  const set = entriesOf(record).flatMap((entry) => {
    const place = placeOf(entry)
    if (place === undefined) return []
    const side = place.side === 'bid' ? book.bids : book.asks
    const sizeBefore = side.get(place.price) ?? 0n
    applyRecord(book, entry)
    const size = side.get(place.price) ?? 0n
    return size === 0n && sizeBefore === 0n ? [] : [{ ...place, size }]
  })
  return [...set, ...levelsBeyond(after, book).map((level) => ({ ...level, size: 0n }))]
}

/** Splits a record with several entries into one record per entry, without the best prices that the venue states. */
function entriesOf(record: TimedRecord): TimedRecord[] {
  const key = ['price_changes', 'changes'].find((name) => Array.isArray(record.msg[name]))
  if (key === undefined) return [record]
  return (record.msg[key] as JsonObject[]).map(({ best_bid, best_ask, ...change }) => ({
    ...record,
    msg: { ...record.msg, [key]: [change] },
  }))
}

/** Returns undefined if the record has no valid price or no valid size. */
function placeOf({ venue, msg }: TimedRecord): Omit<SetLevel, 'size'> | undefined {
  const place = venue === 'kalshi' ? kalshiPlace(msg) : polymarketPlace(msg)
  return place === undefined || place.price < 0n || place.price > ONE ? undefined : place
}

function kalshiPlace(msg: JsonObject): Omit<SetLevel, 'size'> | undefined {
  const { side, price, amount: change } = deltaOf(bodyOf(msg))
  if (price === undefined || change === undefined) return undefined
  if (side === 'yes') return { side: 'bid', price }
  return side === 'no' ? { side: 'ask', price: ONE - price } : undefined
}

function polymarketPlace(msg: JsonObject): Omit<SetLevel, 'size'> | undefined {
  const [change] = changesOf(msg)
  const price = amount(change?.['price'])
  if (price === undefined || amount(change?.['size']) === undefined) return undefined
  if (change?.['side'] === 'BUY') return { side: 'bid', price }
  return change?.['side'] === 'SELL' ? { side: 'ask', price } : undefined
}
