// Goal: each kind of store holds the provenance of an archive's files as it was written, and removes it with its
// source.

import { describe, expect, test } from 'bun:test'
import { LOAD } from '../support/import/made-loads.ts'
import { ALL_STORE_KINDS, withStoreOf } from '../support/store.ts'

describe.each([...ALL_STORE_KINDS])('provenance in a store on %s', (kind) => {
  test('of a file is what was last written, in the order in which loads began', () =>
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
      await catalogue.putLoads([])
      expect(await catalogue.provenanceStamp()).toBe(0)
      await catalogue.putLoads([LOAD, ...others])
      await catalogue.putLoads([done])
      await catalogue.putLoads([{ ...others[2]!, markets: ['KXA', 'KXB'] }])
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

  test.each([
    [{ source: 'PMXT' }],
    [{ file: 'x'.repeat(4_097) }],
    [{ checkpoint: 'x'.repeat(65_537) }],
    [{ repairs: ['x'.repeat(4_097)] }],
    [{ markets: Array.from({ length: 1_001 }, (_, i) => `KX${i}`) }],
  ])('has bounds: %#', (wrong) =>
    withStoreOf(kind, async ({ store: { catalogue } }) => {
      await expect(catalogue.putLoads([{ ...LOAD, ...wrong }])).rejects.toThrow(RangeError)
      expect(await catalogue.loads()).toEqual([])
    }),
  )

  test('holds the order of sources that was set last', () =>
    withStoreOf(kind, async ({ store: { catalogue } }) => {
      expect(await catalogue.sourceOrder()).toEqual({ archives: [], isShown: true })
      for (const isShown of [false, true]) {
        await catalogue.putSourceOrder({ archives: ['b', 'a'], isShown })
        expect(await catalogue.sourceOrder()).toEqual({ archives: ['b', 'a'], isShown })
      }
    }))
})
