// Reads the subscription (`sid`), the sequence number and the venue's time of a block's records. Decodes only the
// columns that are requested.

import type { Block } from '../../storage/format/block.ts'
import { decodeNumbers, type NumberColumn } from '../../storage/format/columns/number-column.ts'
import type { SlotValues } from '../../storage/format/columns/slot-column.ts'
import { type BlockRecords, StoredFields } from './stored-fields.ts'
import { storedVenueUs } from './stored-venue-time.ts'

/** `sid` and `seq` by record; -1 if the record has none. */
export type Sequences = { sids: Float64Array; seqs: Float64Array }

export class StoredOrigins {
  readonly #block: Block
  readonly #records: BlockRecords
  readonly #fields: StoredFields

  constructor(block: Block, records: BlockRecords) {
    this.#block = block
    this.#records = records
    this.#fields = new StoredFields(block, records)
  }

  /** Returns `sid` and `seq` of each record; undefined if no record has both. */
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

  /** Returns the venue's time in microseconds; NaN if there is none. */
  venueUs(record: number): number {
    const fields = this.#fields
    const index = fields.shapeOf(record)
    const { shape } = this.#block.shapes[index]!
    const slots: SlotValues[] = []
    if (shape.timeSlot >= 0) slots[shape.timeSlot] = fields.slot(index, shape.timeSlot)
    return storedVenueUs({ shape, slots }, fields.rowOf(record))
  }

  /** Returns the text under a key of the record's message; undefined if the message has no such text. */
  text(record: number, key: string): string | undefined {
    return this.#fields.text(record, key)
  }

  entryTexts(record: number, key: string): string[] {
    return this.#fields.entryTexts(record, key)
  }

  rowOf(record: number): number {
    return this.#fields.rowOf(record)
  }
}

const valuesOf = (column: NumberColumn, rowCount: number): Float64Array => decodeNumbers(column, rowCount, undefined)
