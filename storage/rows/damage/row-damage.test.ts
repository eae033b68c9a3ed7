// `verify` reports each missing or damaged row that lists, searches and calendars need.

import { expect, test } from 'bun:test'
import { DAY, kalshiTrade, NOON, TICKER } from '../../../test/model/lines.ts'
import { searchDamageIn } from '../../../test/support/finding/search-damage.ts'
import { LOAD } from '../../../test/support/import/made-loads.ts'
import { type TestStore, withStore } from '../../../test/support/store.ts'
import { openEnvironment } from '../../lmdb/environment.ts'
import { LmdbRows } from '../../lmdb/lmdb-rows.ts'
import { below } from '../keys.ts'

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

/** Changes the first row of a kind; without `change`, removes it. */
async function changeRow(store: TestStore, kind: string, change?: (value: Uint8Array) => void): Promise<void> {
  const { databases, close } = openEnvironment(store.folder)
  const rows = new LmdbRows(databases, store.folder)
  const [row] = await rows.range({ ...below(kind), limit: 1 })
  change?.(row!.value)
  await rows.commit({ expect: [], put: change ? [row!] : [], remove: change ? [] : [row!.key] })
  await close()
  store.store.refresh()
}

const damageOf = (store: TestStore) => store.store.maintenance.valueDamage()

test('nothing is damaged', () => withMarket(async (store) => expect(await damageOf(store)).toEqual([])))

test.each([
  ['m', `The kalshi market ${TICKER} has days and no entry`],
  ['d', `The entry of the kalshi market ${TICKER} has 1 days from ${DAY} to ${DAY}, the store has 0 days`],
  ['a', `The index behind markets/active on ${DAY} differs from what is stored`],
  ['s', `The index behind calendar on ${DAY} differs from what is stored`],
  ['v', 'The store counts 0 markets, but has entries for 1'],
])('without a row of kind %s', (kind, sentence) =>
  withMarket(async (store) => {
    await changeRow(store, kind)
    expect((await damageOf(store)).join()).toContain(sentence)
  }),
)

test.each([
  ['k', `The index behind search about the kalshi market ${TICKER} differs from what is stored`],
  ['n', `The index behind search about the kalshi market ${TICKER} differs from what is stored`],
  ['t', `The index behind search about the kalshi market ${TICKER} differs from what is stored`],
  ['w', 'The index behind search differs from what is stored'],
  ['x', 'The index behind events differs from what is stored'],
  ['c', 'The index behind the event KXTEST differs from what is stored'],
])('the index of a search without a row of kind %s', (kind, sentence) =>
  withMarket(async (store) => {
    expect(await searchDamageIn(store.folder)).toEqual([])
    await changeRow(store, kind)
    expect((await searchDamageIn(store.folder)).join()).toContain(sentence)
  }),
)

test.each([
  ['m', `entry of the kalshi market ${TICKER}`],
  ['k', `number of the kalshi market ${TICKER}`],
  ['n', 'name of the market 1 of kalshi'],
  ['t', 'newest days of kalshi'],
  ['w', 'index of the words of kalshi'],
  ['a', `counts of the kalshi market ${TICKER} on ${DAY}`],
  ['s', `sums of kalshi on ${DAY}`],
  ['v', 'counters of kalshi'],
  ['c', `metadata of the kalshi market or event ${TICKER}`],
  ['e', 'metadata of the kalshi market or event KXTEST'],
  ['u', `audits of the kalshi market ${TICKER} on ${DAY}`],
  ['l', `entry of a file of ${LOAD.source}`],
  ['g', 'answer about the event slug a-slug'],
  ['z', 'value cursor_secret of the whole store'],
])('a damaged row of kind %s', (kind, what) =>
  withMarket(async (store) => {
    const { catalogue } = store.store
    await catalogue.putAudits([AUDITS])
    await catalogue.putLoads([LOAD])
    await catalogue.putSlugs({ events: [{ event: { slug: 'a-slug', title: '' }, markets: [] }], markets: [] })
    await changeRow(store, kind, (value) => {
      value[value.length - 1]! ^= 1
    })
    expect((await damageOf(store)).join()).toContain(`The stored ${what} is damaged: it does not match its checksum`)
  }),
)
