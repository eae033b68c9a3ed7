// A Parquet file of an archive, read row group by row group. Reads a decimal as its unscaled integer and a time as
// its count of units, so that nothing is rounded.

import { type FileMetaData, parquetMetadataAsync } from 'hyparquet'
import { collectGarbage, LOADING } from '../../collect-garbage.ts'
import { ArchiveFault } from '../archive-fault.ts'
import type { ByteFile } from '../byte-file.ts'
import type { Chunk } from './column-reader.ts'
import { columnsOf, type Leaf, type Logical, type ParquetColumn } from './parquet-schema.ts'
import { RowGroup } from './row-group.ts'

/** Options of the footer. Minimum and maximum of text columns stay bytes, to be compared as bytes. Most footers are
 *  smaller than the first fetch. */
const FOOTER = { parsers: { stringFromBytes: (bytes: Uint8Array) => bytes }, initialFetchSize: 64 << 10 }
/** Size of the smallest file: the magic number at each end, and the field with the footer's length. */
const BYTES_MIN = 12
/** Maximum number of bytes between two wanted columns that are fetched along with the columns. */
const SKIPPED_BYTES_MAX = 64 << 10
/** Maximum number of characters of column names in an error message. */
const SHOWN_MAX = 200

export class ParquetFile {
  readonly columns: ReadonlyMap<string, ParquetColumn>
  /** Number of rows of each row group. */
  readonly groupRows: readonly number[]
  readonly rowCount: number
  readonly #file: ByteFile
  readonly #metadata: FileMetaData

  /** Opens a file and reads its footer. Throws ArchiveFault if the footer is missing or invalid. */
  static async open(file: ByteFile): Promise<ParquetFile> {
    if (file.byteLength < BYTES_MIN)
      throw new ArchiveFault(file.name, `is not a Parquet file: it has ${file.byteLength} bytes`)
    try {
      return new ParquetFile(file, await parquetMetadataAsync(file, FOOTER))
    } catch (error) {
      if (error instanceof ArchiveFault) throw error
      // The message of an error about a missing field does not help the user.
      const why = error instanceof TypeError ? 'its footer is damaged' : (error as Error).message
      throw new ArchiveFault(file.name, `is not a Parquet file: ${why}`)
    }
  }

  private constructor(file: ByteFile, metadata: FileMetaData) {
    this.#file = file
    this.#metadata = metadata
    this.columns = new Map(columnsOf(metadata.schema).map((column) => [column.name, column]))
    this.groupRows = metadata.row_groups.map(({ num_rows }) => Number(num_rows))
    this.rowCount = this.groupRows.reduce((sum, rows) => sum + rows, 0)
  }

  /** Returns a top-level column. Throws ArchiveFault if the file lacks the column, or if the column has another
   *  kind. */
  column(name: string, logical: Logical): Leaf {
    const column = this.columns.get(name)
    if (column === undefined) throw this.fault(`has no column ${name}`)
    if (column.logical !== logical) {
      throw this.fault(`has a column ${name} of another kind: ${column.logical}, not ${logical}`)
    }
    return column.leaves[0]!
  }

  /** Throws ArchiveFault if the file has none of these columns: it is then of another format. Also checks files
   *  without rows. */
  needOneOf(names: readonly string[]): void {
    if (names.some((name) => this.columns.has(name))) return
    const found = [...this.columns.keys()].join(', ').slice(0, SHOWN_MAX)
    throw this.fault(`must have one of the columns ${names.join(', ')}, got ${found || 'none'}`)
  }

  /** Returns a field of a column that has lists of structs. */
  field(name: string, field: string, logical: Logical): Leaf {
    this.column(name, 'list')
    const leaf = this.columns.get(name)!.leaves.find((of) => of.field === field)
    if (leaf?.logical !== logical || leaf.repetition !== 1) {
      throw this.fault(`has no lists in ${name} of structs with ${field}, which is a ${logical}`)
    }
    return leaf
  }

  fault(why: string): ArchiveFault {
    return new ArchiveFault(this.#file.name, why)
  }

  /** Returns the file's row number of the first row of a row group. */
  firstRow(group: number): number {
    let row = 0
    for (let before = 0; before < group; before++) row += this.groupRows[before]!
    return row
  }

  /** Returns whether a row group may have one of these values in a column of texts or bytes, by the minimum and maximum
   *  in the file's metadata. */
  mayHold(group: number, name: string, values: readonly Uint8Array[]): boolean {
    const range = this.rangeOf(group, name)
    if (range === undefined) return true
    const { least, greatest } = range
    return values.some((value) => Buffer.compare(value, least) >= 0 && Buffer.compare(value, greatest) <= 0)
  }

  /** Returns the minimum and maximum of a column; undefined if the file does not state them. */
  rangeOf(group: number, name: string): { least: Uint8Array; greatest: Uint8Array } | undefined {
    const { min_value: least, max_value: greatest } = this.#chunksOf(group, name)[0]?.meta_data?.statistics ?? {}
    return least instanceof Uint8Array && greatest instanceof Uint8Array ? { least, greatest } : undefined
  }

  /** Fetches columns of a row group. Throws ArchiveFault if they cannot be read. */
  async group(group: number, names: readonly string[]): Promise<RowGroup> {
    const wanted = names.flatMap((name) => {
      const { leaves } = this.columns.get(name)!
      return this.#chunksOf(group, name).map(({ meta_data: meta }, i) => {
        const first = Number(meta!.dictionary_page_offset ?? meta!.data_page_offset)
        const start = Math.min(first, Number(meta!.data_page_offset))
        const end = start + Number(meta!.total_compressed_size)
        if (!(start >= 0 && start <= end && end <= this.#file.byteLength)) {
          throw this.fault(`is damaged: its column ${name} is not within it`)
        }
        return { leaf: leaves[i]!, codec: meta!.codec, start, end, bytes: NO_BYTES }
      })
    })
    wanted.sort((one, other) => one.start - other.start)
    for (let from = 0; from < wanted.length; ) {
      let to = from + 1
      while (to < wanted.length && wanted[to]!.start - wanted[to - 1]!.end <= SKIPPED_BYTES_MAX) to++
      const base = wanted[from]!.start
      const bytes = new Uint8Array(await this.#file.slice(base, wanted[to - 1]!.end))
      for (; from < to; from++)
        wanted[from]!.bytes = bytes.subarray(wanted[from]!.start - base, wanted[from]!.end - base)
    }
    // The pages of the previous row group are few and large, so the runtime would collect them late.
    collectGarbage(LOADING)
    const chunks: Chunk[] = wanted.map(({ leaf, codec, bytes }) => ({ leaf, codec, bytes }))
    return new RowGroup(this.#file.name, this.groupRows[group]!, chunks)
  }

  #chunksOf(group: number, name: string) {
    return this.#metadata.row_groups[group]!.columns.filter(({ meta_data }) => meta_data?.path_in_schema[0] === name)
  }
}

const NO_BYTES = new Uint8Array(0)
