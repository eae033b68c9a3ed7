// A part of a capture is committed as a whole, and its blocks are released.

import { expect, test } from 'bun:test'
import { kalshiDelta, TICKER } from '../../test/model/lines.ts'
import { collectLines } from '../../test/support/collected.ts'
import { withStore } from '../../test/support/store.ts'
import { commitPart } from './commit-part.ts'

const DAY_MS = 86_400_000

test('days of several markets, and what was added', () =>
  withStore(async (store) => {
    const delta = (ticker: string, day: number) => {
      const of = kalshiDelta(day * DAY_MS, '0.5', '1')
      return JSON.stringify({ ...of, msg: { ...of.msg, market_ticker: ticker } })
    }
    const lines = [delta(TICKER, 0), delta(TICKER, 1), delta('KX-2', 0)]
    const partitions = collectLines(lines)
    const { recordsAdded, changed } = await commitPart(store.store, partitions)
    expect([recordsAdded, changed.size]).toEqual([3, 3])
    expect(partitions.map(({ blocks, planned }) => [blocks.length, planned])).toEqual([
      [0, null],
      [0, null],
      [0, null],
    ])
    expect(await store.dates('kalshi', TICKER)).toEqual(['2026-08-10', '2026-08-11'])
    const again = await commitPart(store.store, collectLines([...lines, delta('KX-3', 0)]), { recordsAdded, changed })
    expect([again.recordsAdded, again.changed.size]).toEqual([4, 4])
  }))
