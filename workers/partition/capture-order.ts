// The order in which the records of a capture are merged with the stored ones, if they are not one run of different
// records: by event time, each trade once, and no stretch that repeats an earlier one.

import type { BlockSource } from './block-source.ts'
import type { RecordSequence } from './record-sequence.ts'
import { repeatedRecords } from './repeated-records.ts'
import { timeOrder } from './run-order.ts'
import { withoutRepeatedTrades } from './twins.ts'

/** Returns the records of a capture in their order. `stretchStarts` are the places of the records with which its
 *  stretches begin; undefined if it is not joined from files. It must be undefined for a part of a capture: in a part
 *  repeats cannot be counted. */
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
