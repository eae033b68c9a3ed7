// A Parquet file of an archive, whose row groups are read one by one. A decimal is its whole number and a time its
// count of units: what makes doubles or dates of them is left out, so that nothing is rounded.

import { type FileMetaData, parquetMetadataAsync } from 'hyparquet'
import { collectGarbage, LOADING } from '../../collect-garbage.ts'
import { ArchiveFault } from '../archive-fault.ts'
import type { ByteFile } from '../byte-file.ts'
import type { Chunk } from './column-reader.ts'
import { columnsOf, type Leaf, type Logical, type ParquetColumn } from './parquet-schema.ts'
import { RowGroup } from './row-group.ts'

/** Least and greatest values of columns of texts are compared as bytes. A footer is mostly smaller than what is fetched
 *  first. */
const FOOTER = { parsers: { stringFromBytes: (bytes: Uint8Array) => bytes }, initialFetchSize: 64 << 10 }
/** The magic number at both ends, and the length of the footer. */
const BYTES_MIN = 12
/** What lies between two columns that are wanted is fetched with them up to this. */
const SKIPPED_BYTES_MAX = 64 << 10
/** Of the names of its columns. */
const SHOWN_MAX = 200

export class ParquetFile {
  readonly columns: ReadonlyMap<string, ParquetColumn>
  /** Rows of each row group. */
  readonly groupRows: readonly number[]
  readonly rowCount: number
  readonly #file: ByteFile
  readonly #metadata: FileMetaData

  /** Reads the footer. Throws ArchiveFault where there is none. */
  static async open(file: ByteFile): Promise<ParquetFile> {
    if (file.byteLength < BYTES_MIN)
      throw new ArchiveFault(file.name, `is no Parquet file: it has ${file.byteLength} bytes`)
    try {
      return new ParquetFile(file, await parquetMetadataAsync(file, FOOTER))
    } catch (error) {
      if (error instanceof ArchiveFault) throw error
      // What stumbles over a missing field says nothing to whoever has the file.
      const why = error instanceof TypeError ? 'its footer is damaged' : (error as Error).message
      throw new ArchiveFault(file.name, `is no Parquet file: ${why}`)
    }
  }

  private constructor(file: ByteFile, metadata: FileMetaData) {
    this.#file = file
    this.#metadata = metadata
    this.columns = new Map(columnsOf(metadata.schema).map((column) => [column.name, column]))
    this.groupRows = metadata.row_groups.map(({ num_rows }) => Number(num_rows))
    this.rowCount = this.groupRows.reduce((sum, rows) => sum + rows, 0)
  }

  /** Of the file's own columns. Throws ArchiveFault where it has no such one, or one of another kind. */
  column(name: string, logical: Logical): Leaf {
    const column = this.columns.get(name)
    if (column === undefined) throw this.fault(`has no column ${name}`)
    if (column.logical !== logical) {
      throw this.fault(`has a column ${name} of another kind: ${column.logical}, not ${logical}`)
    }
    return column.leaves[0]!
  }

  /** Throws ArchiveFault where the file has none of them: it is of something else, also without a row. */
  needOneOf(names: readonly string[]): void {
    if (names.some((name) => this.columns.has(name))) return
    const found = [...this.columns.keys()].join(', ').slice(0, SHOWN_MAX)
    throw this.fault(`has the columns ${found || 'of nothing'}, and none of those that are read: ${names.join(', ')}`)
  }

  /** Of a column of lists of structs. */
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

  /** Of the first row of a row group in the file. */
  firstRow(group: number): number {
    let row = 0
    for (let before = 0; before < group; before++) row += this.groupRows[before]!
    return row
  }

  /** Whether a row group may hold one of these values of a column of texts or bytes, by what the file tells of its
   *  least and greatest ones. */
  mayHold(group: number, name: string, values: readonly Uint8Array[]): boolean {
    const range = this.rangeOf(group, name)
    if (range === undefined) return true
    const { least, greatest } = range
    return values.some((value) => Buffer.compare(value, least) >= 0 && Buffer.compare(value, greatest) <= 0)
  }

  /** Where the file does not tell them, or has none, undefined. */
  rangeOf(group: number, name: string): { least: Uint8Array; greatest: Uint8Array } | undefined {
    const { min_value: least, max_value: greatest } = this.#chunksOf(group, name)[0]?.meta_data?.statistics ?? {}
    return least instanceof Uint8Array && greatest instanceof Uint8Array ? { least, greatest } : undefined
  }

  /** Fetches these columns of a row group. Throws ArchiveFault where they cannot be read. */
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
    // Pages of the row group before are large and few: the runtime would come to them late.
    collectGarbage(LOADING)
    const chunks: Chunk[] = wanted.map(({ leaf, codec, bytes }) => ({ leaf, codec, bytes }))
    return new RowGroup(this.#file.name, this.groupRows[group]!, chunks)
  }

  #chunksOf(group: number, name: string) {
    return this.#metadata.row_groups[group]!.columns.filter(({ meta_data }) => meta_data?.path_in_schema[0] === name)
  }
}

const NO_BYTES = new Uint8Array(0)
