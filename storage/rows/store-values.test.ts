// If two changes start from the same count, one of them is refused.

import { expect, test } from 'bun:test'
import { MemoryRows } from '../../test/support/rows/memory-rows.ts'
import { beginCounted, METADATA_KEY, openStoreValue } from './store-values.ts'

test('changes are counted, and only one of two that begin together takes effect', async () => {
  const rows = new MemoryRows()
  const [one, other] = await Promise.all([
    beginCounted(rows, METADATA_KEY, false),
    beginCounted(rows, METADATA_KEY, true),
  ])
  expect([await rows.commit(one), await rows.commit(other)]).toEqual([[], [0]])
  expect(await rows.commit(await beginCounted(rows, METADATA_KEY, true))).toEqual([])
  expect(openStoreValue<number>(METADATA_KEY, rows.read(METADATA_KEY)!)).toBe(2)
})
