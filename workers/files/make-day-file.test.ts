// long: whole days go through several formats
// A file of a day holds the same data as the answers of the store, has the same bytes however the day was loaded, and
// loads again as the same store.

import { expect, test } from 'bun:test'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { dateStartMs } from '../../storage/units.ts'
import { VENUES, type Venue } from '../../storage/venue.ts'
import { seeds } from '../../test/run/effort.ts'
import { allCaptures } from '../../test/support/captures.ts'
import { flatRow, parquetRows } from '../../test/support/compare/row-formats.ts'
import { temporaryFolder } from '../../test/support/server.ts'
import { dateRequest, type TestStore, withStore } from '../../test/support/store.ts'
import { RandomCapture } from '../../test/workers/load/random-capture.ts'
import { Random } from '../synthetic/random.ts'
import { tradesTask } from '../tasks/trades.ts'
import { DAY_FILES, type DayFileName, type MadeDayFile, storedName } from './day-file.ts'
import { makeDayFile } from './make-day-file.ts'

type Day = { venue: Venue; market: string; date: string; recordCount: number; books: string[] }

async function daysOf({ store: { catalogue } }: TestStore): Promise<Day[]> {
  const days: Day[] = []
  for (const venue of VENUES) {
    const { markets } = await catalogue.markets(venue, { prefix: '', offset: 0, limit: 1_000 })
    for (const market of markets) {
      for (const { date, head } of await catalogue.heads(venue, market)) {
        const books = head.books.map(({ id }) => id).sort()
        days.push({ venue, market, date, recordCount: head.recordCount, books })
      }
    }
  }
  return days
}

type Made = MadeDayFile & { file: ArrayBuffer }

async function made({ store }: TestStore, day: Day, name: DayFileName, folder: string): Promise<Made> {
  const { venue, market, date, recordCount } = day
  const about = await makeDayFile(store, { venue, market, date, recordCount, name, folder })
  const file = await Bun.file(join(folder, storedName(about.sha256))).arrayBuffer()
  expect([file.byteLength, Bun.SHA256.hash(file, 'hex')]).toEqual([about.bytes, about.sha256])
  return { ...about, file }
}

const linesOf = ({ file }: Made) => Buffer.from(Bun.zstdDecompressSync(file)).toString().split('\n').slice(0, -1)

/** Compares each file with the answers of the store. */
async function compare(tested: TestStore, folder: string): Promise<void> {
  for (const day of await daysOf(tested)) {
    const { venue, market, date, books } = day
    const records = await made(tested, day, 'records.ndjson.zst', folder)
    expect(linesOf(records).map((line) => JSON.parse(line))).toEqual(await tested.records(venue, market, date))
    expect(records.rows).toBe(day.recordCount)

    const seconds = await made(tested, day, 'candles-1s.parquet', folder)
    const expected: object[] = []
    for (const book of books) {
      const buckets = await tested.summary(dateRequest(venue, market, book, date, 1, 'none'))
      const name = venue === 'polymarket' ? { asset_id: book } : {}
      expected.push(...buckets.map((bucket) => ({ market, ...name, ...flatRow(bucket as never) })))
    }
    expect((await parquetRows(seconds.file)).rows).toEqual(expected as never)
    expect(seconds.rows).toBe(expected.length)

    const trades = await made(tested, day, 'trades.parquet', folder)
    const fromMs = dateStartMs(date)
    const all = { book: null, fromMs, toMs: fromMs + 86_399_999, after: null, limit: 1_000_000 }
    const { chunks } = await tradesTask.answer(tested.store, { venue, market, ...all, encoding: { format: 'ndjson' } })
    const lines: string[] = []
    for (let next = chunks.next(); !next.done; next = chunks.next()) lines.push(Buffer.from(next.value).toString())
    const rows = lines.join('').split('\n').slice(0, -1)
    expect((await parquetRows(trades.file)).rows).toEqual(rows.map((row) => ({ market, ...JSON.parse(row) })))
    expect(trades.rows).toBe(rows.length)
  }
}

async function digests(tested: TestStore, folder: string): Promise<string[]> {
  const all: string[] = []
  for (const day of await daysOf(tested)) {
    for (const name of DAY_FILES) {
      all.push(`${day.market} ${day.date} ${name} ${(await made(tested, day, name, folder)).sha256}`)
    }
  }
  return all
}

/** Loads all records of a store into a new one, and checks it. */
async function loadedAgain(tested: TestStore, folder: string, check: (again: TestStore) => Promise<void>) {
  await withStore(async (again) => {
    for (const [index, day] of (await daysOf(tested)).entries()) {
      const { file } = await made(tested, day, 'records.ndjson.zst', folder)
      const path = join(again.folder, `${index}.ndjson.zst`)
      await Bun.write(path, file)
      expect((await again.load(path))[0]).toMatchObject({ error: null, rejected: 0 })
    }
    await check(again)
  })
}

test.each(seeds(1, 2, 12))('of a random capture, seed %d', async (seed) => {
  using folder = temporaryFolder()
  await withStore(async (tested) => {
    await tested.loadLines('capture', new RandomCapture(seed, seed % 2 === 0).lines(400))
    await compare(tested, folder.path)
  })
})

test.each(allCaptures().map((path) => [path.split('/').slice(-2).join('/'), path]))('of %s', async (_, path) => {
  using folder = temporaryFolder()
  await withStore(async (tested) => {
    await tested.load(path)
    await compare(tested, folder.path)
    const before = await digests(tested, folder.path)
    await loadedAgain(tested, folder.path, async (again) => expect(await digests(again, folder.path)).toEqual(before))
  })
})

test.each(seeds(11, 1, 6))('are the same bytes whatever pieces the day is loaded in, seed %d', async (seed) => {
  using folder = temporaryFolder()
  const random = new Random(seed, 'pieces')
  // Each record has its own time, later than that of the record before it.
  const lines = Array.from({ length: 600 }, (_, i) => {
    const ms = dateStartMs('2026-08-10') + i * 97_000
    const msg = { market_ticker: 'KXRAND-A', price_dollars: `0.${10 + (i % 80)}`, delta_fp: `${1 + (i % 7)}.00` }
    const trade = { market_ticker: 'KXRAND-A', trade_id: `t${i}`, yes_price_dollars: '0.5', count_fp: '2.00' }
    const event =
      i % 9 === 4 ? { type: 'trade', msg: trade } : { type: 'orderbook_delta', msg: { ...msg, side: 'yes' } }
    return JSON.stringify({ ...event, sid: 1, seq: i + 1, msg: { ...event.msg, ts_ms: ms } })
  })
  await withStore((whole) =>
    withStore(async (pieces) => {
      await whole.loadLines('whole', lines)
      for (let from = 0; from < lines.length; ) {
        const to = from + random.between(1, 90)
        await pieces.loadLines(`piece-${from}`, lines.slice(from, to))
        from = to
      }
      expect(await digests(pieces, folder.path)).toEqual(await digests(whole, folder.path))
    }),
  )
})

test('a later load changes only the files of its own day', async () => {
  using folder = temporaryFolder()
  const line = (hours: number, price: string) => {
    const msg = { market_ticker: 'KXRAND-A', price_dollars: price, delta_fp: '1.00', side: 'yes' }
    const ts_ms = dateStartMs('2026-08-10') + hours * 3_600_000
    return JSON.stringify({ type: 'orderbook_delta', sid: 1, seq: hours, msg: { ...msg, ts_ms } })
  }
  await withStore(async (tested) => {
    await tested.loadLines('first', [line(1, '0.10'), line(20, '0.20')])
    const before = await digests(tested, folder.path)
    await tested.loadLines('next day', [line(30, '0.30')])
    expect((await digests(tested, folder.path)).slice(0, before.length)).toEqual(before)
    await tested.loadLines('between', [line(2, '0.15')])
    expect((await digests(tested, folder.path)).slice(0, 2)).not.toEqual(before.slice(0, 2))
  })
})

test('a day that is not stored leaves no file', async () => {
  using folder = temporaryFolder()
  await withStore(async ({ store }) => {
    const key = { venue: 'kalshi', market: 'KXRAND-A', date: '2026-08-10' } as const
    const making = makeDayFile(store, { ...key, recordCount: 1, name: 'trades.parquet', folder: folder.path })
    await expect(making).rejects.toMatchObject({ code: 'market_not_stored' })
    expect(readdirSync(folder.path)).toEqual([])
  })
})
