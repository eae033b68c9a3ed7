// Finds the tick size of one book, if its records print one.

import { amount } from '../exact.ts'
import type { Placed } from './place.ts'

/** Returns the tick size in the last record that prints one: a change of the tick size, or a snapshot. */
export function tickSizeOf(applied: Placed[]): bigint | undefined {
  const ticks = applied.map(({ record: { venue, type, msg } }) => {
    if (venue === 'kalshi') return undefined
    if (type === 'tick_size') return amount(msg['new_tick_size'])
    return type === 'snapshot' ? amount(msg['tick_size']) : undefined
  })
  return ticks.findLast((tick) => tick !== undefined)
}
