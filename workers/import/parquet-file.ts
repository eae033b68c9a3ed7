// Columns of a Parquet file as they are stored. A decimal is its whole number and a time its count of units: what makes
// doubles or dates of them is left out, so that nothing is rounded.

import {
  type CompressionCodec,
  type FileMetaData,
  parquetMetadataAsync,
  parquetRead,
  type SchemaElement,
} from 'hyparquet'
import { compressors } from 'hyparquet-compressors'
import { ArchiveFault } from './archive-fault.ts'
import type { ByteFile } from './byte-file.ts'

type Logical = 'decimal' | 'timestamp' | 'text' | 'list' | 'other'

export type ParquetColumn = {
  name: string
  physical: string
  logical: Logical
  /** Of a decimal: 4 where 4,900 is 0.49. */
  scale: number
  /** Of a timestamp: how many of its units are a millisecond. */
  unitsInMs: number
}

/** Null where the row has none. */
export type ByteCells = readonly (Uint8Array | null | undefined)[]

/** Those of the runtime are several times as fast. */
const DECOMPRESS: Partial<Record<CompressionCodec, (bytes: Uint8Array, length: number) => Uint8Array>> = {
  ...compressors,
  ZSTD: (bytes) => Bun.zstdDecompressSync(bytes as Uint8Array<ArrayBuffer>),
  GZIP: (bytes) => Bun.gunzipSync(bytes as Uint8Array<ArrayBuffer>),
}
/** Least and greatest values of columns of texts are compared as bytes. */
const AS_STORED = { stringFromBytes: (bytes: Uint8Array) => bytes }
const UNITS_IN_MS: Record<string, number> = { MILLIS: 1, MICROS: 1_000, NANOS: 1_000_000 }

export class ParquetFile {
  readonly columns: ReadonlyMap<string, ParquetColumn>
  /** Rows of each row group. */
  readonly groupRows: readonly number[]
  readonly rowCount: number
  readonly #file: ByteFile
  readonly #metadata: FileMetaData

  /** Reads the footer. Throws ArchiveFault where there is none. */
  static async open(file: ByteFile): Promise<ParquetFile> {
    try {
      return new ParquetFile(file, await parquetMetadataAsync(file, { parsers: AS_STORED }))
    } catch (error) {
      if (error instanceof ArchiveFault) throw error
      throw new ArchiveFault(file.name, `is no Parquet file: ${(error as Error).message}`)
    }
  }

  private constructor(file: ByteFile, metadata: FileMetaData) {
    this.#file = file
    const [, ...schema] = metadata.schema
    this.columns = new Map(topLevel(schema).map((element) => [element.name, columnOf(element)]))
    this.groupRows = metadata.row_groups.map(({ num_rows }) => Number(num_rows))
    this.rowCount = this.groupRows.reduce((sum, rows) => sum + rows, 0)
    this.#metadata = { ...metadata, schema: metadata.schema.map(asStored) }
  }

  /** Throws ArchiveFault where the file has no such column, or one of another kind. */
  column(name: string, logical: Logical): ParquetColumn {
    const column = this.columns.get(name)
    if (column === undefined) throw new ArchiveFault(this.#file.name, `has no column ${name}`)
    if (column.logical !== logical) {
      throw new ArchiveFault(this.#file.name, `has a column ${name} of another kind: ${column.logical}, not ${logical}`)
    }
    return column
  }

  fault(why: string): ArchiveFault {
    return new ArchiveFault(this.#file.name, why)
  }

  /** The least and greatest value of a column of texts or bytes in a row group, where the file tells them. */
  bytesRange(group: number, name: string): { least: Uint8Array; greatest: Uint8Array } | undefined {
    const chunk = this.#metadata.row_groups[group]!.columns.find(
      ({ meta_data }) => meta_data?.path_in_schema[0] === name,
    )
    const { min_value: least, max_value: greatest } = chunk?.meta_data?.statistics ?? {}
    const [from, to] = [bytesOf(least), bytesOf(greatest)]
    return from === undefined || to === undefined ? undefined : { least: from, greatest: to }
  }

  /** Whole numbers of a row group, NaN where there is none. Throws ArchiveFault for one that a double cannot hold. */
  async numbers(group: number, name: string): Promise<Float64Array> {
    const values = new Float64Array(this.groupRows[group]!)
    await this.#read(group, name, (cells, first) => {
      for (let i = 0; i < cells.length; i++) {
        const cell = cells[i]
        const value = cell === null || cell === undefined ? Number.NaN : Number(cell)
        if (value > Number.MAX_SAFE_INTEGER || value < Number.MIN_SAFE_INTEGER) {
          throw new ArchiveFault(this.#file.name, `has ${cell} in the column ${name}, which no double holds`)
        }
        values[first + i] = value
      }
    })
    return values
  }

  /** Whole numbers of 64 bits without a sign. */
  async unsigned(group: number, name: string): Promise<BigUint64Array> {
    const values = new BigUint64Array(this.groupRows[group]!)
    await this.#read(group, name, (cells, first) => {
      for (let i = 0; i < cells.length; i++) values[first + i] = BigInt((cells[i] ?? 0) as bigint)
    })
    return values
  }

  /** Texts and bytes. Equal ones of a dictionary are one object. */
  async bytes(group: number, name: string): Promise<ByteCells> {
    return (await this.cells(group, name)) as ByteCells
  }

  /** Values of any kind: those of lists as arrays of objects. */
  async cells(group: number, name: string): Promise<unknown[]> {
    const values: unknown[] = new Array(this.groupRows[group]!)
    await this.#read(group, name, (cells, first) => {
      for (let i = 0; i < cells.length; i++) values[first + i] = cells[i]
    })
    return values
  }

  async #read(group: number, name: string, take: (cells: ArrayLike<unknown>, first: number) => void): Promise<void> {
    let rowStart = 0
    for (let i = 0; i < group; i++) rowStart += this.groupRows[i]!
    const rowEnd = rowStart + this.groupRows[group]!
    const chunks: { cells: ArrayLike<unknown>; first: number }[] = []
    try {
      await parquetRead({
        file: this.#file,
        metadata: this.#metadata,
        compressors: DECOMPRESS,
        columns: [name],
        rowStart,
        rowEnd,
        utf8: false,
        onChunk: ({ columnData, rowStart: start }) => chunks.push({ cells: columnData, first: start - rowStart }),
      })
    } catch (error) {
      if (error instanceof ArchiveFault) throw error
      throw new ArchiveFault(this.#file.name, `cannot be read: column ${name}, ${(error as Error).message}`)
    }
    for (const { cells, first } of chunks) take(cells, first)
  }
}

/** Elements of the first level; what stands below one of them follows it. */
function topLevel(schema: readonly SchemaElement[]): SchemaElement[] {
  const top: SchemaElement[] = []
  let below = 0
  for (const element of schema) {
    if (below === 0) top.push(element)
    else below--
    below += element.num_children ?? 0
  }
  return top
}

function columnOf({
  name,
  type,
  scale,
  logical_type: logical,
  converted_type: converted,
}: SchemaElement): ParquetColumn {
  const unit = logical?.type === 'TIMESTAMP' ? logical.unit : converted?.replace('TIMESTAMP_', '')
  const unitsInMs = UNITS_IN_MS[unit ?? ''] ?? 1
  return {
    name,
    physical: type ?? 'group',
    logical: logicalOf(type, converted, logical?.type),
    scale: scale ?? 0,
    unitsInMs,
  }
}

function logicalOf(type: string | undefined, converted: string | undefined, logical: string | undefined): Logical {
  if (converted === 'DECIMAL' || logical === 'DECIMAL') return 'decimal'
  if (logical === 'TIMESTAMP' || converted?.startsWith('TIMESTAMP') === true) return 'timestamp'
  if (converted === 'LIST' || logical === 'LIST') return 'list'
  return type === 'BYTE_ARRAY' || type === 'FIXED_LEN_BYTE_ARRAY' ? 'text' : 'other'
}

/** A value without what it stands for: lists keep theirs, since they are put together by it. */
function asStored(element: SchemaElement): SchemaElement {
  if (element.type === undefined) return element
  const { converted_type: _, logical_type: __, ...stored } = element
  return stored
}

const bytesOf = (value: unknown): Uint8Array | undefined => (value instanceof Uint8Array ? value : undefined)
