// Goal: what is known of an archive's files is kept as it is said, quality adds up, and both go with what they are of,
// in either store.

import { describe, expect, test } from 'bun:test'
import type { ArchiveQuality } from '../../storage/finding/provenance.ts'
import { HOUR_MS } from '../../storage/units.ts'
import { COUNTS, LOAD } from '../support/import/made-loads.ts'
import { HEAD } from '../support/made-markets.ts'
import { ALL_STORE_KINDS, withStoreOf } from '../support/store.ts'

const NOON = Date.UTC(2026, 7, 10, 12)
const quality = (rows: number, more: Partial<ArchiveQuality> = {}): ArchiveQuality => ({
  ...{ venue: 'kalshi', market: 'KXA', source: 'pmxt-v2', hourMs: NOON, ...COUNTS, rows },
  ...more,
})
const hour = ({ venue: _, market: __, hourMs, ...counts }: ArchiveQuality) => {
  return { ...counts, hour: (hourMs % (24 * HOUR_MS)) / HOUR_MS }
}

describe.each([...ALL_STORE_KINDS])('provenance in a store on %s', (kind) => {
  test('of a file is what was said last, in the order in which loads began', () =>
    withStoreOf(kind, async ({ store: { catalogue } }) => {
      const done = { ...LOAD, rows: 20, finishedAt: 9, checkpoint: null }
      const others = [
        { ...LOAD, source: 'ag6', startedAt: 1 },
        { ...LOAD, sha256: 'cd'.repeat(32), startedAt: 3 },
        { ...LOAD, markets: ['KXB', 'KXA'], startedAt: 6 },
        { ...LOAD, sha256: null, startedAt: 7 },
        { ...LOAD, sha256: null, bytes: 501, startedAt: 8 },
        { ...LOAD, sha256: null, url: null, startedAt: 9 },
      ]
      expect(await catalogue.provenanceStamp()).toBe(0)
      await catalogue.putLoads([], [])
      expect(await catalogue.provenanceStamp()).toBe(0)
      await catalogue.putLoads([LOAD, ...others], [])
      await catalogue.putLoads([done], [])
      await catalogue.putLoads([{ ...others[2]!, markets: ['KXA', 'KXB'] }], [])
      expect(await catalogue.loads()).toEqual([
        ...[others[0]!, others[1]!, done, { ...others[2]!, markets: ['KXA', 'KXB'] }],
        ...others.slice(3),
      ])
      const stamp = await catalogue.provenanceStamp()
      expect(await catalogue.removeLoads('pmxt-v2')).toBe(6)
      expect(await catalogue.provenanceStamp()).toBeGreaterThan(stamp)
      expect(await catalogue.loads()).toEqual([others[0]!])
      expect(await catalogue.removeLoads('pmxt-v2')).toBe(0)
    }))

  test('quality adds up by source and hour', () =>
    withStoreOf(kind, async ({ store: { catalogue } }) => {
      const later = quality(3, { hourMs: NOON + HOUR_MS })
      const other = quality(4, { source: 'ag6', hourMs: NOON + HOUR_MS })
      const tomorrow = quality(5, { hourMs: NOON + 24 * HOUR_MS })
      await catalogue.putLoads([LOAD], [later, quality(1), tomorrow, quality(9, { market: 'KXAB' })])
      const stamp = await catalogue.provenanceStamp()
      await catalogue.putLoads([LOAD], [quality(2), other])
      expect(await catalogue.provenanceStamp()).toBeGreaterThan(stamp)
      const sum = { rows: 3, bestPricesChecked: 8, bestPricesAgreed: 6, snapshotsChecked: 4, snapshotsAgreed: 2 }
      expect(await catalogue.quality('kalshi', 'KXA')).toEqual([
        {
          date: '2026-08-10',
          hours: [hour(other), { ...hour(quality(3)), ...sum, changes: 14, removals: 10 }, hour(later)],
        },
        { date: '2026-08-11', hours: [hour(tomorrow)] },
      ])
      expect(await catalogue.quality('polymarket', 'KXA')).toEqual([])
      await catalogue.removeQuality('pmxt-v2', 'kalshi', 'KXA', ['2026-08-10', '2026-08-12'])
      expect(await catalogue.quality('kalshi', 'KXA')).toEqual([
        { date: '2026-08-10', hours: [hour(other)] },
        { date: '2026-08-11', hours: [hour(tomorrow)] },
      ])
      await catalogue.removeLoads('pmxt-v2')
      expect(await catalogue.quality('kalshi', 'KXA')).toEqual([{ date: '2026-08-10', hours: [hour(other)] }])
      expect(await catalogue.quality('kalshi', 'KXAB')).toEqual([])
    }))

  test('quality goes with the date that is removed', () =>
    withStoreOf(kind, async ({ store: { catalogue } }) => {
      const key = { venue: 'kalshi', market: 'KXA', date: '2026-08-10' } as const
      const change = (head: typeof HEAD | null, revision: number) => {
        const books = { opening: null, closing: null }
        const partition = { key, before: head === null ? HEAD : null, head, books, put: [], removed: [] }
        return { venue: key.venue, market: key.market, revision, partitions: [partition] }
      }
      await catalogue.commit([change(HEAD, 0)])
      const tomorrow = quality(5, { hourMs: NOON + 24 * HOUR_MS })
      await catalogue.putLoads([], [quality(1), tomorrow])
      await catalogue.commit([change(null, 1)])
      expect(await catalogue.quality('kalshi', 'KXA')).toEqual([{ date: '2026-08-11', hours: [hour(tomorrow)] }])
    }))

  test.each([
    [{ source: 'PMXT' }],
    [{ file: 'x'.repeat(4_097) }],
    [{ checkpoint: 'x'.repeat(65_537) }],
    [{ repairs: ['x'.repeat(4_097)] }],
    [{ markets: Array.from({ length: 1_001 }, (_, i) => `KX${i}`) }],
  ])('has bounds: %#', (wrong) =>
    withStoreOf(kind, async ({ store: { catalogue } }) => {
      await expect(catalogue.putLoads([{ ...LOAD, ...wrong }], [quality(1)])).rejects.toThrow(RangeError)
      expect(await catalogue.loads()).toEqual([])
      expect(await catalogue.quality('kalshi', 'KXA')).toEqual([])
    }),
  )
})
