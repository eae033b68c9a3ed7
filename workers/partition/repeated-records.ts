// Finds the records that a capture has once more, because a run or a stretch of it repeats an earlier one: files that
// have the same messages were joined (docs/time-and-order.md). Pure.

import { GAP_MARK, type RecordSequence, TRADE_MARK } from './record-sequence.ts'

/** A sequence in the order of its capture. `receivedMs` are the times of receipt; NaN for a record without one.
 *  `stretchStarts` are the places with which stretches begin. A run begins where the event time steps back. */
export type CapturedSequence = { sequence: RecordSequence; receivedMs: Float64Array; stretchStarts: readonly number[] }

/** Returns for each record whether it is left out. A capture has a record as often as the run that has it most often,
 *  and a run as often as the stretch that does. Records of two stretches are the same only if they were received at the
 *  same time. Within a stretch, no record behind a gap of its book is the same as one before it. Trades with an id are
 *  not compared: one of each id is stored in any case. */
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

/** Counts how often a part of a capture has a record, and how often the part that has it most often does. */
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

  /** Counts a record in the current part. Returns whether an earlier part has it as often. */
  has(key: string): boolean {
    const times = (this.#ofPart.get(key) ?? 0) + 1
    this.#ofPart.set(key, times)
    if (times <= (this.#most.get(key) ?? 0)) return true
    this.#most.set(key, times)
    return false
  }
}
