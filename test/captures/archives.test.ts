// Loads archives of other recorders without losing a line.

import { describe, expect, test } from 'bun:test'
import { capture, hasCaptures } from '../support/captures.ts'
import { withStore } from '../support/store.ts'
import { allRecords } from './capture-text.ts'

describe.skipIf(!hasCaptures)('an archive', () => {
  test('of raw frames as text, with a clock in nanoseconds', () =>
    withStore(async (store) => {
      const [report] = await store.load(capture('archives/kalshi-frames/2026-04-18.jsonl'))
      expect(report).toMatchObject({ lines: 74, records: 69, rejected: 0, skipped: { subscribed: 2, error: 3 } })
      const records = Object.values(await allRecords(store)).flat()
      expect(records.filter(({ type }) => type === 'snapshot').length).toBe(8)
      expect(records.every(({ received_at }) => received_at !== null)).toBe(true)
    }))

  test('of books from a REST API', () =>
    withStore(async (store) => {
      const [report] = await store.load(capture('archives/rest-books-2026-07-23/polymarket.ndjson'))
      expect(report).toMatchObject({ records: 100, rejected: 0 })
    }))
})
