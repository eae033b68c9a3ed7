// Makes and opens the rows `z`, whose values belong to the whole store and not to one market.

import { keyOf } from './keys.ts'
import { type Row, type RowKey, type Rows, revisionOf } from './rows.ts'
import { openPacked, sealPacked } from './sealed-rows.ts'
import type { Write } from './shared-rows.ts'

/** The keys of two counters: how often provenance changed, and how often metadata changed. */
export const PROVENANCE_KEY = keyOf('z', 'provenance')
export const METADATA_KEY = keyOf('z', 'metadata')

export const storeRow = (key: RowKey, value: unknown): Row => ({ key, value: sealPacked(key, value) })

/** Throws DataError('block_corrupt'). */
export const openStoreValue = <T>(key: RowKey, bytes: Uint8Array): T =>
  openPacked<T>(key, bytes, ([name]) => `value ${name} of the whole store`)

/** Begins a change of rows that only one writer may change at a time. Counts the change in the row `key`, and the
 *  commit expects this row to be unchanged. Call it before the other rows are read. */
export async function beginCounted(rows: Rows, key: RowKey, isFresh: boolean): Promise<Write> {
  const [bytes] = await rows.get([key], isFresh)
  const count = bytes === undefined ? 0 : openStoreValue<number>(key, bytes)
  return { expect: [{ key, revision: revisionOf(bytes) }], put: [storeRow(key, count + 1)], remove: [] }
}
