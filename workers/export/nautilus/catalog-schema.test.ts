// Tests columns of a Nautilus catalog in Parquet, and the same schema in Arrow.

import { expect, test } from 'bun:test'
import { tableFromIPC } from '@uwdata/flechette'
import { DELTA_COLUMNS, elementsOf, fileMetadata, TRADE_COLUMNS } from './catalog-schema.ts'

test('types of Parquet, all required', () => {
  const elements = elementsOf(TRADE_COLUMNS, 16)
  expect(elements.every(({ repetition_type: repetition }) => repetition === 'REQUIRED')).toBe(true)
  expect(
    elements.map(({ name, type, type_length: length, converted_type: converted }) => [name, type, length ?? converted]),
  ).toEqual([
    ['price', 'FIXED_LEN_BYTE_ARRAY', 16],
    ['size', 'FIXED_LEN_BYTE_ARRAY', 16],
    ['aggressor_side', 'INT32', 'UINT_8'],
    ['trade_id', 'BYTE_ARRAY', 'UTF8'],
    ['ts_event', 'INT64', 'UINT_64'],
    ['ts_init', 'INT64', 'UINT_64'],
  ])
})

test('metadata as pairs and within the Arrow schema', () => {
  const metadata = fileMetadata(DELTA_COLUMNS, 8, new Map([['instrument_id', 'KX.KALSHI']]))
  expect([...metadata.keys()]).toEqual(['instrument_id', 'ARROW:schema'])
  const { schema } = tableFromIPC(new Uint8Array(Buffer.from(metadata.get('ARROW:schema')!, 'base64')))
  expect(schema.metadata?.get('instrument_id')).toBe('KX.KALSHI')
  expect(schema.fields.map(({ name }) => name)).toEqual(Object.keys(DELTA_COLUMNS))
  expect(schema.fields.find(({ name }) => name === 'price')!.type).toMatchObject({ stride: 8 })
})
