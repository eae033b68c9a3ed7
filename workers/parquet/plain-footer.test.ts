// The footer declares the types exactly as the format requires: strict readers refuse a file whose integers do not
// declare their width in one byte.

import { expect, test } from 'bun:test'
import { parquetMetadata } from 'hyparquet'
import { MAGIC, parquetFooter } from './plain-footer.ts'
import type { PlainElement } from './plain-parquet.ts'

const unsigned = (name: string, bitWidth: 8 | 64): PlainElement => ({
  ...{ name, repetition_type: 'REQUIRED', type: bitWidth === 8 ? 'INT32' : 'INT64' },
  converted_type: bitWidth === 8 ? 'UINT_8' : 'UINT_64',
  logical_type: { type: 'INTEGER', bitWidth, isSigned: false },
})

test('the width of an integer is one byte, as the format has it', () => {
  const footer = Buffer.from(parquetFooter([unsigned('a', 8), unsigned('b', 64)], [], new Map()))
  for (const width of [8, 64]) {
    // INTEGER is field 10 of the union: a struct of a byte, field 1, and of false, field 2.
    expect(footer.includes(Buffer.from([0xac, 0x13, width, 0x12, 0, 0]))).toBe(true)
  }
})

test('columns, their types and metadata are read back', () => {
  const time: PlainElement = {
    ...{ name: 't', type: 'INT64', repetition_type: 'OPTIONAL', converted_type: 'TIMESTAMP_MICROS' },
    logical_type: { type: 'TIMESTAMP', isAdjustedToUTC: true, unit: 'MICROS' },
  }
  const fixed: PlainElement = {
    ...{ name: 'f', type: 'FIXED_LEN_BYTE_ARRAY', type_length: 16 },
    repetition_type: 'REQUIRED',
  }
  const file = new Uint8Array(Buffer.concat([MAGIC, parquetFooter([time, fixed], [], new Map([['k', 'é']]))]))
  const { schema, key_value_metadata: pairs, num_rows } = parquetMetadata(file.buffer)
  expect(schema[0]).toMatchObject({ name: 'schema', num_children: 2 })
  expect(schema.slice(1)).toMatchObject([time, fixed])
  expect([pairs, num_rows]).toEqual([[{ key: 'k', value: 'é' }], 0n])
})
