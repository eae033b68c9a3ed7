// The ten best levels of one book and date as DBN's MBP-10: a record for each message that changes them, and for each
// trade. Sizes are in hundredths of a contract, since DBN has 32 bits for them.

import { MICROS } from '../../../storage/units.ts'
import { ASK, BID } from '../../book/ladder.ts'
import { heightOfLevel, isAskLevel } from '../../book/level-key.ts'
import { isSameSide, type OrderBook, SideLevels } from '../../book/order-book.ts'
import type { PresentRecord, PresentTrade } from '../book-events.ts'
import type { BookExport } from '../book-pass.ts'
import { ExportClock } from '../export-clock.ts'
import type { DbnFile } from './dbn-file.ts'
import { writeHeader, writeNoPrice, writePrice, writeTime } from './dbn-record.ts'

/** A size that DBN cannot hold. */
export class SizeUnfit extends Error {
  constructor(record: number, size: number, isWhole: boolean) {
    const why = isWhole ? 'more than 42,949,672.95' : 'finer than 0.01'
    super(`record ${record} has the size ${size / MICROS}, which is ${why} contracts: DBN has 32 bits for a size`)
  }
}

const RECORD_BYTES = 368
const MBP_10 = 0x0a
const LEVELS = 10
const LEVELS_AT = 48
const LEVEL_BYTES = 32
const MICROS_PER_UNIT = 10_000
const UNITS_MAX = 2 ** 32 - 1
const FLAG = { last: 128, snapshot: 32, mbp: 16, noReceiveTime: 8, unproven: 4 } as const
const ACTION = { add: 0x41, cancel: 0x43, modify: 0x4d, clear: 0x52, trade: 0x54 } as const
const SIDE = { bid: 0x42, ask: 0x41, none: 0x4e } as const
const INT32_MAX = 2 ** 31 - 1

type Said = { action: number; side: number; price: number; size: number; depth: number; flags: number }

export class MbpBook implements BookExport<DbnFile> {
  readonly #file: DbnFile
  readonly #instrumentId: number
  readonly #clock: ExportClock
  /** The best levels now, and as the last record has them: prices, sizes, and how many. */
  readonly #sides = [BID, ASK].map((side) => ({ side, now: new SideLevels(), written: new SideLevels(), count: 0 }))
  /** The last level that the present message set. */
  #said: Said = { action: ACTION.modify, side: SIDE.none, price: -1, size: 0, depth: 0, flags: 0 }
  #isUnproven = true

  constructor(file: DbnFile, instrumentId: number, date: string) {
    this.#file = file
    this.#instrumentId = instrumentId
    this.#clock = new ExportClock(date)
  }

  opening(at: PresentRecord, book: OrderBook): void {
    this.snapshot(at, book)
  }

  snapshot(at: PresentRecord, book: OrderBook): void {
    this.#read(book)
    this.#write(at, { action: ACTION.clear, side: SIDE.none, price: -1, size: 0, depth: 0, flags: FLAG.snapshot })
  }

  level(_at: PresentRecord, key: number, sizeNow: number, sizeBefore: number): void {
    const isAsk = isAskLevel(key)
    this.#said = {
      action: sizeNow === 0 ? ACTION.cancel : sizeBefore === 0 ? ACTION.add : ACTION.modify,
      side: isAsk ? SIDE.ask : SIDE.bid,
      price: isAsk ? MICROS - heightOfLevel(key) : heightOfLevel(key),
      size: sizeNow,
      depth: 0,
      flags: 0,
    }
  }

  changed(at: PresentRecord, book: OrderBook): void {
    if (book.trust !== 'established') this.#file.unseenBook++
    if (!this.#read(book)) return
    this.#said.depth = this.#depthOf(this.#said)
    this.#write(at, this.#said)
  }

  gap(at: PresentRecord): void {
    for (const shown of this.#sides) shown.count = 0
    this.#isUnproven = true
    this.#write(at, { action: ACTION.clear, side: SIDE.none, price: -1, size: 0, depth: 0, flags: 0 })
  }

  trade(at: PresentRecord, { price, size, side }: PresentTrade): void {
    const taker = side === 0 ? SIDE.none : side === 1 ? SIDE.bid : SIDE.ask
    this.#write(at, { action: ACTION.trade, side: taker, price, size, depth: 0, flags: 0 })
  }

  finish(): DbnFile {
    return this.#file
  }

  abort(): void {
    this.#file.abort()
  }

  /** Whether the levels that a record shows are others than before. */
  #read(book: OrderBook): boolean {
    this.#isUnproven = book.trust !== 'established'
    let isSame = true
    for (const shown of this.#sides) {
      ;[shown.now, shown.written] = [shown.written, shown.now]
      const count = Math.min(book.readSide(shown.side, shown.now), LEVELS)
      isSame &&= count === shown.count && isSameSide(shown.now, shown.written, count)
      shown.count = count
    }
    return !isSame
  }

  /** Where the level is among the best of its side; 10 where it is none of them. */
  #depthOf({ side, price }: Said): number {
    const { now, count } = this.#sides[side === SIDE.ask ? ASK : BID]!
    const index = now.prices.subarray(0, count).indexOf(price)
    return index < 0 ? LEVELS : index
  }

  #write(at: PresentRecord, { action, side, price, size, depth, flags }: Said): void {
    this.#clock.set(at)
    const { eventUs, receivedUs } = this.#clock
    const { view, at: start } = this.#file.next(RECORD_BYTES)
    writeHeader(view, start, RECORD_BYTES, MBP_10, this.#instrumentId)
    writeTime(view, start + 8, eventUs)
    if (price < 0) writeNoPrice(view, start + 16)
    else writePrice(view, start + 16, price)
    view.setUint32(start + 24, unitsOf(size, at.record), true)
    view.setUint8(start + 28, action)
    view.setUint8(start + 29, side)
    const received = Number.isNaN(at.receivedMs) ? FLAG.noReceiveTime : 0
    const unproven = this.#isUnproven ? FLAG.unproven : 0
    view.setUint8(start + 30, flags | FLAG.last | FLAG.mbp | received | unproven)
    view.setUint8(start + 31, depth)
    writeTime(view, start + 32, receivedUs)
    view.setInt32(start + 40, Math.max(-INT32_MAX, Math.min(INT32_MAX, (receivedUs - eventUs) * 1_000)), true)
    view.setUint32(start + 44, Math.max(at.record, 0), true)
    for (let i = 0; i < LEVELS; i++) this.#writeLevel(view, start + LEVELS_AT + LEVEL_BYTES * i, i, at.record)
  }

  #writeLevel(view: DataView, start: number, i: number, record: number): void {
    for (const { side, now, count } of this.#sides) {
      const place = side === BID ? 0 : 1
      if (i < count) writePrice(view, start + 8 * place, now.prices[i]!)
      else writeNoPrice(view, start + 8 * place)
      if (i < count) view.setUint32(start + 16 + 4 * place, unitsOf(now.sizes[i]!, record), true)
    }
  }
}

function unitsOf(micros: number, record: number): number {
  const units = micros / MICROS_PER_UNIT
  const isWhole = micros % MICROS_PER_UNIT === 0
  if (!isWhole || units > UNITS_MAX) throw new SizeUnfit(record, micros, isWhole)
  return units
}
