// Orders the rows of a book in an archive of several recorders. Rows of one recorder are ordered by its sequence
// numbers. When another recorder takes over, it is unknown what was lost in between, so the book starts anew with the
// next snapshot.

import { AscendingOrder } from './ascending-order.ts'

/** Types of event of a book. Other lists refer to a type by its index in this list. */
export const BOOK_EVENTS = ['book', 'price_change', 'best_bid_ask', 'last_trade_price', 'tick_size_change'] as const
const [BOOK, CHANGE, BEST] = [0, 1, 2]

/** Values of the rows, indexed by row. */
export type SegmentRows = {
  /** Receipt time, in any unit that is the same for all. */
  received: Float64Array
  /** For each row: how often its recorder had restarted, and the recorder's sequence number since the last restart. */
  generations: Float64Array
  counters: Float64Array
  /** For each row: its recorder, and its type of event as an index in `BOOK_EVENTS`. */
  recorders: Uint8Array
  types: Uint8Array
}

/** A gap, with times in the unit of `received`. `after` is the last row before it, and `from` the time of that row.
 *  `to` is the time of the next snapshot; if there is none, of the last dropped change. */
export type Gap = { after: number; from: number; to: number }

export type Segments = {
  /** Rows to write, in order: the first `count` elements. */
  shown: Uint32Array
  count: number
  /** Number of changes and best prices that are dropped, because the book before them is unknown. */
  leftOut: number
  gaps: Gap[]
}

export class SegmentOrder {
  readonly #order = new AscendingOrder()
  #keys = new Float64Array(0)

  /** Orders the rows of one book, in place. */
  of(rows: Uint32Array, of: SegmentRows): Segments {
    let isOne = true
    for (const row of rows) if (of.recorders[row] !== of.recorders[rows[0]!]) isOne = false
    this.#sort(rows, of.counters)
    this.#sort(rows, of.generations)
    if (isOne) return { shown: rows, count: rows.length, leftOut: 0, gaps: [] }
    this.#sort(rows, of.received)
    return cut(rows, of)
  }

  /** Sorts rows by key; rows with equal keys keep their order. */
  #sort(rows: Uint32Array, keys: Float64Array): void {
    if (this.#keys.length < rows.length) this.#keys = new Float64Array(2 * rows.length)
    const own = this.#keys
    let isSorted = true
    for (let i = 0; i < rows.length; i++) {
      own[i] = keys[rows[i]!]!
      if (i > 0 && own[i]! < own[i - 1]!) isSorted = false
    }
    if (isSorted) return
    const order = this.#order.of(own, rows.length)
    const before = rows.slice()
    for (let i = 0; i < rows.length; i++) rows[i] = before[order[i]!]!
  }
}

/** Drops changes and best prices after another recorder takes over, until the next snapshot. Trades and tick sizes
 *  stay, because they do not depend on the book. */
function cut(rows: Uint32Array, { recorders, types, received }: SegmentRows): Segments {
  const gaps: Gap[] = []
  let gap: Gap | undefined
  let recorder: number | undefined
  let count = 0
  let leftOut = 0
  let last = -1
  for (const row of rows) {
    const isBook = types[row] === BOOK
    const isChange = types[row] === CHANGE
    if (isBook) {
      recorder = recorders[row]!
      if (gap !== undefined) gap.to = received[row]!
      gap = undefined
    } else if (isChange) {
      recorder ??= recorders[row]!
      if (gap === undefined && recorders[row] !== recorder) {
        gap = { after: last, from: received[last]!, to: received[row]! }
        gaps.push(gap)
      }
      if (gap !== undefined) {
        gap.to = received[row]!
        leftOut++
        continue
      }
    } else if (types[row] === BEST && (gap !== undefined || recorders[row] !== recorder)) {
      leftOut++
      continue
    }
    if (isBook || isChange) last = row
    rows[count++] = row
  }
  return { shown: rows, count, leftOut, gaps }
}
