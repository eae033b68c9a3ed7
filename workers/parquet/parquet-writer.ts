// How the project writes Parquet: columns compressed with zstd.

import { type KeyValue, ParquetWriter, type SchemaElement, type Writer } from 'hyparquet-writer'

const ZSTD_LEVEL = 9

type Parts = { writer: Writer; schema: SchemaElement[]; kvMetadata?: KeyValue[] }

export const parquetWriter = (parts: Parts): ParquetWriter =>
  new ParquetWriter({
    ...parts,
    codec: 'ZSTD',
    compressors: { ZSTD: (plain: Uint8Array) => Bun.zstdCompressSync(plain, { level: ZSTD_LEVEL }) },
    createdBy: 'backbook',
  })
