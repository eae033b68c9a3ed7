// Reads the venue and receipt times of a block's records.

import type { Block } from '../../storage/format/block.ts'
import { decodeWholeBlock } from '../block/decoded-block.ts'
import { storedVenueUs } from '../block/stored-venue-time.ts'

/** Times of each record of the block; NaN if missing. */
export type RecordTimes = {
  /** The venue's own time, at its full precision. */
  venueUs: Float64Array
  /** The recorder's clock. */
  receivedMs: Float64Array
}

/** Returns the venue and receipt times of a block's records. Throws DataError('block_corrupt'). */
export function recordTimes(block: Block): RecordTimes {
  const { recordCount, shapeIndexes, rows, shapes } = decodeWholeBlock(block)
  const venueUs = new Float64Array(recordCount)
  const receivedMs = new Float64Array(recordCount)
  for (let record = 0; record < recordCount; record++) {
    const shape = shapes[shapeIndexes[record]!]!
    const row = rows[record]!
    venueUs[record] = storedVenueUs(shape, row)
    receivedMs[record] = shape.receivedMs?.[row] ?? Number.NaN
  }
  return { venueUs, receivedMs }
}
