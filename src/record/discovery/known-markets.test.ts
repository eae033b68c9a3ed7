// The markets that discovery knows: which of them are offered, which end, and what is saved of them.

import { expect, test } from 'bun:test'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { WantedMarket } from '../connection/venue-protocol.ts'
import { VenueFigures } from '../status/recorder-figures.ts'
import { type FoundMarket, KnownMarkets, readSet, saveSet } from './known-markets.ts'

const found = (market: string, given: Partial<FoundMarket> = {}): FoundMarket => ({
  ...{ market, books: [`${market}-1`], opensMs: null, closesMs: null, isOver: false, said: 'a' },
  ...given,
})

function scene({ room = 9, aheadMs = 100 } = {}) {
  const clock = { ms: 1_000 }
  const taken: string[] = []
  const ended: string[] = []
  const figures = new VenueFigures()
  const sink = {
    want: (markets: readonly WantedMarket[]) =>
      markets.filter(({ market }) => {
        const isTaken = taken.length < room
        if (isTaken) taken.push(market!)
        return !isTaken
      }),
    unwant: (_: string, books: readonly string[]) => void ended.push(...books),
  }
  const known = new KnownMarkets({
    ...{ venue: 'kalshi', sink, figures, keepMs: 500, aheadMs },
    nowMs: () => clock.ms,
  })
  return { clock, taken, ended, figures, known }
}

test('a market is offered when it is near its opening, and the answer about it is news once', () => {
  const { clock, taken, figures, known } = scene()
  expect(known.take([found('A'), found('B', { opensMs: 1_200 })])).toBe(true)
  expect([taken, figures.marketsLeftOut]).toEqual([['A'], 0])
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

test('markets without room are counted, and offered again', () => {
  const { taken, figures, known } = scene({ room: 1 })
  known.take([found('A'), found('B'), found('C')])
  expect([taken, figures.marketsLeftOut, known.size]).toEqual([['A'], 2, 3])
  taken.length = 0
  known.sweep()
  expect([taken, figures.marketsLeftOut]).toEqual([['B'], 1])
})

test('a set is read again by the same selection alone, and not where it is damaged', async () => {
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
