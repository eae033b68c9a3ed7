// Goal: the data set matches the slow model for each book, and the API's answers for trades, candles and depth.

import { describe, expect, test } from 'bun:test'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { asyncBufferFromFile, parquetReadObjects } from 'hyparquet'
import { compressors } from 'hyparquet-compressors'
import { type DatasetChange, datasetChanges } from '../../test/model/export/dataset-changes.ts'
import { CONDITION, DAY, NOON, book as snapshot } from '../../test/model/lines.ts'
import { loadCaptures, loadTexts, type ModelStore } from '../../test/model/model.ts'
import { seeds } from '../../test/run/effort.ts'
import { allCaptures, capture } from '../../test/support/captures.ts'
import { ASSETS } from '../../test/support/command-store.ts'
import { enrichedLines } from '../../test/support/compare/enriched-lines.ts'
import { storeAsk } from '../../test/support/compare/store-ask.ts'
import { bookQuery, marketQuery, type StoredBook, storedBooks } from '../../test/support/compare/stored-books.ts'
import { exportMarket } from '../../test/support/export/export-days.ts'
import { temporaryFolder } from '../../test/support/server.ts'
import { type AnyStore, withStore } from '../../test/support/store.ts'

const NOW = Date.parse('2026-11-20T12:00:00Z')
const CAPTURES = ['polymarket/fed-no-change-2026-07-20.ndjson']

type Row = Record<string, unknown>

/** Converts a Date to µs, a bigint to a number, and undefined to null. */
const plain = (value: unknown) =>
  value instanceof Date ? value.getTime() * 1_000 : typeof value === 'bigint' ? Number(value) : (value ?? null)

type Of = Pick<StoredBook, 'venue' | 'market'>

async function rowsOf(folder: string, kind: string, { venue, market }: Of, date: string, file: string) {
  const path = join(
    folder,
    kind,
    `venue=${venue}`,
    `market=${market}`,
    `date=${date}`,
    `${encodeURIComponent(file)}.parquet`,
  )
  if (!existsSync(path)) return undefined
  const micros = { timestampFromMicroseconds: (us: bigint) => us }
  const rows: Row[] = await parquetReadObjects({ file: await asyncBufferFromFile(path), compressors, parsers: micros })
  return rows.map((row) => Object.fromEntries(Object.entries(row).map(([name, value]) => [name, plain(value)])))
}

/** Keeps only the last row of a record for each level, and drops it if the level is unchanged. Sorts the levels. */
function settled(rows: readonly Row[]): Row[] {
  const last = new Map(rows.map((row) => [`${row['record']} ${row['kind']} ${row['side']} ${row['price']}`, row]))
  const order = (row: Row) => [row['record'] ?? -1, row['side'] === 'bid' ? 0 : 1, row['price']] as number[]
  const inOrder = [...last.values()].sort((one, other) => {
    const [a, b] = [order(one), order(other)]
    return a.map((value, i) => value - b[i]!).find((difference) => difference !== 0) ?? 0
  })
  const levels = new Map<string, unknown>()
  return inOrder.filter(({ side, price, size }) => {
    const level = `${side} ${price}`
    const isSame = side !== 'none' && (levels.get(level) ?? 0) === size
    levels.set(level, size)
    return !isSame
  })
}

async function compareAll(store: AnyStore, model: ModelStore): Promise<void> {
  using folder = temporaryFolder()
  const books = storedBooks(model)
  const ask = storeAsk(store, NOW)
  for (const { venue, market } of books) {
    await exportMarket(store, { target: 'parquet-dataset', venue, market, folder: folder.path })
  }
  for (const stored of books) {
    const { venue, book, days } = stored
    for (const { date } of days) {
      const changes = (await rowsOf(folder.path, 'changes', stored, date, book)) ?? []
      expect(changes.every((row) => row['book'] === book)).toBeTrue()
      const rowsWithoutBook = changes.map(({ book: _, ...row }) => row)
      expect(settled(rowsWithoutBook)).toEqual(settled(datasetChanges(days, book, date) as (DatasetChange & Row)[]))
      const trades = (await rowsOf(folder.path, 'trades', stored, date, 'trades')) ?? []
      const answered = (await ask(`/${venue}/market/trades`, { ...marketQuery(stored), date, limit: '100000' })) as {
        data: Row[]
      }
      expect(trades.map(({ price, size, record }) => [price, size, record])).toEqual(
        answered.data.map(({ price, size, record }) => [price, size, record]),
      )
      const minutes = { ...bookQuery(stored), date, resolution: '60', fill: 'none' }
      const depth = (await ask(`/${venue}/market/depth-summary`, minutes)) as { data: Row[] }
      const stairs = (await rowsOf(folder.path, 'depth-1m', stored, date, book)) ?? []
      expect(stairs.map((row) => row['bid_depth'])).toEqual(depth.data.map((row) => row['bid_depth']))
    }
  }
}

describe.each(
  allCaptures()
    .filter((file) => CAPTURES.includes(file.slice(capture('').length + 1)))
    .map((file) => [file]),
)('%s', (file) => {
  test('every row is the model’s', () =>
    withStore(async (store) => {
      await store.load(file)
      await compareAll(store, loadCaptures([file], NOW))
    }))
})

test.each(seeds(500, 2, 12))('random captures, seed %d', (seed) =>
  withStore(async (store) => {
    const lines = enrichedLines(seed, seed % 2 === 0, 150)
    await store.loadLines('capture', lines)
    await compareAll(store, loadTexts([lines.join('\n')], NOW))
  }),
)

test('an export of one token has only the rows of the token in every file', () =>
  withStore(async (store) => {
    using folder = temporaryFolder()
    const trades = ASSETS.map((asset_id) => {
      const message = { event_type: 'last_trade_price', market: CONDITION, timestamp: `${NOON + 900}` }
      return { ...message, asset_id, price: '0.45', size: '2', side: 'BUY' }
    })
    const books = ASSETS.map((asset) => snapshot(0, [['0.40', '10']], [['0.45', '20']], asset))
    await store.loadLines(
      'capture',
      [...books, ...trades].map((line) => JSON.stringify(line)),
    )
    const of = { venue: 'polymarket', market: CONDITION } as const
    const [other, assetId] = ASSETS
    await exportMarket(store, { target: 'parquet-dataset', ...of, folder: folder.path, assetId })
    const files = { 'candles-1s': 'candles', trades: 'trades', changes: assetId }
    for (const [kind, file] of Object.entries(files)) {
      const rows = (await rowsOf(folder.path, kind, of, DAY, file)) ?? []
      expect([kind, [...new Set(rows.map((row) => row['book']))]]).toEqual([kind, [assetId]])
    }
    expect(await rowsOf(folder.path, 'changes', of, DAY, other)).toBeUndefined()
  }))
