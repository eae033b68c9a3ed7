// The venue's time of a stored record, read back from its column.

import type { DecodedShape } from '../read/decoded-block.ts'
import { numberUs, venueTimeUs } from '../venues/venue-time.ts'

/** Microseconds; NaN where the venue gives no time that can be read. */
export function storedVenueUs({ shape, slots }: DecodedShape, row: number): number {
  const slot = slots[shape.timeSlot]
  if (slot === undefined) return Number.NaN
  if (slot.form === 'instant') return slot.values[row]!
  if (slot.form === 'decimal') return numberUs(slot.values[row]! / 10 ** slot.scale)
  const { arena, offsets, indexes } = slot.texts
  const word = indexes[row]!
  return venueTimeUs(arena, offsets[word]!, offsets[word + 1]!)
}
