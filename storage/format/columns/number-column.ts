// A column of integers that may follow the event time: the encoder subtracts the expected value from each, and the
// decoder adds it back.

import { firstInts } from './first-ints.ts'
import { decodeInts } from './int-column.ts'
import { unpack } from './packed.ts'
import { packInts } from './packed-ints.ts'
import { expectedAt, type Relation, type RowClock, relationOf, repeatsWithinQuotes } from './row-clock.ts'

/** A column with its relation to the event time. `isPerQuote`: only rows that open a quote are stored; the other rows
 *  repeat the row before. */
export type NumberColumn = { relation: Relation; isPerQuote: boolean; packed: Uint8Array }

/** Encodes `count` numbers. `clock` is undefined if they do not follow the event time, such as elements of lists. */
export function encodeNumbers(values: Float64Array, count: number, clock: RowClock | undefined): NumberColumn {
  if (clock === undefined) return { relation: 'none', isPerQuote: false, packed: packInts(values, count) }
  const relation = relationOf(values, count, clock)
  const isPerQuote = relation === 'us' && repeatsWithinQuotes(values, count, clock)
  const stored = new Float64Array(count)
  let storedCount = 0
  for (let i = 0; i < count; i++) {
    if (isPerQuote && clock.opensQuote[i] === 0) continue
    stored[storedCount++] = values[i]! - expectedAt(relation, clock.timesMs[i]!)
  }
  return { relation, isPerQuote, packed: packInts(stored, storedCount) }
}

/** Decodes the first `count` numbers. `isFirst` says whether the column may hold more than these. */
export function decodeNumbers(
  column: NumberColumn,
  count: number,
  clock: RowClock | undefined,
  isFirst = false,
): Float64Array {
  const bytes = unpack(column.packed)
  const decode = (valueCount: number) => decodeInts(isFirst ? firstInts(bytes, valueCount) : bytes, valueCount)
  if (clock === undefined || (column.relation === 'none' && !column.isPerQuote)) return decode(count)
  if (!column.isPerQuote) {
    const values = decode(count)
    for (let i = 0; i < count; i++) values[i] = values[i]! + expectedAt(column.relation, clock.timesMs[i]!)
    return values
  }
  let storedCount = 0
  for (let i = 0; i < count; i++) storedCount += clock.opensQuote[i]!
  const stored = decode(storedCount)
  const values = new Float64Array(count)
  for (let i = 0, next = 0; i < count; i++) {
    values[i] =
      clock.opensQuote[i] === 1 ? stored[next++]! + expectedAt(column.relation, clock.timesMs[i]!) : values[i - 1]!
  }
  return values
}
