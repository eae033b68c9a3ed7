// Columns of bytes are read back unchanged.

import { expect, test } from 'bun:test'
import { parquetMetadata, parquetReadObjects } from 'hyparquet'
import { FixedColumn, Int32Column, TextColumn, Uint64Column } from './plain-columns.ts'
import { type PlainElement, PlainParquet } from './plain-parquet.ts'

const compressors = { ZSTD: (packed: Uint8Array) => Bun.zstdDecompressSync(packed as Uint8Array<ArrayBuffer>) }
const unsigned = (name: string, bitWidth: 8 | 64): PlainElement => ({
  ...{ name, repetition_type: 'REQUIRED', type: bitWidth === 8 ? 'INT32' : 'INT64' },
  converted_type: bitWidth === 8 ? 'UINT_8' : 'UINT_64',
  logical_type: { type: 'INTEGER', bitWidth, isSigned: false },
})

test('values of every size come back', async () => {
  const micros = [0, 1, 10_000, 999_999, 1_000_000, 2 ** 32 - 1, 2 ** 32, 2 ** 40 + 12_345, Number.MAX_SAFE_INTEGER]
  const [small, times, narrow, wide, texts] = [
    ...[new Int32Column(), new Uint64Column(), new FixedColumn(8), new FixedColumn(16), new TextColumn()],
  ] as const
  const bounded = micros.map((value) => Math.min(value, Math.floor(2 ** 62 / 1_000)))
  micros.forEach((value, row) => {
    small.values[row] = row
    times.setUsAsNs(row, value)
    narrow.setMicros(row, bounded[row]!)
    wide.setMicros(row, value)
    texts.add(`text ${'ü'.repeat(row)}`)
  })
  const fixed = (name: string, type_length: number): PlainElement => ({
    ...{ name, type_length, repetition_type: 'REQUIRED', type: 'FIXED_LEN_BYTE_ARRAY' },
  })
  const text = { name: 'text', type: 'BYTE_ARRAY', repetition_type: 'REQUIRED', converted_type: 'UTF8' } as const
  const pieces: Uint8Array[] = []
  const elements = [unsigned('small', 8), unsigned('ns', 64), fixed('narrow', 8), fixed('wide', 16), text]
  const parquet = new PlainParquet({ elements, write: (bytes) => pieces.push(bytes.slice()) })
  const count = micros.length
  const columns = [small.take(count), times.take(count, true), narrow.take(count), wide.take(count), texts.take()]
  parquet.writeGroup(count, columns)
  parquet.writeGroup(1, [
    small.take(1),
    times.take(1),
    narrow.take(1),
    wide.take(1),
    { bytes: columns[4]!.bytes.subarray(0, 9) },
  ])
  parquet.end(new Map([['key', 'välue']]))

  const file = new Uint8Array(Buffer.concat(pieces)).buffer
  const { key_value_metadata, row_groups, num_rows } = parquetMetadata(file)
  expect([key_value_metadata, num_rows]).toEqual([[{ key: 'key', value: 'välue' }], BigInt(count + 1)])
  expect(row_groups[0]!.columns[1]!.meta_data!.statistics).toMatchObject({
    ...{ min_value: 0n, max_value: BigInt(Number.MAX_SAFE_INTEGER) * 1_000n },
  })
  const units = (value: unknown) => (value as Uint8Array).reduceRight((sum, byte) => sum * 256n + BigInt(byte), 0n)
  const rows = await parquetReadObjects({ file, compressors, utf8: false })
  expect(
    rows.map(({ small, ns, narrow, wide, text }) => [small, ns, units(narrow), units(wide), String(text)]),
  ).toEqual(
    [...micros.keys(), 0].map((row) => [
      ...[row, BigInt(micros[row]!) * 1_000n, BigInt(bounded[row]!) * 1_000n],
      ...[BigInt(micros[row]!) * 10_000_000_000n, `text ${'ü'.repeat(row)}`],
    ]),
  )
})
