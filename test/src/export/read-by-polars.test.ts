// Goal: polars scans a data set with one glob, and gets the counts and sums of our own answers. From a Nautilus catalog
// it gets the same rows and times as our own reader. Skips if polars is not installed, and says so.

import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import { Glob } from 'bun'
import { isPolarsInstalled, loadPolars, type Polars, type PolarsScan } from '../../../bench/peers/installed-peers.ts'
import { loadTexts } from '../../model/model.ts'
import type { Ask } from '../../model/questions/model-ask.ts'
import { isPresent } from '../../run/missing.ts'
import { storeAsk } from '../../support/compare/store-ask.ts'
import { bookQuery, marketQuery, type StoredBook, storedBooks } from '../../support/compare/stored-books.ts'
import { randomLines } from '../../support/export/compared-days.ts'
import { exportMarket } from '../../support/export/export-days.ts'
import { readCatalogFile } from '../../support/export/nautilus-reader.ts'
import { temporaryFolder } from '../../support/server.ts'
import { TestStore } from '../../support/store.ts'

isPresent(isPolarsInstalled(), 'polars (bun run bench:peers)')

const NOW = Date.parse('2026-11-20T12:00:00Z')
const LINES = randomLines(7, true, 400)

type Row = Record<string, unknown>
type Book = { bids: [number, number][]; asks: [number, number][] }

/** Rows of a data set, and the endpoint that answers the same rows, for a market or for each of its books. */
const ANSWERED = [
  { rows: 'trades', of: 'market', path: 'trades', query: { limit: '100000' }, sums: ['price', 'size', 'record'] },
  {
    ...{ rows: 'candles-1s', of: 'book', path: 'orderbook-summary', query: { resolution: '1', fill: 'none' } },
    sums: ['quote_count', 'best_bid', 'best_ask_size', 'mid_price'],
  },
  {
    ...{ rows: 'depth-1m', of: 'book', path: 'depth-summary', query: { resolution: '60', fill: 'none' } },
    sums: ['bid_depth', 'ask_depth', 'bid_level_count'],
  },
]

const folder = temporaryFolder()
const books = storedBooks(loadTexts([LINES.join('\n')], NOW))
const marketsOf = (stored: StoredBook[]) => [...new Map(stored.map((each) => [each.market, each])).values()]
let tested: TestStore
let ask: Ask
let polars: Polars

const scan = (rows: string, venue: string): PolarsScan =>
  polars.scanParquet(join(folder.path, `dataset/${rows}/venue=${venue}/**/*.parquet`), { hivePartitioning: true })

/** Counts rows and adds values by day. Doubles that are added in another order differ in their last digits. */
class Totals {
  readonly byDay: Record<string, Record<string, number>> = {}
  readonly #sums: string[]

  constructor(sums: string[]) {
    this.#sums = sums
  }

  add({ venue, market, date }: Row, count: number, row: Row): void {
    const day = `${venue} ${market} ${date instanceof Date ? date.toISOString().slice(0, 10) : date}`
    this.byDay[day] ??= Object.fromEntries(['rows', ...this.#sums].map((name) => [name, 0]))
    const totals = this.byDay[day]
    for (const name of this.#sums) totals[name] = Math.round((totals[name]! + Number(row[name] ?? 0)) * 1e6) / 1e6
    totals['rows']! += count
  }
}

afterAll(() => folder[Symbol.dispose]())

describe.skipIf(!isPolarsInstalled())('polars', () => {
  beforeAll(async () => {
    polars = await loadPolars()
    tested = new TestStore()
    await tested.loadLines('capture', LINES)
    ask = storeAsk(tested, NOW)
    for (const { venue, market } of marketsOf(books)) {
      await exportMarket(tested, { target: 'parquet-dataset', venue, market, folder: join(folder.path, 'dataset') })
      await exportMarket(tested, { target: 'nautilus', venue, market, folder: join(folder.path, 'nautilus') })
    }
  })
  afterAll(() => tested.close())

  describe.each(['kalshi', 'polymarket'])('of %s', (venue) => {
    const ofVenue = books.filter((stored) => stored.venue === venue)

    test.each(ANSWERED)('$rows has what $path answers', async ({ rows, of, path, query, sums }) => {
      const read = await scan(rows, venue)
        .groupBy(['venue', 'market', 'date'])
        .agg(polars.len().alias('rows'), ...sums.map((name) => polars.col(name).sum()))
        .collect()
      const fromFiles = new Totals(sums)
      for (const row of read.toRecords()) fromFiles.add(row, row['rows'] as number, row)
      const answered = new Totals(sums)
      for (const stored of of === 'market' ? marketsOf(ofVenue) : ofVenue) {
        const named = of === 'market' ? marketQuery(stored) : bookQuery(stored)
        for (const { date } of stored.days) {
          const { data } = (await ask(`/${venue}/market/${path}`, { ...query, ...named, date })) as { data: Row[] }
          for (const row of data) answered.add({ ...stored, date }, 1, row)
        }
      }
      expect(Object.keys(answered.byDay).length).toBeGreaterThan(3)
      expect(fromFiles.byDay).toEqual(answered.byDay)
    })

    test('the last changes of a date lead to the book at its end', async () => {
      const levels = await scan('changes', venue)
        .groupBy(['venue', 'market', 'date', 'book', 'side', 'price'])
        .agg(polars.col('size').last())
        .filter(polars.col('size').gt(0))
        .collect()
      const fromFiles = new Totals(['size'])
      const nameOf = (row: Row) => ({ ...row, market: `${row['market']} ${row['book']} ${row['side']}` })
      for (const row of levels.toRecords()) fromFiles.add(nameOf(row), 1, row)
      const answered = new Totals(['size'])
      for (const stored of ofVenue) {
        for (const { date } of stored.days) {
          const timestamp = String(Date.parse(date) + 86_399_999)
          const { bids, asks } = (await ask(`/${venue}/market/book`, { ...bookQuery(stored), timestamp })) as Book
          const of = (side: string) => nameOf({ ...stored, date, side })
          for (const [, size] of bids) answered.add(of('bid'), 1, { size })
          for (const [, size] of asks) answered.add(of('ask'), 1, { size })
        }
      }
      expect(Object.keys(answered.byDay).length).toBeGreaterThan(6)
      expect(fromFiles.byDay).toEqual(answered.byDay)
    })
  })

  test.each(['candles-1s', 'trades', 'changes', 'depth-1m'])('one glob reads %s of both venues', async (rows) => {
    const read = await scan(rows, '*').groupBy(['venue']).agg(polars.len().alias('rows'), polars.col('book').count())
    const counted = (await read.sort(['venue']).collect()).toRecords()
    expect(counted.map(({ venue }) => venue)).toEqual(['kalshi', 'polymarket'])
    for (const { rows: count, book } of counted) {
      expect(count).toBeGreaterThan(0)
      expect(book).toBe(count)
    }
  })

  test.each(['order_book_deltas', 'quotes', 'trades'])(
    '%s of a catalog have the rows and times of our reader',
    async (type) => {
      const path = join(folder.path, 'nautilus/data', type)
      const read = await polars
        .scanParquet(join(path, '*/*.parquet'), { includeFilePaths: 'path' })
        .groupBy(['path'])
        .agg(
          polars.len().alias('rows'),
          polars.col('ts_init').min().alias('first'),
          polars.col('ts_event').max().alias('last'),
        )
        .sort(['path'])
        .collect()
      const files = [...new Glob('*/*.parquet').scanSync({ cwd: path, absolute: true })].sort()
      const ours = files.map(async (file) => {
        const { rows } = await readCatalogFile(file)
        const inOrder = rows.map((row) => row['ts_event'] as bigint).sort((one, other) => Number(one - other))
        return { path: file, rows: rows.length, first: rows[0]!['ts_init'], last: inOrder.at(-1) }
      })
      expect(files.length).toBeGreaterThan(3)
      expect(read.toRecords()).toEqual(await Promise.all(ours))
    },
  )
})
