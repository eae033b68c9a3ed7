// Goal: whatever goes missing of what search and calendar answer from, `verify` says so.

import { expect, test } from 'bun:test'
import { openEnvironment } from '../../../storage/lmdb/environment.ts'
import { DAY, kalshiTrade, NOON, TICKER } from '../../model/lines.ts'
import { LOAD } from '../../support/import/made-loads.ts'
import { type TestStore, withStore } from '../../support/store.ts'

const EVENT = {
  event: { event_ticker: 'KXTEST', title: 'Tests' },
  markets: [{ ticker: TICKER, event_ticker: 'KXTEST', title: 'Is this a test?' }],
}

const AUDITS = {
  ...({ venue: 'kalshi', market: TICKER, date: DAY } as const),
  audits: [{ atUs: NOON * 1_000, book: null, result: 'exact' as const }],
}

const withMarket = (run: (store: TestStore) => Promise<void>) =>
  withStore(async (store) => {
    await store.loadLines(
      'c.ndjson',
      [kalshiTrade(0, '1'), EVENT].map((line) => JSON.stringify(line)),
    )
    await run(store)
  })

test.each(['sums', 'days', 'number', 'name', 'last', 'words', 'member', 'count'])('without %s', (kind) =>
  withMarket(async (store) => {
    expect(await store.store.maintenance.valueDamage()).toEqual([])
    const { databases, close } = openEnvironment(store.folder)
    const keys = [...databases.finding.getKeys({})].filter((key) => (key as string[])[0] === kind)
    expect(keys).not.toEqual([])
    databases.root.transactionSync(() => void databases.finding.removeSync(keys[0]!))
    store.store.refresh()
    expect((await store.store.maintenance.valueDamage()).join()).toMatch(
      /^The index behind .* differs from what is stored/,
    )
    await close()
  }),
)

test.each(['audit', 'load'])('%s that is damaged', (kind) =>
  withMarket(async (store) => {
    await store.store.catalogue.putAudits([AUDITS])
    await store.store.catalogue.putLoads([LOAD])
    const { databases, close } = openEnvironment(store.folder)
    const key = [...databases.metadata.getKeys({ start: [kind, ''] })][0] as string[]
    expect(key[0]).toBe(kind)
    const bytes = Uint8Array.from(databases.metadata.get(key)!)
    bytes[bytes.length - 1]! ^= 1
    databases.root.transactionSync(() => void databases.metadata.putSync(key, bytes))
    store.store.refresh()
    expect(await store.store.maintenance.valueDamage()).toEqual([
      expect.stringContaining(`The stored entry ${key.join(' ')} of metadata is damaged`),
    ])
    await close()
  }),
)
