// Goal: every kind of store holds audits as a set by market, date and book. Removing a date removes its audits.

import { describe, expect, test } from 'bun:test'
import { type Audit, countAudits } from '../../storage/finding/audits.ts'
import { HEAD } from '../support/made-markets.ts'
import { ALL_STORE_KINDS, withStore, withStoreOf } from '../support/store.ts'

const KEY = { venue: 'kalshi', market: 'KXA', date: '2026-08-10' } as const
const US = Date.UTC(2026, 7, 10, 12) * 1_000
const audit = (offset: number, result: Audit['result'], book: string | null = null): Audit => ({
  ...{ atUs: US + offset, book, result },
})

describe.each([...ALL_STORE_KINDS])('audits in a store on %s', (kind) => {
  test('are stored once, ordered by time', () =>
    withStoreOf(kind, async ({ store: { catalogue } }) => {
      await catalogue.putAudits([{ ...KEY, audits: [audit(5, 'exact'), audit(5, 'exact'), audit(2, 'inconsistent')] }])
      await catalogue.putAudits([{ ...KEY, audits: [audit(5, 'exact'), audit(3, 'undecidable')] }])
      await catalogue.putAudits([{ ...KEY, date: '2026-08-09', audits: [audit(-9, 'consistent')] }])
      await catalogue.putAudits([{ ...KEY, market: 'KXAB', audits: [audit(1, 'exact')] }])
      expect(await catalogue.audits('kalshi', 'KXA')).toEqual([
        { ...KEY, date: '2026-08-09', audits: [audit(-9, 'consistent')] },
        { ...KEY, audits: [audit(2, 'inconsistent'), audit(3, 'undecidable'), audit(5, 'exact')] },
      ])
      expect(await catalogue.audits('polymarket', 'KXA')).toEqual([])
    }))

  test('belong to one book each', () =>
    withStoreOf(kind, async ({ store: { catalogue } }) => {
      const audits = [audit(1, 'exact', '101'), audit(1, 'exact', '202'), audit(1, 'inconsistent', '202')]
      await catalogue.putAudits([{ ...KEY, audits }])
      await catalogue.putAudits([{ ...KEY, audits: audits.toReversed() }])
      const [day] = await catalogue.audits('kalshi', 'KXA')
      expect(countAudits(day!.audits)).toEqual({ exact: 2, consistent: 0, inconsistent: 1, undecidable: 0 })
    }))

  test('are removed with their date', () =>
    withStoreOf(kind, async ({ store: { catalogue } }) => {
      const change = (head: typeof HEAD | null, revision: number) => {
        const books = { opening: null, closing: null }
        const partition = { key: KEY, before: head === null ? HEAD : null, head, books, put: [], removed: [] }
        return { venue: KEY.venue, market: KEY.market, revision, partitions: [partition] }
      }
      await catalogue.commit([change(HEAD, 0)])
      await catalogue.putAudits(
        [KEY, { ...KEY, date: '2026-08-11' }].map((key) => ({ ...key, audits: [audit(1, 'exact')] })),
      )
      await catalogue.commit([change(null, 1)])
      expect((await catalogue.audits('kalshi', 'KXA')).map(({ date }) => date)).toEqual(['2026-08-11'])
    }))
})

test('a segment’s audits are stored once, however often it is loaded; invalid audit lines are skipped', () =>
  withStore(async (store) => {
    const base = { backbook: 'audit', at_ns: US * 1_000, venue: 'kalshi', market: 'kxa', result: 'exact' }
    const wrong = [{ result: 'fine' }, { at_ns: 'now' }, { market: '' }, { venue: 'else' }].map((part) => ({
      ...base,
      ...part,
    }))
    const book = { ...base, venue: 'polymarket', market: `0x${'AB'.repeat(32)}`, asset_id: '101', result: 'consistent' }
    const lines = [base, base, book, ...wrong].map((line) => JSON.stringify(line))
    for (const name of ['one.ndjson', 'two.ndjson']) {
      expect(await store.loadLines(name, lines)).toMatchObject({ skipped: { 'backbook audit': 7 }, rejected: 0 })
    }
    expect(await store.store.catalogue.audits('kalshi', 'KXA')).toEqual([{ ...KEY, audits: [audit(0, 'exact')] }])
    expect(await store.store.catalogue.audits('polymarket', `0x${'ab'.repeat(32)}`)).toMatchObject([
      { date: KEY.date, audits: [{ book: '101', result: 'consistent' }] },
    ])
  }))
