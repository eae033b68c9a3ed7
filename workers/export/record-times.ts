// Reads the venue and receipt times of a block's records, without decoding its other columns.

import { DataError } from '../../storage/failures.ts'
import type { Block, ShapeColumns } from '../../storage/format/block.ts'
import { decodeNumbers } from '../../storage/format/columns/number-column.ts'
import type { RowClock } from '../../storage/format/columns/row-clock.ts'
import { decodeSlot, type SlotValues } from '../../storage/format/columns/slot-column.ts'
import { followsTime } from '../../storage/format/shape.ts'
import { storedVenueUs } from '../block/stored-venue-time.ts'
import type { BookColumns } from '../book/book-columns.ts'

/** Times of each record of the block; NaN if missing. */
export type RecordTimes = {
  /** The venue's own time, at its full precision. */
  venueUs: Float64Array
  /** The recorder's clock. */
  receivedMs: Float64Array
}

type TimedRecords = Pick<BookColumns, 'recordCount' | 'timesMs' | 'operations'>

/** Returns the venue and receipt times of a block's records. Throws DataError('block_corrupt'). */
export function recordTimes(block: Block, columns: TimedRecords): RecordTimes {
  try {
    return readTimes(block, columns)
  } catch (error) {
    if (error instanceof DataError) throw error
    throw new DataError('block_corrupt', `Cannot read the times of a stored block: ${(error as Error).message}`)
  }
}

function readTimes(block: Block, columns: TimedRecords): RecordTimes {
  const { recordCount, operations } = columns
  const venueUs = new Float64Array(recordCount)
  const receivedMs = new Float64Array(recordCount)
  const clocks = rowClocks(block, columns)
  const shapes = block.shapes.map((shape, i) => timesOfShape(shape, clocks[i]!))
  const rows = new Int32Array(shapes.length)
  for (let record = 0; record < recordCount; record++) {
    const shape = operations[record]! >>> 1
    const row = rows[shape]!++
    const times = shapes[shape]!
    venueUs[record] = times.venueUs[row]!
    receivedMs[record] = times.receivedMs === undefined ? Number.NaN : times.receivedMs[row]!
  }
  return { venueUs, receivedMs }
}

/** Returns the event times of each shape's rows. Columns that follow the event time are stored as differences from
 *  it. */
function rowClocks({ shapes }: Block, { recordCount, timesMs, operations }: TimedRecords): RowClock[] {
  const clocks = shapes.map(({ rowCount }) => {
    return { timesMs: new Float64Array(rowCount), opensQuote: new Uint8Array(rowCount) }
  })
  const rows = new Int32Array(shapes.length)
  for (let record = 0; record < recordCount; record++) {
    const operation = operations[record]!
    const row = rows[operation >>> 1]!++
    const clock = clocks[operation >>> 1]!
    clock.timesMs[row] = timesMs[record]!
    clock.opensQuote[row] = operation & 1
  }
  return clocks
}

function timesOfShape({ shape, rowCount, receivedMs, slots }: ShapeColumns, clock: RowClock) {
  const venueUs = new Float64Array(rowCount)
  const { timeSlot } = shape
  const column = slots[timeSlot]
  if (column === undefined) {
    venueUs.fill(Number.NaN)
  } else {
    const decoded: SlotValues[] = []
    decoded[timeSlot] = decodeSlot(column, rowCount, followsTime(shape, timeSlot) ? clock : undefined)
    for (let row = 0; row < rowCount; row++) venueUs[row] = storedVenueUs({ shape, slots: decoded }, row)
  }
  return { venueUs, receivedMs: receivedMs === null ? undefined : decodeNumbers(receivedMs, rowCount, clock) }
}
