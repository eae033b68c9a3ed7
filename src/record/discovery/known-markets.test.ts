// Tests the markets that discovery knows: when the recorder gets a market, when a market ends, and what is saved.

import { expect, test } from 'bun:test'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { WantedMarket } from '../connection/venue-protocol.ts'
import { type FoundMarket, KnownMarkets, readSet, saveSet } from './known-markets.ts'

const found = (market: string, given: Partial<FoundMarket> = {}): FoundMarket => ({
  ...{ market, books: [`${market}-1`], opensMs: null, closesMs: null, isOver: false, said: 'a' },
  ...given,
})

function scene() {
  const clock = { ms: 1_000 }
  const taken: string[] = []
  const ended: string[] = []
  const sink = {
    want: (markets: readonly WantedMarket[]) => void taken.push(...markets.map(({ market }) => market!)),
    unwant: (_: string, books: readonly string[]) => void ended.push(...books),
  }
  const known = new KnownMarkets({
    ...{ venue: 'kalshi', sink, keepMs: 500, aheadMs: 100 },
    nowMs: () => clock.ms,
  })
  return { clock, taken, ended, known }
}

test('the recorder gets a market near its opening; the same description again is not news', () => {
  const { clock, taken, known } = scene()
  expect(known.take([found('A'), found('B', { opensMs: 1_200 })])).toBe(true)
  expect(taken).toEqual(['A'])
  expect(known.take([found('A')])).toBe(false)
  expect(known.take([found('A', { said: 'b' })])).toBe(true)
  clock.ms = 1_100
  known.sweep()
  expect(taken).toEqual(['A', 'B'])
})

test('a market ends some time after it is over; one that is over when it is found is not taken', () => {
  const { clock, taken, ended, known } = scene()
  known.take([found('A'), found('over', { isOver: true })])
  known.take([found('A', { isOver: true })])
  clock.ms = 1_499
  known.sweep()
  expect([taken, ended, known.get('A')?.overMs]).toEqual([['A'], [], 1_000])
  clock.ms = 1_500
  known.sweep()
  expect([ended, known.size]).toEqual([['A-1'], 0])
})

test('a saved set is read only with the same selection, and not if it is damaged', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'known-markets-'))
  const place = { folder, venue: 'kalshi', selection: 'all' } as const
  const { isOver: _, ...market } = { ...found('A'), overMs: null }
  await saveSet(place, { savedMs: 7, markets: [market] })
  expect(readSet(place)).toEqual({ savedMs: 7, markets: [market] })
  expect(readSet({ ...place, selection: 'other' })).toBeNull()
  writeFileSync(join(folder, 'recorder', 'markets-kalshi.ndjson'), '{"format":1}\n{')
  expect(readSet(place)).toBeNull()
  rmSync(folder, { recursive: true })
})
