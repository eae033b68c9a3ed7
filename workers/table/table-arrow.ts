// A table as a stream of Arrow: batches of rows, a chunk of bytes each.

import { field, TimeUnit, timestamp } from '@uwdata/flechette'
import { type ArrowSchema, ArrowStream, type ArrowVector } from '../arrow/arrow-stream.ts'
import { type ArrowColumn, arrowColumn, Names, Wholes } from './arrow-column.ts'
import { type KeptColumns, keptColumns } from './kept-columns.ts'
import { NO_TEXTS, type Table, type TableChunk, TIMESTAMP } from './table.ts'

/** What a batch aims at. Readers like large batches, many clients at once small ones. */
const BATCH_BYTES = 512 * 1_024
const [VALUE_BYTES, TEXT_BYTES] = [8, 64]
const ROWS_MIN = 64

/** Takes the chunks out of the table, and has no more than one of them. The metadata becomes the schema's. */
export function* tableArrow(
  table: Table,
  metadata: ReadonlyMap<string, string>,
  names?: readonly string[],
): Generator<Uint8Array> {
  const rows = new BatchRows(keptColumns(table, names))
  const stream = new ArrowStream(rows.schema(metadata))
  for (let next = table.chunks.next(); !next.done; next = table.chunks.next()) {
    const { rowCount } = next.value
    for (let from = 0; from < rowCount; ) {
      from = rows.add(next.value, from)
      if (!rows.isFull) continue
      stream.add(rows.vectors())
      yield stream.take()
      rows.clear()
    }
  }
  if (!rows.isEmpty) stream.add(rows.vectors())
  stream.end()
  yield stream.take()
}

class BatchRows {
  readonly #kept: KeptColumns
  readonly #rowCountMax: number
  readonly #constants: Names[]
  readonly #times: Wholes
  readonly #columns: ArrowColumn[]
  #rowCount = 0

  constructor(kept: KeptColumns) {
    this.#kept = kept
    const { constants, columns } = kept
    const rowBytes = columns.reduce((sum, { type }) => sum + (type === 'text' ? TEXT_BYTES : VALUE_BYTES), VALUE_BYTES)
    const rowCountMax = Math.max(ROWS_MIN, Math.floor(BATCH_BYTES / rowBytes))
    this.#rowCountMax = rowCountMax
    this.#constants = constants.map((_, id) => new Names(rowCountMax, 1, id))
    this.#times = new Wholes(rowCountMax, timestamp(TimeUnit.MILLISECOND, 'UTC'))
    this.#columns = columns.map(({ type }, i) => arrowColumn(type, rowCountMax, constants.length + i))
  }

  schema(metadata: ReadonlyMap<string, string>): ArrowSchema {
    const { constants, hasTimestamp, columns } = this.#kept
    const names = columns.flatMap(({ type }, i) =>
      typeof type === 'object' && 'names' in type ? [{ id: constants.length + i, texts: type.names }] : [],
    )
    return {
      fields: [
        ...constants.map(({ name }, i) => field(name, this.#constants[i]!.type, false)),
        ...(hasTimestamp ? [field(TIMESTAMP, this.#times.type, false)] : []),
        ...columns.map(({ name, isNullable }, i) => field(name, this.#columns[i]!.type, isNullable)),
      ],
      metadata,
      dictionaries: [...constants.map(({ text }, id) => ({ id, texts: [text] })), ...names],
    }
  }

  get isEmpty(): boolean {
    return this.#rowCount === 0
  }

  get isFull(): boolean {
    return this.#rowCount === this.#rowCountMax
  }

  /** Adds rows from one on, as many as there is room for; returns the row that follows them. */
  add(chunk: TableChunk, from: number): number {
    const at = this.#rowCount
    const to = Math.min(chunk.rowCount, from + this.#rowCountMax - at)
    const { hasTimestamp, columns } = this.#kept
    const { entries } = chunk
    if (hasTimestamp) this.#times.addTimes({ from, to, at }, chunk.timestampsMs)
    for (let i = 0; i < columns.length; i++) {
      const { index, type } = columns[i]!
      const texts = type === 'text' ? chunk.texts(index) : NO_TEXTS
      this.#columns[i]!.add({ from, to, at }, { entries, values: chunk.values(index), texts })
    }
    this.#rowCount += to - from
    return to
  }

  /** Good until the next rows. */
  vectors(): ArrowVector[] {
    const times = this.#kept.hasTimestamp ? [this.#times] : []
    return [...this.#constants, ...times, ...this.#columns].map((column) => column.vector(this.#rowCount))
  }

  /** Makes room for the next batch. */
  clear(): void {
    this.#rowCount = 0
    for (const column of this.#columns) column.clear()
  }
}
