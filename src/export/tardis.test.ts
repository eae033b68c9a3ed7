// long: whole days go through several formats
// Goal: Tardis' files match the slow model's rows for the records, row by row.

import { describe, expect, test } from 'bun:test'
import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { type TardisFiles, tardisFiles } from '../../test/model/export/tardis-files.ts'
import { kalshiDelta, kalshiSnapshot, TICKER } from '../../test/model/lines.ts'
import { loadCaptures, loadTexts, type ModelStore } from '../../test/model/model.ts'
import { kalshiFill } from '../../test/model/questions/made-lines.ts'
import { seeds } from '../../test/run/effort.ts'
import { allCaptures, capture } from '../../test/support/captures.ts'
import { enrichedLines } from '../../test/support/compare/enriched-lines.ts'
import { storedBooks } from '../../test/support/compare/stored-books.ts'
import { exportMarket } from '../../test/support/export/export-days.ts'
import { temporaryFolder } from '../../test/support/server.ts'
import { type AnyStore, withStore } from '../../test/support/store.ts'
import { UNSEEN_BOOK } from './target.ts'

const NOW = Date.parse('2026-11-20T12:00:00Z')
const CAPTURE_BYTES_MAX = 150_000
const TYPES = ['incremental_book_L2', 'book_snapshot_25', 'quotes', 'trades'] as const
const HEADERS = {
  incremental_book_L2: 'exchange,symbol,timestamp,local_timestamp,is_snapshot,side,price,amount',
  book_snapshot_25: /^exchange,symbol,timestamp,local_timestamp,asks\[0\]\.price,asks\[0\]\.amount,bids\[0\]\.price,/,
  quotes: 'exchange,symbol,timestamp,local_timestamp,ask_amount,ask_price,bid_price,bid_amount',
  trades: 'exchange,symbol,timestamp,local_timestamp,id,side,price,amount',
}

/** Returns the rows of a file without exchange and symbol, after checking that both are the requested ones. */
async function rowsOf(folder: string, venue: string, type: keyof TardisFiles, date: string, book: string) {
  const path = join(folder, venue, type, ...date.split('-'), `${book}.csv.gz`)
  const [header, ...rows] = new TextDecoder().decode(Bun.gunzipSync(await Bun.file(path).bytes())).split('\n')
  expect(header).toMatch(HEADERS[type])
  expect(rows.pop()).toBe('')
  return rows.map((row) => {
    const start = `${venue},${book},`
    expect(row.slice(0, start.length)).toBe(start)
    return row.slice(start.length)
  })
}

async function compareAll(store: AnyStore, model: ModelStore): Promise<void> {
  using folder = temporaryFolder()
  const books = storedBooks(model)
  for (const { venue, market } of books)
    await exportMarket(store, { target: 'tardis', venue, market, folder: folder.path })
  for (const { venue, book, days } of books) {
    for (const { date } of days) {
      const expected = tardisFiles(days, book, date)
      for (const type of TYPES) {
        const rows = await rowsOf(folder.path, venue, type, date, book).catch(() => [])
        expect([date, type, rows]).toEqual([date, type, expected[type]])
      }
    }
  }
}

/** Captures that are small enough for the model to read within the test's time. The largest takes a minute. */
const CAPTURES = allCaptures().filter((file) => statSync(file).size <= CAPTURE_BYTES_MAX)

describe.each(CAPTURES.map((file) => [file.slice(capture('').length), file]))('%s', (_, file) => {
  test(
    'every row is the model’s',
    () =>
      withStore(async (store) => {
        await store.load(file)
        await compareAll(store, loadCaptures([file], NOW))
      }),
    120_000,
  )
})

test.each(seeds(300, 2, 16))('random captures, seed %d', (seed) =>
  withStore(async (store) => {
    const lines = enrichedLines(seed, seed % 2 === 0, 150)
    await store.loadLines('capture', lines)
    await compareAll(store, loadTexts([lines.join('\n')], NOW))
  }),
)

test('the counts that are printed are those of the rows', () =>
  withStore(async (store) => {
    using folder = temporaryFolder()
    const messages = [
      ...[kalshiDelta(0, '0.3', '1'), kalshiSnapshot([['0.4', '5']], [['0.5', '5']]), kalshiDelta(2, '0.39', '1')],
      ...[kalshiDelta(3, '0.41', '1'), kalshiDelta(4, '0.38', '2')],
      ...[1, 2, 3, 4, 5, 6, 7].map((ms) => kalshiFill(10 + ms, '0.41', '1', 'yes')),
    ]
    await store.loadLines(
      'counts',
      messages.map((message) => JSON.stringify(message)),
    )
    const { figures } = await exportMarket(store, {
      ...{ target: 'tardis', venue: 'kalshi', market: TICKER, folder: folder.path },
    })
    const rows = await Promise.all(TYPES.map((type) => rowsOf(folder.path, 'kalshi', type, '2026-08-10', TICKER)))
    const [changes, snapshots, quotes, trades] = rows.map(({ length }) => length)
    expect(new Set([changes, snapshots, quotes, trades]).size).toBe(4)
    expect(figures).toEqual({
      ...{ changes: changes!, 'book snapshots': snapshots!, quotes: quotes!, trades: trades! },
      ...{ 'receive times moved': 0, [UNSEEN_BOOK]: 1 },
    })
  }))

test('a file is one member of gzip, however long it is', () =>
  withStore(async (store) => {
    using folder = temporaryFolder()
    const change = (i: number) =>
      JSON.stringify({
        event_type: 'price_change',
        market: `0x${'ab'.repeat(32)}`,
        timestamp: String(Date.parse('2026-08-10T12:00:00Z') + i),
        price_changes: [{ asset_id: '7', price: '0.5', size: String(i + 1), side: 'BUY' }],
      })
    await store.loadLines(
      'long',
      Array.from({ length: 30_000 }, (_, i) => change(i)),
    )
    const market = `0x${'ab'.repeat(32)}`
    await exportMarket(store, { target: 'tardis', venue: 'polymarket', market, folder: folder.path })
    const path = join(folder.path, 'polymarket/incremental_book_L2/2026/08/10/7.csv.gz')
    const bytes = await Bun.file(path).bytes()
    expect(readdirSync(join(folder.path, 'polymarket')).sort()).toEqual([...TYPES].sort())
    expect(new TextDecoder().decode(Bun.gunzipSync(bytes)).split('\n')).toHaveLength(30_002)
    // The last four bytes state the length of one gzip member, so the file has only one.
    expect(new DataView(bytes.buffer, bytes.byteOffset + bytes.length - 4).getUint32(0, true)).toBe(
      Bun.gunzipSync(bytes).length,
    )
  }))
