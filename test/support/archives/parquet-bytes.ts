// Makes Parquet files for tests from rows and columns, and reads them by byte ranges.

import type { CompressionCodec, SchemaElement } from 'hyparquet'
import { ByteWriter, type ColumnSource, ParquetWriter } from 'hyparquet-writer'
import type { ByteFile } from '../../../workers/import/byte-file.ts'

export type Cell = bigint | number | string | Uint8Array | null | { [field: string]: Cell }[]
export type Row = Record<string, Cell>
export type Field = SchemaElement | [list: SchemaElement, ...below: SchemaElement[]]

export type ParquetOptions = {
  codec?: CompressionCodec
  /** Bytes of a page before compression. */
  pageSize?: number
  encodings?: Record<string, ColumnSource['encoding']>
  /** The row count that the footer states for each row group, in place of the real one. */
  statedRows?: number
}

/** Each entry of `groups` is a row group. */
export function parquetBytes(fields: readonly Field[], groups: readonly Row[][], options: ParquetOptions = {}) {
  const columns = fields.map((field) => (Array.isArray(field) ? field[0] : field))
  const writer = new ByteWriter()
  const parquet = new ParquetWriter({
    writer,
    schema: [{ name: 'schema', num_children: fields.length }, ...fields.flat()],
    codec: options.codec ?? 'ZSTD',
    compressors: {
      ZSTD: (bytes) => Bun.zstdCompressSync(bytes as Uint8Array<ArrayBuffer>),
      GZIP: (bytes) => Bun.gzipSync(bytes as Uint8Array<ArrayBuffer>),
    },
    statisticsTruncateLength: 100,
  })
  for (const rows of groups) {
    const columnData = columns.map(({ name }) => {
      const encoding = options.encodings?.[name]
      const data = rows.map((row) => row[name] ?? null)
      return { name, data, ...(encoding === undefined ? {} : { encoding }) }
    })
    const sizes = { rowGroupSize: rows.length, pageSize: options.pageSize ?? 1 << 20 }
    void parquet.write({ columnData: columnData as ColumnSource[], ...sizes })
  }
  const { statedRows } = options
  if (statedRows !== undefined) for (const group of parquet.row_groups) group.num_rows = BigInt(statedRows)
  void parquet.finish()
  return writer.getBytes().slice()
}

/** A file in memory that records which of its bytes were read. */
export class MemoryFile implements ByteFile {
  readonly name: string
  readonly ranges: [start: number, end: number][] = []
  readonly #bytes: Uint8Array

  constructor(bytes: Uint8Array, name = 'hour.parquet') {
    this.#bytes = bytes
    this.name = name
  }

  get byteLength(): number {
    return this.#bytes.length
  }

  slice(start: number, end = this.#bytes.length): Promise<ArrayBuffer> {
    this.ranges.push([start, end])
    return Promise.resolve(this.#bytes.slice(start, end).buffer as ArrayBuffer)
  }

  sha256(): Promise<null> {
    return Promise.resolve(null)
  }

  close(): void {}
}
