// A chunk in which each row has its own entry. The caller fills it row by row.

import type { TableChunk, Texts } from '../../workers/table/table.ts'

/** The caller sets `rowCount`, the times and the columns, and the texts if there is a `text` column. */
export class RowChunk implements TableChunk {
  rowCount = 0
  readonly timestampsMs: Float64Array
  readonly columns: Float64Array[]
  readonly textColumns: (Texts | undefined)[] = []
  readonly entries: Int32Array

  constructor(columnCount: number, rowCountMax: number) {
    this.timestampsMs = new Float64Array(rowCountMax)
    this.columns = Array.from({ length: columnCount }, () => new Float64Array(rowCountMax))
    this.entries = Int32Array.from({ length: rowCountMax }, (_, row) => row)
  }

  get entryCount(): number {
    return this.rowCount
  }

  values(column: number): Float64Array {
    return this.columns[column]!
  }

  texts(column: number): Texts {
    return this.textColumns[column]!
  }
}
