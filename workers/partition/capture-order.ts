// Orders the records of a capture before they are merged with the stored records: by event time, with each trade
// once, and without stretches that repeat an earlier stretch. Not needed for one run of different records.

import type { BlockSource } from './block-source.ts'
import type { RecordSequence } from './record-sequence.ts'
import { repeatedRecords } from './repeated-records.ts'
import { timeOrder } from './run-order.ts'
import { withoutRepeatedTrades } from './twins.ts'

/** Returns the records of a capture in order. `stretchStarts` are the places where its stretches begin; undefined if
 *  the capture is not joined from files. Must be undefined for a part of a capture, because repeats can be counted
 *  only over the whole capture. */
export function captureOrder(
  incoming: BlockSource,
  sequence: RecordSequence,
  stretchStarts: readonly number[] | undefined,
): Int32Array {
  const isLeftOut = stretchStarts && repeatedRecords({ sequence, receivedMs: incoming.receivedMs(), stretchStarts })
  // A snapshot whose next record is left out no longer stays before it.
  for (let i = 1; isLeftOut !== undefined && i < isLeftOut.length; i++)
    if (isLeftOut[i] === 1) sequence.isGlued[i - 1] = 0
  const order = timeOrder(sequence).filter((record) => isLeftOut?.[record] !== 1)
  const isEarlier = (one: number, other: number) => incoming.comparedText(one) < incoming.comparedText(other)
  return withoutRepeatedTrades(order, sequence, isEarlier)
}
