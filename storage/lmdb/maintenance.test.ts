// The stats of a store match its file, before and after a record is added.

import { expect, test } from 'bun:test'
import { statSync } from 'node:fs'
import { join } from 'node:path'
import { DAY, kalshiDelta, kalshiSnapshot, TICKER } from '../../test/model/lines.ts'
import { withStore } from '../../test/support/store.ts'

test('used and free pages are the whole file, and entries are counted', () =>
  withStore(async (store) => {
    const empty = await store.store.maintenance.stats()
    expect([empty.markets, empty.partitions, empty.blocks]).toEqual([0, 0, 0])
    const deltas = Array.from({ length: 20_000 }, (_, ms) => kalshiDelta(ms, `0.${10 + (ms % 80)}00`, '1.00'))
    await store.loadLines(
      'c.ndjson',
      [kalshiSnapshot([]), ...deltas].map((line) => JSON.stringify(line)),
    )
    await store.store.flushed()
    const full = await store.store.maintenance.stats()
    expect([full.markets, full.partitions, full.blocks]).toEqual([1, 1, 2])
    expect(full.fileBytes).toBe(statSync(join(store.folder, 'store', 'data.mdb')).size)
    expect(full.usedBytes + full.freeBytes).toBeLessThanOrEqual(full.fileBytes)
    expect(full.usedBytes).toBeGreaterThan(empty.usedBytes)
    expect(full.mapBytes).toBeGreaterThanOrEqual(full.fileBytes)
    expect(full.readersMax).toBe(256)
    expect(await store.dates('kalshi', TICKER)).toEqual([DAY])

    // The new record becomes a block of its own. The old head becomes a free page.
    await store.loadLines('d.ndjson', [JSON.stringify(kalshiDelta(30_000, '0.5000', '1.00'))])
    await store.store.flushed()
    const later = await store.store.maintenance.stats()
    expect(later.freeBytes).toBeGreaterThan(0)
    expect(later.blocks).toBe(3)
  }))
