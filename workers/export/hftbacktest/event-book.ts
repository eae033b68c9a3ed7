// Writes one book of a date as rows of hftbacktest.
//
// `exch_ts` is the running maximum of the venue's time: records apply in stored order, and hftbacktest applies rows in
// the order of `exch_ts`. If a record has the same times as a trade after it, the trade goes first: hftbacktest fills
// orders by trades, and the levels that a trade takes must still be there.

import { MICROS } from '../../../storage/units.ts'
import { ASK, BID } from '../../book/ladder.ts'
import { heightOfLevel, isAskLevel } from '../../book/level-key.ts'
import { type OrderBook, SideLevels } from '../../book/order-book.ts'
import { grown } from '../../bytes/grown.ts'
import type { PresentRecord, PresentTrade } from '../book-events.ts'
import type { BookExport } from '../book-pass.ts'
import type { NewFile } from '../new-file.ts'
import { BUY, CLEAR, DEPTH, EventRows, FIELDS, NO_SIDE, SELL, SNAPSHOT, TRADE } from './event-rows.ts'
import { NpzFile } from './npz-file.ts'

const US_PER_MS = 1_000
const FIRST_WAITING = 256

export type EventCounts = {
  rows: number
  trades: number
  /** Trades without a known taker: hftbacktest ignores them. */
  tradesWithoutSide: number
  /** Records that change a book before its first snapshot. */
  unseenBook: number
  /** Records whose `exch_ts` is later than the venue's own time. */
  raisedVenueTimes: number
  /** Records without a receipt time: they use `exch_ts`. */
  withoutReceiveTime: number
  /** Rows that are written twice, because they were received in another order than they happened. */
  rowsTwice: number
  /** Added to every `local_ts`, so that none is before its `exch_ts`. */
  receiveTimesMovedUs: number
}

export class EventBook implements BookExport<EventCounts> {
  readonly #file: NewFile
  readonly #path: string
  readonly #rows = new EventRows()
  readonly #levels = new SideLevels()
  /** Rows that wait for trades with the same times: four numbers each. */
  #waiting = new Float64Array(4 * FIRST_WAITING)
  #waitingCount = 0
  #exchangeUs = Number.NEGATIVE_INFINITY
  #localUs = 0
  #record = Number.NaN
  readonly #counts = {
    ...{ trades: 0, tradesWithoutSide: 0, unseenBook: 0 },
    ...{ raisedVenueTimes: 0, withoutReceiveTime: 0 },
  }

  constructor(file: NewFile, path: string) {
    this.#file = file
    this.#path = path
  }

  opening(at: PresentRecord, book: OrderBook): void {
    this.#begin(at)
    if (book.trust === 'established') this.#clear()
    this.#addLevels(book, book.trust === 'established' ? SNAPSHOT : DEPTH)
  }

  switched(at: PresentRecord, book: OrderBook): void {
    this.#begin(at)
    this.#clear()
    this.#addLevels(book, book.trust === 'established' ? SNAPSHOT : DEPTH)
  }

  snapshot(at: PresentRecord, book: OrderBook): void {
    this.#begin(at)
    this.#clear()
    this.#addLevels(book, SNAPSHOT)
  }

  level(at: PresentRecord, key: number, sizeNow: number): void {
    this.#begin(at)
    const height = heightOfLevel(key)
    if (isAskLevel(key)) this.#wait(DEPTH, SELL, MICROS - height, sizeNow)
    else this.#wait(DEPTH, BUY, height, sizeNow)
  }

  changed(at: PresentRecord, book: OrderBook): void {
    this.#begin(at)
    if (book.trust !== 'established') this.#counts.unseenBook++
  }

  gap(at: PresentRecord): void {
    this.#begin(at)
    this.#clear()
  }

  trade(at: PresentRecord, { price, size, side }: PresentTrade): void {
    this.#begin(at)
    this.#counts.trades++
    if (side === NO_SIDE) this.#counts.tradesWithoutSide++
    this.#rows.add(TRADE, side, this.#exchangeUs, this.#localUs, price, size)
  }

  finish(): EventCounts {
    this.#settle()
    const rows = this.#rows
    const npz = new NpzFile(FIELDS, rows.writtenCount, (bytes) => this.#file.write(bytes))
    rows.write((bytes) => npz.add(bytes))
    npz.end()
    this.#file.finish(this.#path, rows.writtenCount)
    return {
      rows: rows.writtenCount,
      ...this.#counts,
      rowsTwice: rows.lateCount,
      receiveTimesMovedUs: rows.deficitUs,
    }
  }

  abort(): void {
    this.#file.abort()
  }

  #begin({ record, timeMs, venueUs, receivedMs }: PresentRecord): void {
    if (record === this.#record) return
    this.#record = record
    // Uses the venue's own time if its millisecond is the event time. Otherwise it stepped back or is not plausible.
    const isOwn = Math.floor(venueUs / US_PER_MS) === timeMs
    const exchangeUs = Math.max(isOwn ? venueUs : timeMs * US_PER_MS, this.#exchangeUs)
    const localUs = Number.isNaN(receivedMs) ? exchangeUs : receivedMs * US_PER_MS
    if (venueUs < exchangeUs) this.#counts.raisedVenueTimes++
    if (Number.isNaN(receivedMs)) this.#counts.withoutReceiveTime++
    if (exchangeUs !== this.#exchangeUs || localUs !== this.#localUs) this.#settle()
    this.#exchangeUs = exchangeUs
    this.#localUs = localUs
  }

  /** Clears both sides completely. A row with a last price would leave levels beyond it. */
  #clear(): void {
    this.#wait(CLEAR, BUY, 0, 0)
    this.#wait(CLEAR, SELL, MICROS, 0)
  }

  #addLevels(book: OrderBook, kind: number): void {
    for (const side of [BID, ASK] as const) {
      const count = book.readSide(side, this.#levels)
      const { prices, sizes } = this.#levels
      for (let i = 0; i < count; i++) this.#wait(kind, side === BID ? BUY : SELL, prices[i]!, sizes[i]!)
    }
  }

  #wait(kind: number, side: number, price: number, size: number): void {
    const at = 4 * this.#waitingCount++
    if (at === this.#waiting.length) this.#waiting = grown(this.#waiting)
    this.#waiting[at] = kind
    this.#waiting[at + 1] = side
    this.#waiting[at + 2] = price
    this.#waiting[at + 3] = size
  }

  #settle(): void {
    const waiting = this.#waiting
    for (let at = 0; at < 4 * this.#waitingCount; at += 4) {
      const [kind, side] = [waiting[at]!, waiting[at + 1]!]
      this.#rows.add(kind, side, this.#exchangeUs, this.#localUs, waiting[at + 2]!, waiting[at + 3]!)
    }
    this.#waitingCount = 0
  }
}
