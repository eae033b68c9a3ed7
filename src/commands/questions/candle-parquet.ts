// The buckets of a summary as a Parquet file: a row group at a time, each column compressed with zstd.

import { ByteWriter, ParquetWriter, type SchemaElement } from 'hyparquet-writer'
import type { Output } from '../terminal/output.ts'
import { CANDLE_COLUMNS, type CandleColumn } from './candle-columns.ts'
import type { Bucket, SummaryAnswer } from './summary-answer.ts'

const ROWS_A_GROUP = 100_000
const ZSTD_LEVEL = 9

/** Returns the number of rows. What the answer says beside its buckets becomes metadata of the file. */
export async function writeParquet(answer: SummaryAnswer, unit: 'ms' | 's', output: Output): Promise<number> {
  const bytes = new ByteWriter()
  const parquet = new ParquetWriter({
    writer: bytes,
    schema: SCHEMA,
    codec: 'ZSTD',
    compressors: { ZSTD: (plain: Uint8Array) => Bun.zstdCompressSync(plain, { level: ZSTD_LEVEL }) },
    kvMetadata: Object.entries(answer.head).map(([key, value]) => ({ key: `backbook.${key}`, value: String(value) })),
    createdBy: 'backbook',
  })
  let rows = 0
  let group: Bucket[] = []
  const writeGroup = async () => {
    const columnData = CANDLE_COLUMNS.map(({ name, type, of }) => ({
      name,
      data: group.map((bucket) => (type === 'INT64' ? new Date(of(bucket) as number) : of(bucket))),
    }))
    await parquet.write({ columnData, rowGroupSize: ROWS_A_GROUP })
    rows += group.length
    group = []
    await drain(bytes, output)
  }
  for await (const buckets of answer.buckets) {
    for (const bucket of buckets)
      group.push(unit === 'ms' ? bucket : { ...bucket, timestamp: bucket.timestamp * 1_000 })
    if (group.length >= ROWS_A_GROUP) await writeGroup()
  }
  if (group.length > 0) await writeGroup()
  await parquet.finish()
  await drain(bytes, output)
  return rows
}

/** The writer counts what it has written apart from what it holds, so that it can be emptied. */
async function drain(bytes: ByteWriter, output: Output): Promise<void> {
  await output.write(bytes.getBytes().slice())
  bytes.index = 0
}

const SCHEMA: SchemaElement[] = [
  { name: 'root', num_children: CANDLE_COLUMNS.length },
  ...CANDLE_COLUMNS.map(({ name, type, isNullable }: CandleColumn): SchemaElement => {
    const repetition_type = isNullable ? 'OPTIONAL' : 'REQUIRED'
    if (type !== 'INT64') return { name, type, repetition_type }
    const logical_type = { type: 'TIMESTAMP', isAdjustedToUTC: true, unit: 'MILLIS' } as const
    return { name, type, repetition_type, converted_type: 'TIMESTAMP_MILLIS', logical_type }
  }),
]
