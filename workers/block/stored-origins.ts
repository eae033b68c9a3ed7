// Where the records of a block come from: connection, number, and the venue's time. Only the columns that are asked for
// are decoded.

import type { Block, ShapeColumns } from '../../storage/format/block.ts'
import { decodeNumbers, type NumberColumn } from '../../storage/format/columns/number-column.ts'
import type { RowClock } from '../../storage/format/columns/row-clock.ts'
import { decodeSlot, type SlotValues } from '../../storage/format/columns/slot-column.ts'
import { followsTime } from '../../storage/format/shape.ts'
import { storedVenueUs } from './stored-venue-time.ts'

/** Of each record; -1 without. */
export type Sequences = { sids: Float64Array; seqs: Float64Array }

/** What the columns of a block's books say already. */
type Records = { recordCount: number; timesMs: Float64Array; operations: Uint16Array }

export class StoredOrigins {
  readonly #block: Block
  readonly #records: Records
  #rows: Int32Array | undefined
  readonly #slots: SlotValues[][] = []

  constructor(block: Block, records: Records) {
    this.#block = block
    this.#records = records
  }

  /** Undefined where no record has both. */
  sequences(): Sequences | undefined {
    const columns = this.#block.shapes.map(({ sid, seq, rowCount }) => {
      return sid === null || seq === null ? undefined : { sids: valuesOf(sid, rowCount), seqs: valuesOf(seq, rowCount) }
    })
    if (columns.every((column) => column === undefined)) return undefined
    const { recordCount, operations } = this.#records
    const sids = new Float64Array(recordCount).fill(-1)
    const seqs = new Float64Array(recordCount).fill(-1)
    const next = new Int32Array(columns.length)
    for (let record = 0; record < recordCount; record++) {
      const shape = operations[record]! >>> 1
      const row = next[shape]!++
      const column = columns[shape]
      if (column === undefined) continue
      sids[record] = column.sids[row]!
      seqs[record] = column.seqs[row]!
    }
    return { sids, seqs }
  }

  /** Microseconds; NaN where the venue gives no time. */
  venueUs(record: number): number {
    this.#rows ??= rowsOf(this.#records, this.#block.shapes.length)
    const index = this.#records.operations[record]! >>> 1
    const columns = this.#block.shapes[index]!
    this.#slots[index] ??= this.#timeSlot(columns, index)
    return storedVenueUs({ shape: columns.shape, slots: this.#slots[index] }, this.#rows[record]!)
  }

  #timeSlot({ shape, slots, rowCount }: ShapeColumns, index: number): SlotValues[] {
    const { timeSlot } = shape
    const decoded: SlotValues[] = []
    if (timeSlot >= 0) {
      const clock = followsTime(shape, timeSlot) ? clockOf(this.#records, index, rowCount) : undefined
      decoded[timeSlot] = decodeSlot(slots[timeSlot]!, rowCount, clock)
    }
    return decoded
  }
}

const valuesOf = (column: NumberColumn, rowCount: number): Float64Array => decodeNumbers(column, rowCount, undefined)

function rowsOf({ recordCount, operations }: Records, shapeCount: number): Int32Array {
  const rows = new Int32Array(recordCount)
  const next = new Int32Array(shapeCount)
  for (let record = 0; record < recordCount; record++) rows[record] = next[operations[record]! >>> 1]!++
  return rows
}

function clockOf({ recordCount, timesMs, operations }: Records, shape: number, rowCount: number): RowClock {
  const clock = { timesMs: new Float64Array(rowCount), opensQuote: new Uint8Array(rowCount) }
  let row = 0
  for (let record = 0; record < recordCount; record++) {
    if (operations[record]! >>> 1 !== shape) continue
    clock.timesMs[row] = timesMs[record]!
    clock.opensQuote[row++] = operations[record]! & 1
  }
  return clock
}
