// The output of `export` and of the raw endpoints can be loaded again. A new store then has the same records, and the
// store that printed them does not change.

import { describe, expect, test } from 'bun:test'
import { capture, hasCaptures } from '../support/captures.ts'
import { dateRequest, type TestStore, withStore } from '../support/store.ts'
import * as text from './capture-text.ts'

const printed = async (store: TestStore) =>
  Object.values(await text.allRecords(store)).map((records) => records.map((record) => JSON.stringify(record)))

async function summaries(store: TestStore): Promise<unknown[]> {
  const found: unknown[] = []
  for (const { venue, market } of await text.marketsOf(store)) {
    for (const { date, head } of await store.store.catalogue.heads(venue, market)) {
      for (const { id } of head.books) found.push(await store.summary(dateRequest(venue, market, id, date, 60)))
    }
  }
  return found
}

describe.skipIf(!hasCaptures)('printed records', () => {
  test.each([text.KALSHI_QUIET, text.KALSHI_RECONNECT, text.FED, text.JOKIC, text.CHANGES])('of %s', async (path) => {
    await withStore(async (store) => {
      await store.load(capture(path))
      const lines = await printed(store)
      for (const [index, market] of lines.entries()) {
        const report = await store.loadLines(`again-${index}.ndjson`, market)
        expect(report).toMatchObject({ recordsAdded: 0, partitionsChanged: 0, rejected: 0 })
      }
      await withStore(async (copy) => {
        for (const [index, market] of lines.entries()) await copy.loadLines(`copy-${index}.ndjson`, market)
        expect(Bun.deepEquals(await text.allRecords(copy), await text.allRecords(store))).toBe(true)
        expect(Bun.deepEquals(await summaries(copy), await summaries(store))).toBe(true)
      })
    })
  })
})
