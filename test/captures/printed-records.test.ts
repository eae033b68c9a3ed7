// Goal: what `export` and the raw endpoints print can be loaded again: into a new store it gives the same store, into its
// own it changes nothing.

import { describe, expect, test } from 'bun:test'
import { capture, hasCaptures } from '../support/captures.ts'
import { dateRequest, type TestStore, withStore } from '../support/store.ts'
import * as text from './capture-text.ts'

const printed = (store: TestStore) =>
  Object.values(text.allRecords(store)).map((records) => records.map((record) => JSON.stringify(record)))

const summaries = (store: TestStore) =>
  text
    .marketsOf(store)
    .flatMap(({ venue, market }) =>
      store.store.catalogue
        .heads(venue, market)
        .flatMap(({ date, head }) =>
          head.books.map(({ id }) => store.summary(dateRequest(venue, market, id, date, 60))),
        ),
    )

describe.skipIf(!hasCaptures)('printed records', () => {
  test.each([text.KALSHI_QUIET, text.KALSHI_RECONNECT, text.FED, text.JOKIC, text.CHANGES])('of %s', async (path) => {
    await withStore(async (store) => {
      await store.load(capture(path))
      const lines = printed(store)
      for (const [index, market] of lines.entries()) {
        const report = await store.loadLines(`again-${index}.ndjson`, market)
        expect(report).toMatchObject({ recordsAdded: 0, partitionsChanged: 0, rejected: 0 })
      }
      await withStore(async (copy) => {
        for (const [index, market] of lines.entries()) await copy.loadLines(`copy-${index}.ndjson`, market)
        expect(Bun.deepEquals(text.allRecords(copy), text.allRecords(store))).toBe(true)
        expect(Bun.deepEquals(summaries(copy), summaries(store))).toBe(true)
      })
    })
  })
})
