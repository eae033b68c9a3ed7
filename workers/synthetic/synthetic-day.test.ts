// The same options give the same bytes; other options give other bytes.

import { expect, test } from 'bun:test'
import { type SyntheticDayOptions, syntheticDay } from './synthetic-day.ts'

const SMALL = { date: '2026-07-20', kalshiRecords: 5_000, polymarketRecords: 1_000 }

function digests(options: SyntheticDayOptions) {
  const day = syntheticDay(options)
  const digest = (lines: Iterable<string>) => {
    const hasher = new Bun.CryptoHasher('sha256')
    for (const line of lines) hasher.update(`${line}\n`)
    return hasher.digest('hex')
  }
  const twice = [digest(day.kalshiLines), digest(day.polymarketLines)]
  expect([digest(day.kalshiLines), digest(day.polymarketLines)]).toEqual(twice)
  return [...twice, digest([JSON.stringify(day.gammaEvent)])]
}

test('syntheticDay gives the same bytes for the same options, however often they are read', () => {
  const first = digests(SMALL)
  expect(digests({ ...SMALL, seed: 1 })).toEqual(first)
  for (const other of [digests({ ...SMALL, seed: 2 }), digests({ ...SMALL, date: '2026-07-21' })]) {
    for (const [index, digest] of other.entries()) expect(digest).not.toBe(first[index]!)
  }
})

test('syntheticDay has not changed unnoticed', () => {
  expect(digests(SMALL).map((digest) => digest.slice(0, 12))).toEqual(['936f092bb059', 'd0be90ace5b0', '1a5d10cbe022'])
})

test('syntheticDay returns the ids to request', () => {
  const day = syntheticDay(SMALL)
  const [opening] = day.polymarketLines
  const event = day.gammaEvent as { slug: string; markets: { conditionId: string; clobTokenIds: string }[] }
  expect(event.slug).toBe(day.slug)
  expect(event.markets[0]).toMatchObject({ conditionId: day.conditionId, clobTokenIds: JSON.stringify(day.assetIds) })
  for (const id of [day.conditionId, ...day.assetIds]) expect(opening).toContain(`"${id}"`)
  expect([...day.kalshiLines][0]).toContain(`"${day.kalshiTicker}"`)
})

test('syntheticDay is made while it is read', () => {
  const day = syntheticDay({ date: '2026-07-20', kalshiRecords: 1e12, polymarketRecords: 1e12 })
  for (const lines of [day.kalshiLines, day.polymarketLines]) {
    let count = 0
    for (const line of lines) {
      expect(line).toStartWith('{"recv_ms":17845')
      if (++count === 100) break
    }
  }
})

test('syntheticDay refuses what is not a date', () => {
  for (const date of ['2026-02-30', 'yesterday']) expect(() => syntheticDay({ date })).toThrow()
})
