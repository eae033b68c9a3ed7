// Reads the venue's time of a stored record from its column.

import { numberUs, venueTimeUs } from '../venues/venue-time.ts'
import type { DecodedShape } from './decoded-block.ts'

const YEAR_DIGITS = 4
const DASH = 0x2d

/** Returns the venue's time in microseconds; NaN if there is no readable one. */
export function storedVenueUs({ shape, slots }: Pick<DecodedShape, 'shape' | 'slots'>, row: number): number {
  const slot = slots[shape.timeSlot]
  if (slot === undefined) return Number.NaN
  if (slot.form === 'instant') return slot.values[row]!
  if (slot.form === 'decimal') return numberUs(slot.values[row]! / 10 ** slot.scale)
  const { arena, offsets, indexes } = slot.texts
  const word = indexes[row]!
  return venueTimeUs(arena, offsets[word]!, offsets[word + 1]!)
}

/** Returns the venue's time in microseconds if it is printed as a date and time of day, which may be finer than a
 *  millisecond; else NaN. */
export function storedFullUs({ shape, slots }: DecodedShape, row: number): number {
  const slot = slots[shape.timeSlot]
  if (slot === undefined || slot.form === 'decimal') return Number.NaN
  if (slot.form === 'instant') return slot.values[row]!
  const { arena, offsets, indexes } = slot.texts
  const start = offsets[indexes[row]!]!
  const end = offsets[indexes[row]! + 1]!
  return end - start > YEAR_DIGITS && arena[start + YEAR_DIGITS] === DASH ? venueTimeUs(arena, start, end) : Number.NaN
}

/** Returns whether a record is a snapshot without a venue time. */
export function isUntimedSnapshot(shape: DecodedShape, row: number): boolean {
  return shape.shape.kind === 'snapshot' && Number.isNaN(storedVenueUs(shape, row))
}
