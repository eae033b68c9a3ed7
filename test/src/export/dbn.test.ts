// Goal: what a reader of DBN finds is what the slow model says; sizes that DBN cannot hold are refused with the reason.

import { expect, test } from 'bun:test'
import { join } from 'node:path'
import type { DbnSchema } from '../../../workers/export/dbn/dbn-file.ts'
import { dbnStates, dbnTrades } from '../../model/export/dbn-states.ts'
import { CONDITION, NOON, priceChange } from '../../model/lines.ts'
import { loadCaptures, loadTexts, type ModelStore } from '../../model/model.ts'
import { capture, hasCaptures } from '../../support/captures.ts'
import { enrichedLines } from '../../support/compare/enriched-lines.ts'
import { type StoredBook, storedBooks } from '../../support/compare/stored-books.ts'
import { candleOf, mbpOf, readDbn } from '../../support/export/dbn-reader.ts'
import { exportMarket } from '../../support/export/export-days.ts'
import { temporaryFolder } from '../../support/server.ts'
import { type AnyStore, withStore } from '../../support/store.ts'

const NOW = Date.parse('2026-11-20T12:00:00Z')
const FLAGS = { last: 128, mbp: 16 }
const KALSHI = 'kalshi/KXGOLD15M-26AUG101900-00/2026-08-10.ndjson.gz'

const symbolOf = (book: string) => (/^\d{60,78}$/.test(book) ? `0x${BigInt(book).toString(16)}` : book)

async function written(store: AnyStore, { venue, market, book }: StoredBook, date: string, schema: DbnSchema) {
  using folder = temporaryFolder()
  await exportMarket(store, { target: 'dbn', venue, market, folder: folder.path, options: { schema } })
  const name = `${encodeURIComponent(symbolOf(book))}_${date.replaceAll('-', '')}.dbn`
  return readDbn(await Bun.file(join(folder.path, venue, schema, name)).bytes())
}

async function compareCandles(store: AnyStore, stored: StoredBook, date: string): Promise<void> {
  const { metadata, records } = await written(store, stored, date, 'ohlcv-1m')
  const trades = dbnTrades(stored.days, stored.book, date)
  const minutes = [...Map.groupBy(trades, ({ timestamp }) => Math.floor(timestamp / 60_000))]
  expect(metadata).toMatchObject({ schema: 6, types: [1, 0, 0], symbolBytes: 71, symbols: [symbolOf(stored.book)] })
  expect(metadata.start).toBe(BigInt(Date.parse(date)) * 1_000_000n)
  expect(records.every(({ length, type }) => length === 56 && type === 0x21)).toBeTrue()
  expect(records.map(({ tsEvent }) => tsEvent)).toEqual(minutes.map(([minute]) => BigInt(minute) * 60_000_000_000n))
  expect(records.map(candleOf)).toEqual(
    minutes.map(([, each]) => {
      const prices = each.map(({ price }) => price)
      const volume = each.reduce((sum, { size }) => sum + Math.round(size * 1e6), 0) / 1e6
      return { open: prices[0], high: Math.max(...prices), low: Math.min(...prices), close: prices.at(-1), volume }
    }),
  )
}

async function compareLevels(store: AnyStore, stored: StoredBook, date: string): Promise<void> {
  const { metadata, records } = await written(store, stored, date, 'mbp-10')
  expect(metadata.schema).toBe(2)
  expect(records.every(({ length, type }) => length === 368 && type === 0x0a)).toBeTrue()
  const read = records.map(mbpOf)
  expect(read.every(({ flags }) => (flags & FLAGS.last) > 0 && (flags & FLAGS.mbp) > 0)).toBeTrue()
  const states = read.filter(({ action }) => action !== 'T').map(({ record, bids, asks }) => ({ record, bids, asks }))
  expect(states).toEqual(dbnStates(stored.days, stored.book, date))
  const sides = { buy: 'B', sell: 'A', none: 'N' }
  expect(
    read.filter(({ action }) => action === 'T').map(({ record, price, size, side }) => ({ record, price, size, side })),
  ).toEqual(
    dbnTrades(stored.days, stored.book, date).map(({ record, price, size, side }) => {
      return { record, price, size, side: sides[side ?? 'none'] }
    }),
  )
}

const eachDay = async (model: ModelStore, compare: (stored: StoredBook, date: string) => Promise<void>) => {
  for (const stored of storedBooks(model)) for (const { date } of stored.days) await compare(stored, date)
}

test.each(Array.from({ length: 8 }, (_, seed) => seed + 900))('candles of random captures, seed %d', (seed) =>
  withStore(async (store) => {
    const lines = enrichedLines(seed, seed % 2 === 0, 120)
    await store.loadLines('capture', lines)
    await eachDay(loadTexts([lines.join('\n')], NOW), (stored, date) => compareCandles(store, stored, date))
  }),
)

const real = hasCaptures ? test : test.skip
real(
  'ten levels and trades of a real day',
  () =>
    withStore(async (store) => {
      const file = capture(KALSHI)
      await store.load(file)
      await eachDay(loadCaptures([file], NOW), (stored, date) => compareLevels(store, stored, date))
    }),
  120_000,
)

test('ten levels of a book that begins without a snapshot, gets deep, and is lost', () =>
  withStore(async (store) => {
    const level = (i: number) => ({
      price: (0.1 + i / 100).toFixed(2),
      size: String(i + 1),
      side: i % 2 ? 'SELL' : 'BUY',
    })
    const gap = { type: 'gap', venue: 'polymarket', asset_id: 'A', market: CONDITION }
    const lines = [
      ...Array.from({ length: 40 }, (_, i) => priceChange(i, level(i))),
      { ...gap, msg: { reason: 'reconnect', from: NOON + 41, to: NOON + 50 } },
      ...[
        priceChange(60, level(3)),
        { ...level(5), event_type: 'last_trade_price', market: CONDITION, asset_id: 'A', timestamp: String(NOON + 70) },
      ],
    ].map((line) => JSON.stringify(line))
    await store.loadLines('capture', lines)
    const model = loadTexts([lines.join('\n')], NOW)
    await eachDay(model, (stored, date) => compareLevels(store, stored, date))
  }))

test.each([
  ['0.000001', 'has the size 0.000001, which is finer than 0.01 contracts'],
  ['42949672.96', 'has the size 42949672.96, which is more than 42,949,672.95 contracts'],
])('a size of %s is refused', (size, why) =>
  withStore(async (store) => {
    await store.loadLines('capture', [JSON.stringify(priceChange(0, { price: '0.4', size }))])
    using folder = temporaryFolder()
    const asked = { target: 'dbn', venue: 'polymarket', market: CONDITION, folder: folder.path } as const
    await expect(exportMarket(store, { ...asked, options: { schema: 'mbp-10' } })).rejects.toThrow(why)
    // Nothing was written, so the folder is as good for another schema.
    expect(await exportMarket(store, { ...asked, options: { schema: 'ohlcv-1s' } })).toMatchObject({ files: 1 })
    await expect(exportMarket(store, { ...asked, options: { schema: 'ohlcv-1h' } })).rejects.toThrow(
      '--schema ohlcv-1s',
    )
  }),
)
