// Collects rows of many chunks. Each column of the flattened table has a buffer; Arrow and Parquet are written from
// these buffers.

import { TimeUnit, timestamp } from '@uwdata/flechette'
import type { ChosenColumns } from './chosen-columns.ts'
import { type ColumnBuffer, columnBuffer, Names, Wholes } from './column-buffer.ts'
import { type ColumnType, NO_TEXTS, type TableChunk, TIMESTAMP } from './table.ts'

export type BufferedColumn = {
  name: string
  type: ColumnType | 'time'
  isNullable: boolean
  buffer: ColumnBuffer
}

export class RowBuffers {
  /** All columns in order. The id of a dictionary is its column's index. */
  readonly columns: readonly BufferedColumn[]
  rowCount = 0
  readonly #rowCountMax: number
  readonly #times: Wholes | undefined
  /** Columns with values, and their indexes in the table. */
  readonly #valued: { index: number; hasTexts: boolean; buffer: ColumnBuffer }[]

  constructor({ constants, hasTimestamp, columns }: ChosenColumns, rowCountMax: number) {
    this.#rowCountMax = rowCountMax
    const shared = constants.map(({ name, text, among = [text] }, id): BufferedColumn => {
      const buffer = new Names(rowCountMax, among, id, among.indexOf(text))
      return { name, type: { names: among }, isNullable: false, buffer }
    })
    this.#times = hasTimestamp ? new Wholes(rowCountMax, timestamp(TimeUnit.MILLISECOND, 'UTC')) : undefined
    const times: BufferedColumn[] =
      this.#times === undefined ? [] : [{ name: TIMESTAMP, type: 'time', isNullable: false, buffer: this.#times }]
    const before = shared.length + times.length
    const valued = columns.map(({ name, type, isNullable }, i): BufferedColumn => {
      return { name, type, isNullable, buffer: columnBuffer(type, rowCountMax, before + i) }
    })
    this.columns = [...shared, ...times, ...valued]
    this.#valued = columns.map(({ index, type }, i) => {
      return { index, hasTexts: type === 'text', buffer: valued[i]!.buffer }
    })
  }

  get isFull(): boolean {
    return this.rowCount === this.#rowCountMax
  }

  /** Adds the rows from `from` on, as many as fit. Returns the index of the row after the last added row. */
  add(chunk: TableChunk, from: number): number {
    const at = this.rowCount
    const to = Math.min(chunk.rowCount, from + this.#rowCountMax - at)
    const range = { from, to, at }
    this.#times?.addTimes(range, chunk.timestampsMs)
    for (const { index, hasTexts, buffer } of this.#valued) {
      const texts = hasTexts ? chunk.texts(index) : NO_TEXTS
      buffer.add(range, { entries: chunk.entries, values: chunk.values(index), texts })
    }
    this.rowCount += to - from
    return to
  }

  /** Removes all rows. */
  clear(): void {
    this.rowCount = 0
    for (const { buffer } of this.columns) buffer.clear()
  }
}
