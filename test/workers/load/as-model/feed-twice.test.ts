// A file that repeats a feed, whole or in part, changes nothing, whether it is loaded first or later, as in the model.

import { describe, expect, test } from 'bun:test'
import { Random } from '../../../../workers/synthetic/random.ts'
import { readCapture } from '../../../model/capture.ts'
import { ModelStore } from '../../../model/model.ts'
import { seeds } from '../../../run/effort.ts'
import { withStore } from '../../../support/store.ts'
import { expectSameRecords } from '../model-comparison.ts'
import { RandomCapture } from '../random-capture.ts'

const NOW = Date.parse('2026-11-01')

/** Returns the number of records that each load adds. Compares the store with the model after each load. */
async function added(captures: string[][]): Promise<number[]> {
  const counts: number[] = []
  await withStore(async (store) => {
    const model = new ModelStore()
    for (const [i, lines] of captures.entries()) {
      const { recordsAdded } = await store.loadLines(`${i}.ndjson`, lines)
      model.load(readCapture(`${i}`, lines.join('\n'), false), NOW)
      await expectSameRecords(store, model)
      counts.push(recordsAdded)
    }
  })
  return counts
}

describe.each(seeds(1, 6, 60))('seed %d', (seed) => {
  test('joined files give what the model has', async () => {
    const random = new Random(seed, 'joined')
    const lines = new RandomCapture(seed, random.chance(0.5)).lines(60)
    const [from, to] = [random.below(60), random.below(60)].sort((a, b) => a - b) as [number, number]
    const [count] = await added([[...lines, ...lines.slice(from, to)], lines])
    expect(count).toBeGreaterThan(0)
  })
})

test('a recording that is joined with itself adds each of its records once', async () => {
  const line = (i: number) => {
    const msg = {
      market_ticker: 'KXTWICE',
      price_dollars: '0.4000',
      delta_fp: `${i + 1}.00`,
      side: 'yes',
      ts_ms: MS + 1_000 * i,
    }
    return JSON.stringify({ recv_ms: MS + 1_000 * i + 40, event: { type: 'orderbook_delta', sid: 1, seq: i, msg } })
  }
  for (const length of [5, 200]) {
    const lines = Array.from({ length }, (_, i) => line(i))
    expect(await added([[...lines, ...lines], lines])).toEqual([length, 0])
    expect(await added([lines, [...lines, ...lines.slice(2)]])).toEqual([length, 0])
  }
})
const MS = Date.parse('2026-08-10T12:00:00Z')
