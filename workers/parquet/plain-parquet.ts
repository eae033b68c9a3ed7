// Writes Parquet from columns whose bytes are already in Parquet's layout: plain values, one after the other. Each
// column of a row group is one page, compressed with zstd. No object is created per value.

import { ByteWriter, type SchemaElement } from 'hyparquet-writer'
import { writePageHeader } from 'hyparquet-writer/src/datapage.js'
import { MAGIC, parquetFooter, type RowGroup } from './plain-footer.ts'

/** A flat column. Integers are little-endian; a text follows its length in 4 bytes. */
export type PlainElement = SchemaElement & {
  type: NonNullable<SchemaElement['type']>
  repetition_type: 'REQUIRED' | 'OPTIONAL'
}

/** The bytes of a column. `least` and `most` are its minimum and maximum, for readers to skip row groups; both omit
 *  the length of a text. `present` is set for an optional column with nulls: a bit per row, lowest first. `bytes`
 *  then has only the rows with a value. */
export type PlainColumn = {
  bytes: Uint8Array
  least?: Uint8Array
  most?: Uint8Array
  present?: Uint8Array
}

/** A file to write. `isPart`: the groups are part of a larger file, at an unknown place in it, so the start and end of
 *  a file are left out. */
type PlainFile = { elements: readonly PlainElement[]; write: (bytes: Uint8Array) => void; isPart?: boolean }
type ColumnChunk = RowGroup['columns'][number]

const LEVEL = 3

export class PlainParquet {
  rowCount = 0
  readonly #file: PlainFile
  readonly groups: RowGroup[] = []
  #offset = 0

  constructor(file: PlainFile) {
    this.#file = file
    if (file.isPart !== true) this.#write(MAGIC)
  }

  /** Writes a row group: for each element, the bytes of `rowCount` values. */
  writeGroup(rowCount: number, columns: readonly PlainColumn[]): void {
    const start = this.#offset
    const chunks = columns.map((column, i) => this.#writeColumn(this.#file.elements[i]!, column, rowCount))
    const plainBytes = chunks.reduce((sum, { meta_data }) => sum + meta_data!.total_uncompressed_size, 0n)
    this.groups.push({
      columns: chunks,
      total_byte_size: plainBytes,
      num_rows: BigInt(rowCount),
      total_compressed_size: BigInt(this.#offset - start),
    })
    this.rowCount += rowCount
  }

  /** Ends the file. The metadata may be known only now. */
  end(metadata: ReadonlyMap<string, string>): void {
    this.#write(parquetFooter(this.#file.elements, this.groups, metadata))
  }

  #writeColumn(element: PlainElement, column: PlainColumn, rowCount: number): ColumnChunk {
    const { least, most, present } = column
    const isOptional = element.repetition_type === 'OPTIONAL'
    const bytes = isOptional ? Buffer.concat([definitionLevels(present, rowCount), column.bytes]) : column.bytes
    const start = this.#offset
    const packed = Bun.zstdCompressSync(bytes, { level: LEVEL })
    const header = new ByteWriter()
    writePageHeader(header, {
      type: 'DATA_PAGE',
      uncompressed_page_size: bytes.length,
      compressed_page_size: packed.length,
      data_page_header: {
        num_values: rowCount,
        encoding: 'PLAIN',
        definition_level_encoding: 'RLE',
        repetition_level_encoding: 'RLE',
      },
    })
    const headerBytes = header.getBytes()
    this.#write(headerBytes)
    this.#write(packed)
    return {
      file_offset: BigInt(start),
      meta_data: {
        type: element.type,
        encodings: ['PLAIN', 'RLE'],
        path_in_schema: [element.name],
        codec: 'ZSTD',
        num_values: BigInt(rowCount),
        total_uncompressed_size: BigInt(headerBytes.length + bytes.length),
        total_compressed_size: BigInt(this.#offset - start),
        data_page_offset: BigInt(start),
        ...(least === undefined || most === undefined ? {} : { statistics: { min_value: least, max_value: most } }),
      },
    }
  }

  #write(bytes: Uint8Array): void {
    this.#file.write(bytes)
    this.#offset += bytes.length
  }
}

/** Encodes definition levels in the RLE hybrid: one bit-packed run that says whether each row has a value, or one run
 *  of ones. */
function definitionLevels(present: Uint8Array | undefined, rowCount: number): Uint8Array {
  const levels = present ?? Uint8Array.of(1)
  const head = [present === undefined ? 2 * rowCount : 2 * present.length + 1]
  for (let i = 0; head[i]! > 0x7f; i++) {
    head.push(head[i]! >>> 7)
    head[i] = (head[i]! & 0x7f) | 0x80
  }
  const length = new Uint8Array(4)
  new DataView(length.buffer).setUint32(0, head.length + levels.length, true)
  return Buffer.concat([length, Uint8Array.from(head), levels])
}
