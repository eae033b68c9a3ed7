// Writes rows of a Nautilus catalog file. Collects the rows of a group in columns, and writes one group at a time.

import { FixedColumn, GROUP_ROWS, Int32Column, TextColumn, Uint64Column } from '../../parquet/plain-columns.ts'
import { PlainParquet } from '../../parquet/plain-parquet.ts'
import type { NewFile } from '../new-file.ts'
import { type CatalogColumns, elementsOf, type FixedBytes, fileMetadata } from './catalog-schema.ts'

type ColumnOf<Kind> = Kind extends 'u8'
  ? Int32Column
  : Kind extends 'u64'
    ? Uint64Column
    : Kind extends 'fixed'
      ? FixedColumn
      : TextColumn
type Filled<Columns extends CatalogColumns> = { readonly [Name in keyof Columns]: ColumnOf<Columns[Name]> }
type TimedColumns = CatalogColumns & { ts_event: 'u64'; ts_init: 'u64' }

export class CatalogRows<Columns extends TimedColumns> {
  readonly columns: Filled<Columns>
  /** First and last `ts_init` of all rows, in microseconds. */
  firstInitUs = 0
  lastInitUs = 0
  /** Number of rows in the current group. */
  #count = 0
  readonly #schema: Columns
  readonly #fixedBytes: FixedBytes
  readonly #file: NewFile
  readonly #parquet: PlainParquet

  constructor(schema: Columns, fixedBytes: FixedBytes, file: NewFile) {
    this.#schema = schema
    this.#fixedBytes = fixedBytes
    this.#file = file
    this.#parquet = new PlainParquet({
      elements: elementsOf(schema, fixedBytes),
      write: (bytes) => file.write(bytes),
    })
    const made = Object.entries(schema).map(([name, kind]) => [name, columnOf(kind, fixedBytes)])
    this.columns = Object.fromEntries(made)
  }

  get rowCount(): number {
    return this.#parquet.rowCount + this.#count
  }

  /** Adds a row with its times and returns its index in the columns; the caller must set all other columns. `initUs`
   *  never steps back. */
  next(eventUs: number, initUs: number): number {
    if (this.#count === GROUP_ROWS) this.#writeGroup()
    if (this.rowCount === 0) this.firstInitUs = initUs
    this.lastInitUs = initUs
    const row = this.#count++
    const { ts_event, ts_init } = this.columns as Filled<TimedColumns>
    ts_event.setUsAsNs(row, eventUs)
    ts_init.setUsAsNs(row, initUs)
    return row
  }

  /** Finishes the file. Discards it if it has no rows. */
  finish(path: string, metadata: ReadonlyMap<string, string>): void {
    if (this.rowCount === 0) return this.#file.abort()
    if (this.#count > 0) this.#writeGroup()
    this.#parquet.end(fileMetadata(this.#schema, this.#fixedBytes, metadata))
    this.#file.finish(path, this.#parquet.rowCount)
  }

  abort(): void {
    this.#file.abort()
  }

  #writeGroup(): void {
    const columns = Object.entries<Int32Column | Uint64Column | FixedColumn | TextColumn>(this.columns)
    this.#parquet.writeGroup(
      this.#count,
      columns.map(([name, column]) => {
        return column instanceof Uint64Column ? column.take(this.#count, name === 'ts_init') : column.take(this.#count)
      }),
    )
    this.#count = 0
  }
}

function columnOf(kind: CatalogColumns[string], fixedBytes: FixedBytes) {
  if (kind === 'u8') return new Int32Column()
  if (kind === 'u64') return new Uint64Column()
  return kind === 'fixed' ? new FixedColumn(fixedBytes) : new TextColumn()
}
