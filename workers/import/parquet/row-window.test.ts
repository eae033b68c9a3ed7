// Goal: what an archive becomes does not depend on how many of its rows are read at a time.

import { expect, test } from 'bun:test'
import { loadArchive } from '../../../test/model/model.ts'
import { imported, LOADED_AT } from '../../../test/support/archives/imported.ts'
import { MemoryFile } from '../../../test/support/archives/parquet-bytes.ts'
import { heardRows, pendulumflowBytes } from '../../../test/support/archives/pendulumflow-rows.ts'
import { marketNamed, pmxtBytes, pmxtLine, randomRows } from '../../../test/support/archives/pmxt-rows.ts'
import { withStore } from '../../../test/support/store.ts'
import { expectSameRecords } from '../../../test/workers/load/model-comparison.ts'
import { Random } from '../../synthetic/random.ts'
import { pendulumflowOf, pendulumflowV3 } from '../formats/pendulumflow-v3.ts'
import { pmxtV2, pmxtV2Of } from '../formats/pmxt-v2.ts'

test.each([
  [1, 1, 300],
  [2, 30, 300],
  [3, 100, 110],
  [4, 1, 40],
])('pmxt v2, seed %d, windows of %d rows, row groups of %d', (seed, windowRows, groupRows) =>
  withStore(async (store) => {
    const rows = randomRows(new Random(seed, 'windows'), 6, 25)
    const groups = Array.from({ length: Math.ceil(rows.length / groupRows) }, (_, i) =>
      rows.slice(i * groupRows, (i + 1) * groupRows),
    )
    const file = new MemoryFile(pmxtBytes(groups, { pageSize: 150, encodings: { asset_id: 'PLAIN', bids: 'PLAIN' } }))
    const format = pmxtV2Of(windowRows)
    const { report } = await imported(store, format, file, { markets: [marketNamed(1), marketNamed(4)] })
    const inOrder = [...Map.groupBy(rows, ({ market }) => market).values()].map((of) =>
      [...of].sort((one, other) => one.received - other.received),
    )
    const chosen = inOrder.flat().filter(({ market }) => market === marketNamed(1) || market === marketNamed(4))
    expect(report).toMatchObject({ rows: chosen.length, rejected: 0 })
    const all = await imported(store, format, file)
    expect(all.report).toMatchObject({ rows: rows.length, recordsAdded: rows.length - chosen.length, rejected: 0 })
    await expectSameRecords(store, loadArchive(pmxtV2.source, inOrder.flat().map(pmxtLine), LOADED_AT))
  }),
)

test.each([
  [5, 1, 1_000],
  [6, 20, 1_000],
  [7, 3, 60],
])('pendulumflow v3, seed %d, windows of %d rows, row groups of %d', (seed, windowRows, groupRows) =>
  withStore(async (store) => {
    const rows = heardRows(new Random(seed, 'windows'), 6, 60)
    const file = new MemoryFile(pendulumflowBytes(rows, { groupRows, pageSize: 150 }))
    const { report } = await imported(store, pendulumflowOf(150, windowRows), file)
    expect(report).toMatchObject({ rows: rows.length, rejected: 0 })
    const stored = rows.filter(({ type }) => type !== 'best_bid_ask')
    const lines = stored.map((row) => pmxtLine(row))
    await expectSameRecords(store, loadArchive(pendulumflowV3.source, lines, LOADED_AT))
  }),
)
