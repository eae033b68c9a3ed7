// Columns of a Nautilus Parquet catalog, as nautilus_trader 0.61 and its Rust code of July 2026 write them. The
// columns of deltas, quotes and trades are required. Prices and sizes are fixed byte arrays without a logical type:
// integers of 10^-16 in 16 bytes in high-precision builds, or of 10^-9 in 8 bytes.

import { binary, type DataType, field, fixedSizeBinary, uint8, uint64, utf8 } from '@uwdata/flechette'
import { ArrowStream } from '../../arrow/arrow-stream.ts'
import type { PlainElement } from '../../parquet/plain-parquet.ts'

/** Bytes of a price or size; 16 in high-precision builds. */
export type FixedBytes = 8 | 16

/** A kind with `?` may be null. */
type ColumnKind = 'u8' | 'u64' | 'fixed' | 'text' | 'text?' | 'binary?'
export type CatalogColumns = Readonly<Record<string, ColumnKind>>

export const DELTA_COLUMNS = {
  action: 'u8',
  side: 'u8',
  price: 'fixed',
  size: 'fixed',
  order_id: 'u64',
  flags: 'u8',
  sequence: 'u64',
  ts_event: 'u64',
  ts_init: 'u64',
} as const satisfies CatalogColumns

export const QUOTE_COLUMNS = {
  bid_price: 'fixed',
  ask_price: 'fixed',
  bid_size: 'fixed',
  ask_size: 'fixed',
  ts_event: 'u64',
  ts_init: 'u64',
} as const satisfies CatalogColumns

export const TRADE_COLUMNS = {
  price: 'fixed',
  size: 'fixed',
  aggressor_side: 'u8',
  trade_id: 'text',
  ts_event: 'u64',
  ts_init: 'u64',
} as const satisfies CatalogColumns

export function elementsOf(columns: CatalogColumns, fixedBytes: FixedBytes): PlainElement[] {
  return Object.entries(columns).map(([name, kind]) => elementOf(name, kind, fixedBytes))
}

function elementOf(name: string, kind: ColumnKind, fixedBytes: FixedBytes): PlainElement {
  const element = { name, repetition_type: kind.endsWith('?') ? 'OPTIONAL' : 'REQUIRED' } as const
  if (kind === 'fixed') return { ...element, type: 'FIXED_LEN_BYTE_ARRAY', type_length: fixedBytes }
  if (kind === 'binary?') return { ...element, type: 'BYTE_ARRAY' }
  if (kind === 'text' || kind === 'text?') {
    return { ...element, type: 'BYTE_ARRAY', converted_type: 'UTF8', logical_type: { type: 'STRING' } }
  }
  const bitWidth = kind === 'u8' ? 8 : 64
  return {
    ...element,
    type: kind === 'u8' ? 'INT32' : 'INT64',
    converted_type: kind === 'u8' ? 'UINT_8' : 'UINT_64',
    logical_type: { type: 'INTEGER', bitWidth, isSigned: false },
  }
}

/** Returns the metadata of a file in both places: as Parquet pairs, and in the Arrow schema, where Nautilus itself
 *  writes it. */
export function fileMetadata(
  columns: CatalogColumns,
  fixedBytes: FixedBytes,
  metadata: ReadonlyMap<string, string>,
): Map<string, string> {
  const types: Record<ColumnKind, DataType> = {
    u8: uint8(),
    u64: uint64(),
    fixed: fixedSizeBinary(fixedBytes),
    text: utf8(),
    'text?': utf8(),
    'binary?': binary(),
  }
  const fields = Object.entries(columns).map(([name, kind]) => field(name, types[kind], kind.endsWith('?')))
  const schema = new ArrowStream({ fields, metadata, dictionaries: [] }).take()
  return new Map([...metadata, ['ARROW:schema', Buffer.from(schema).toString('base64')]])
}
