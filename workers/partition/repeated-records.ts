// Finds repeated records of a capture. A run or a stretch of the capture repeats an earlier one if files with the same
// messages were joined (docs/time-and-order.md). Pure.

import { GAP_MARK, type RecordSequence, TRADE_MARK } from './record-sequence.ts'

/** A sequence in the order of its capture. `receivedMs` are the receipt times; NaN for a record without a receipt
 *  time. `stretchStarts` are the indexes of the first records of stretches. A run begins where the event time steps
 *  back. */
export type CapturedSequence = { sequence: RecordSequence; receivedMs: Float64Array; stretchStarts: readonly number[] }

/** Returns for each record whether it is left out. If several runs contain a record, the capture keeps as many copies
 *  as the run with the most copies. If several stretches of a run contain it, the run keeps as many copies as the
 *  stretch with the most copies. Records of two stretches are the same only if they were received at the same time.
 *  Within a stretch, a record after a gap of its book is never the same as a record before the gap. Trades with an id
 *  are not compared: the store keeps one trade per id anyway. */
export function repeatedRecords({ sequence, receivedMs, stretchStarts }: CapturedSequence): Uint8Array {
  const { count, timesMs, hashes, checks, marks, books } = sequence
  const isLeftOut = new Uint8Array(count)
  const starts = new Set(stretchStarts)
  const hasRuns = timesMs.some((ms, i) => ms < timesMs[i - 1]!)
  const [runs, stretches] = [new Repeats(), new Repeats()]
  const gaps = new Map<number, number>()
  for (let i = 0; i < count; i++) {
    const beginsRun = i > 0 && timesMs[i]! < timesMs[i - 1]!
    if (beginsRun) {
      runs.next()
      stretches.clear()
    }
    if (beginsRun || starts.has(i)) {
      stretches.next()
      gaps.clear()
    }
    const [mark, book] = [marks[i]!, books[i]!]
    if (mark === TRADE_MARK) continue
    const key = `${hashes[i]} ${checks[i]} ${(gaps.get(book) ?? 0) + (book === 0 ? 0 : (gaps.get(0) ?? 0))}`
    const isOfStretch = starts.size > 0 && stretches.has(`${key} ${receivedMs[i]}`)
    if (isOfStretch || (hasRuns && runs.has(key))) isLeftOut[i] = 1
    if (mark === GAP_MARK) gaps.set(book, (gaps.get(book) ?? 0) + 1)
  }
  return isLeftOut
}

/** Counts the copies of each record in the current part of a capture, and their maximum over all parts. */
class Repeats {
  readonly #most = new Map<string, number>()
  #ofPart = new Map<string, number>()

  /** Begins the next part. */
  next(): void {
    this.#ofPart = new Map()
  }

  /** Forgets all parts. */
  clear(): void {
    this.#most.clear()
    this.next()
  }

  /** Counts a record in the current part. Returns whether an earlier part has at least as many copies of it. */
  has(key: string): boolean {
    const times = (this.#ofPart.get(key) ?? 0) + 1
    this.#ofPart.set(key, times)
    if (times <= (this.#most.get(key) ?? 0)) return true
    this.#most.set(key, times)
    return false
  }
}
