// The order of a book's rows in an archive that several recorders made: rows of one recorder by its own numbers. Where
// another one takes over, nothing says what was lost between, so the book begins again with its next snapshot.

import { AscendingOrder } from './ascending-order.ts'

/** What can be said of a book, in the order that tellers of equal times have. */
export const BOOK_EVENTS = ['book', 'price_change', 'best_bid_ask', 'last_trade_price', 'tick_size_change'] as const
const [BOOK, CHANGE, BEST] = [0, 1, 2]

/** By row. */
export type SegmentRows = {
  /** Any unit, the same for all. */
  received: Float64Array
  /** Of a recorder: the times that it began anew, and its number since. */
  generations: Float64Array
  counters: Float64Array
  /** Which recorder said it, and which of `BOOK_EVENTS` it is. */
  recorders: Uint8Array
  types: Uint8Array
}

/** Times as of `received`: of the last row that the book is known by, which is `after`, and of the next snapshot or the
 *  last row that is left out. */
export type Gap = { after: number; from: number; to: number }

export type Segments = {
  /** Rows that are told, in their order. */
  told: Uint32Array
  count: number
  /** Changes, and best prices, that are left out since what came before them is not known. */
  leftOut: number
  gaps: Gap[]
}

export class SegmentOrder {
  readonly #order = new AscendingOrder()
  #keys = new Float64Array(0)

  /** `rows` are those of one book. Reorders them. */
  of(rows: Uint32Array, of: SegmentRows): Segments {
    let isOne = true
    for (const row of rows) if (of.recorders[row] !== of.recorders[rows[0]!]) isOne = false
    this.#sort(rows, of.counters)
    this.#sort(rows, of.generations)
    if (isOne) return { told: rows, count: rows.length, leftOut: 0, gaps: [] }
    this.#sort(rows, of.received)
    return cut(rows, of)
  }

  /** Those of equal keys keep the order that they have. */
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

/** Trades and sizes of ticks are said whatever is known of the book. */
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
        gap = { after: last, from: received[last] ?? received[row]!, to: received[row]! }
        // A book of which nothing is known yet loses nothing.
        if (last >= 0) gaps.push(gap)
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
  return { told: rows, count, leftOut, gaps }
}
