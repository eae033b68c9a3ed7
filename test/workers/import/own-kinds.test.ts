// Goal: an own recording of books alone does not keep an archive's trades out, nor one of trades alone its books.

import { expect, test } from 'bun:test'
import { rawFrames } from '../../../workers/import/formats/raw-frames.ts'
import { book, CONDITION, DAY, NOON, NOW, priceChange } from '../../model/lines.ts'
import { importText } from '../../support/import/import-text.ts'
import { type TestStore, withStore } from '../../support/store.ts'

const END = 600_000
const every = (step: number) => Array.from({ length: END / step + 1 }, (_, i) => i * step)
const tradeAt = (ms: number) => ({
  ...{ event_type: 'last_trade_price', market: CONDITION, asset_id: 'A', price: '0.4', size: '7', side: 'BUY' },
  timestamp: String(NOON + ms),
})
const changeAt = (ms: number) => priceChange(ms, { price: '0.4', size: String(5 + (ms % 9)) })
const textOf = (lines: object[]) => lines.map((line) => JSON.stringify(line))

const [TRADES, CHANGES] = [every(10_000).map(tradeAt), every(6_000).map(changeAt)]
const BOOKS = [book(0, [['0.4', '5']], []), ...every(2_000).map((ms) => priceChange(ms, { price: '0.3', size: '1' }))]

async function countsIn(store: TestStore) {
  const types = (await store.records('polymarket', CONDITION, DAY)).map(({ type }) => type)
  return ['snapshot', 'delta', 'trade'].map((each) => types.filter((type) => type === each).length)
}

const load = (store: TestStore, name: string, lines: object[]) =>
  importText(store, rawFrames, name, `${textOf(lines).join('\n')}\n`, { loadingMs: NOW })

test('over own books: trades are loaded, also those of a second file, and changes are not', () =>
  withStore(async (store) => {
    await store.loadLines('own.ndjson', textOf(BOOKS))
    const [first, second] = [TRADES.slice(0, 30), [...TRADES.slice(30), ...CHANGES]]
    expect(await load(store, 'first.ndjson', first)).toMatchObject({ leftOut: 0, recordsAdded: first.length })
    // The blocks have trades now, which are the archive's.
    expect(await load(store, 'second.ndjson', second)).toMatchObject({
      ...{ leftOut: CHANGES.length, recordsAdded: TRADES.length - 30 },
    })
    expect(await countsIn(store)).toEqual([1, BOOKS.length - 1, TRADES.length])
    const all = [...first, ...second]
    expect(await load(store, 'all.ndjson', all)).toMatchObject({ leftOut: CHANGES.length, recordsAdded: 0 })
  }))

test('over own trades: changes are loaded, and trades are not', () =>
  withStore(async (store) => {
    await store.loadLines('own.ndjson', textOf(TRADES))
    const others = TRADES.map((trade) => ({ ...trade, size: '8' }))
    expect(await load(store, 'books.ndjson', CHANGES.slice(0, 40))).toMatchObject({ leftOut: 0, recordsAdded: 40 })
    expect(await load(store, 'all.ndjson', [...others, ...CHANGES])).toMatchObject({
      ...{ leftOut: TRADES.length, recordsAdded: CHANGES.length - 40 },
    })
    expect(await countsIn(store)).toEqual([0, CHANGES.length, TRADES.length])
  }))

test('over both, one trade of the day is enough: the others are left out too', () =>
  withStore(async (store) => {
    await store.loadLines('own.ndjson', textOf([...BOOKS.slice(0, 1), tradeAt(0), ...BOOKS.slice(1)]))
    expect(await load(store, 'all.ndjson', TRADES)).toMatchObject({ leftOut: TRADES.length, recordsAdded: 0 })
  }))
