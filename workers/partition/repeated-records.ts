// Finds the records that a capture has once more, because a stretch of it repeats an earlier one: files with the same
// feed that were joined (docs/time-and-order.md). Pure.

import { GAP_MARK, type RecordSequence, TRADE_MARK } from './record-sequence.ts'

/** Receipts of a recorder that step back by this much begin a new stretch. Less is the jitter of its threads. */
export const RECEIPT_STEP_MS = 1_000

/** A sequence in the order of its capture. `receivedMs` are the times of receipt; NaN for a record without one. */
export type CapturedSequence = { sequence: RecordSequence; receivedMs: Float64Array }

/** Returns for each record whether it is left out. A capture has a record as often as the stretch that has it most
 *  often; records are the same if their times of receipt are too. No record behind a gap of its book is the same as one
 *  before it. Trades with an id are not compared: one of each id is stored in any case. */
export function repeatedRecords({ sequence, receivedMs }: CapturedSequence): Uint8Array {
  const { count, timesMs, hashes, checks, marks, books } = sequence
  const isLeftOut = new Uint8Array(count)
  const kept = new Map<string, number>()
  let ofStretch = new Map<string, number>()
  const gaps = new Map<number, number>()
  for (let i = 0; i < count; i++) {
    const begins = i > 0 && (timesMs[i]! < timesMs[i - 1]! || receivedMs[i]! < receivedMs[i - 1]! - RECEIPT_STEP_MS)
    if (begins) ofStretch = new Map()
    const [mark, book] = [marks[i]!, books[i]!]
    if (mark === TRADE_MARK) continue
    const gapCount = (gaps.get(book) ?? 0) + (book === 0 ? 0 : (gaps.get(0) ?? 0))
    const key = `${hashes[i]} ${checks[i]} ${receivedMs[i]} ${gapCount}`
    const times = (ofStretch.get(key) ?? 0) + 1
    ofStretch.set(key, times)
    if (times <= (kept.get(key) ?? 0)) isLeftOut[i] = 1
    else kept.set(key, times)
    if (mark === GAP_MARK) gaps.set(book, (gaps.get(book) ?? 0) + 1)
  }
  return isLeftOut
}
