// Files of Kalshi's trades, in any order, become the trades of each market by time. No trade is lost or repeated,
// prices are exact, and values that a file does not have are absent.

import { expect, test } from 'bun:test'
import type { SchemaElement } from 'hyparquet'
import { type ExpectedTrade, tradesOfPages, tradesOfRows } from '../../../test/model/import/kalshi-trades.ts'
import { parquetBytes } from '../../../test/support/archives/parquet-bytes.ts'
import { checkFile, importFile, importText } from '../../../test/support/import/import-text.ts'
import { seeded } from '../../../test/support/import/seeded.ts'
import { type AnyStore, withStore } from '../../../test/support/store.ts'
import { tradesTask } from '../../tasks/trades.ts'
import type { ArchiveFormat } from '../archive.ts'
import { type TradeSource, tradeParts } from '../trades/trade-shares.ts'
import { timeUsOf } from '../trades/trade-values.ts'
import { jonBeckerTrades } from './jon-becker-trades.ts'
import { kalshiTrades } from './kalshi-trades.ts'

const DAY = '2026-03-02'
const MARKETS = ['KXA-1', 'KXB-26MAR02-T5', 'KXC']
const SECONDS = ['2026-03-02T11:59:58', '2026-03-02T11:59:59', '2026-03-02T12:00:00', '2026-03-02T12:03:07']

async function stored(store: AnyStore): Promise<Record<string, ExpectedTrade[]>> {
  const { markets } = await store.store.catalogue.markets('kalshi', { prefix: '', offset: 0, limit: 100 })
  const trades = await Promise.all(
    markets.map(async (market) => {
      const records = await store.records('kalshi', market, DAY)
      expect(records.every(({ type, received_at }) => type === 'trade' && received_at === null)).toBe(true)
      return [market, records.map(({ timestamp, msg }) => ({ market, timestamp, msg }))]
    }),
  )
  return Object.fromEntries(trades)
}

const timeOf = (next: (below: number) => number) => {
  const fraction = next(3) === 0 ? '' : `.${1 + next(900_000)}`.replace(/0+$/, '')
  return `${SECONDS[next(SECONDS.length)]}${fraction}Z`
}
const idOf = (n: number) => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`

function madePages(seed: number) {
  const next = seeded(seed)
  const trades = Array.from({ length: 90 }, (_, n) => {
    const yes = 1 + next(9_998)
    return {
      ...{ trade_id: idOf(n), ticker: MARKETS[next(3)]!, count_fp: `${1 + next(900)}.${next(10)}0` },
      ...{ yes_price_dollars: (yes / 10_000).toFixed(4), no_price_dollars: ((10_000 - yes) / 10_000).toFixed(4) },
      ...{ taker_side: next(2) === 0 ? 'yes' : 'no', created_time: timeOf(next) },
    }
  }).sort((one, other) => (one.created_time < other.created_time ? 1 : -1))
  // The pages have the newest trades first, and overlap.
  return [0, 30, 60].map((start) => ({ cursor: `c${start}`, trades: trades.slice(Math.max(0, start - 3), start + 30) }))
}

test.each([1, 2, 3])('pages of the REST API are the trades that the model reads (seed %i)', (seed) =>
  withStore(async (store) => {
    const pages = madePages(seed)
    const texts = {
      'lines.ndjson.gz': pages.map((page) => `${JSON.stringify(page)}\n`).join(''),
      'array.json': JSON.stringify(pages, null, 2),
      'trades.json': `\ufeff${JSON.stringify(pages.flatMap(({ trades }) => trades))}`,
    }
    const expected = tradesOfPages(pages)
    for (const [index, [name, text]] of Object.entries(texts).entries()) {
      const report = await importText(store, kalshiTrades, name, text)
      expect(report).toMatchObject({ rows: 96, messages: 90, rejected: 0, recordsAdded: index === 0 ? 90 : 0 })
      expect(await stored(store)).toEqual(expected)
    }
  }),
)

const sourceOf = (trades: Record<string, string>[]): TradeSource => ({
  messageBytes: JSON.stringify(trades).length,
  read: async (take) => {
    for (const [i, trade] of trades.entries()) {
      take({ market: trade['ticker']!, timeUs: timeUsOf(trade['created_time']), row: i + 1, message: trade })
    }
  },
})

test.each([1, 2, 3])('a file that is read in many shares is the trades that the model reads (seed %i)', (seed) =>
  withStore(async (store) => {
    const next = seeded(seed)
    const trades = madePages(seed)
      .flatMap((page) => page.trades)
      .sort(() => next(3) - 1)
    const source = sourceOf(trades)
    const inParts: ArchiveFormat = {
      ...kalshiTrades,
      open: (file, options) => tradeParts(file, options, source, Math.ceil(source.messageBytes / 5)),
    }
    const halves = await importText(store, inParts, 'parts.json', '[]', { after: '2:5' })
    expect(halves.places).toEqual(['3:5', '4:5', null])
    const report = await importText(store, inParts, 'parts.json', '[]')
    expect(report).toMatchObject({ rows: 96, rejected: 0, messages: 90, recordsAdded: 90 - halves.recordsAdded })
    expect(report.places).toEqual(['1:5', '2:5', '3:5', '4:5', null])
    expect(await stored(store)).toEqual(tradesOfPages([{ trades }]))
    expect(importText(store, inParts, 'parts.json', '[]', { after: '2:6' })).rejects.toThrow(/has changed since/)
  }),
)

function madeRows(seed: number) {
  const next = seeded(seed)
  return Array.from({ length: 80 }, (_, n) => {
    const yes = 1 + next(99)
    const time = timeOf(next).replace('T', ' ').replace('Z', '+00:00')
    return {
      ...{ trade_id: idOf(n), ticker: MARKETS[next(3)]!, count: String(1 + next(500)) },
      ...{ yes_price: String(yes), no_price: String(100 - yes) },
      ...{ taker_side: ['yes', 'no', ''][next(3)]!, created_time: time, _fetched_at: '2026-09-01 00:00:00' },
    }
  })
}

const csv = (rows: Record<string, string>[]) =>
  [Object.keys(rows[0]!), ...rows.map((row) => Object.values(row))].map((cells) => `${cells.join(',')}\r\n`).join('')

test.each([1, 2, 3])("rows of Jon Becker's data set are the API's trades again (seed %i)", (seed) =>
  withStore(async (store) => {
    const rows = madeRows(seed)
    const report = await importText(store, jonBeckerTrades, 'trades.csv', csv(rows))
    expect(report).toMatchObject({ rows: 80, messages: 80, recordsAdded: 80, rejected: 0 })
    expect(await stored(store)).toEqual(tradesOfRows(rows))
  }),
)

test.each(['MICROS', 'NANOS'] as const)('its Parquet files give the same as its rows (%s)', (unit) =>
  withStore(async (store) => {
    const rows = madeRows(6)
    const text = (name: string): SchemaElement => ({ name, type: 'BYTE_ARRAY', converted_type: 'UTF8' })
    const whole = (name: string): SchemaElement => ({ name, type: 'INT64', repetition_type: 'OPTIONAL' })
    const logical: SchemaElement['logical_type'] = { type: 'TIMESTAMP', isAdjustedToUTC: true, unit }
    const fields = [
      ...[...['trade_id', 'ticker', 'taker_side'].map(text), ...['count', 'yes_price', 'no_price'].map(whole)],
      { ...whole('created_time'), logical_type: logical },
    ]
    const cells = rows.map(({ trade_id, ticker, taker_side, count, yes_price, no_price, created_time }) => {
      const us = BigInt(timeUsOf(created_time))
      const wholes = { count: BigInt(count), yes_price: BigInt(yes_price), no_price: BigInt(no_price) }
      return { trade_id, ticker, taker_side, ...wholes, created_time: unit === 'NANOS' ? us * 1_000n : us }
    })
    const path = `${store.folder}/trades.parquet`
    await Bun.write(path, parquetBytes(fields, [cells.slice(0, 30), cells.slice(30)]))
    expect(await importFile(store, jonBeckerTrades, path)).toMatchObject({ rows: 80, messages: 80, rejected: 0 })
    expect(await stored(store)).toEqual(tradesOfRows(rows))
  }),
)

/** Returns trades of a daily file as lines that `ingest` accepts. */
const dayLines = (trades: { ticker_name: string }[]) =>
  trades.map((msg) => JSON.stringify({ type: 'trade', ticker: msg.ticker_name, msg }))

test('trades as they are printed load again', () =>
  withStore(async (store) => {
    const next = seeded(7)
    const day = Array.from({ length: 220 }, (_, i) => ({
      ...{ ticker_name: MARKETS[next(3)]!, report_ticker: 'KX', date: DAY, contracts_traded: 1 + next(3) },
      ...{ create_ts: `${SECONDS[Math.floor((4 * i) / 220)]}Z`, price: 1 + next(99) },
    }))
    await importText(store, kalshiTrades, 'pages.json', JSON.stringify(madePages(7)))
    await store.loadLines('day.ndjson', dayLines(day))
    const sources = [null, kalshiTrades.source]
    const printed = sources.map(async (source) => {
      const of = store.ofSource(source)
      return (await Promise.all(MARKETS.map((market) => of.records('kalshi', market, DAY)))).flat()
    })
    const lines = (await Promise.all(printed)).flat().map((record) => JSON.stringify(record))
    await withStore(async (other) => {
      expect(await other.loadLines('printed.ndjson', lines)).toMatchObject({ messages: 310, rejected: 0 })
      for (const source of sources) {
        expect(await stored(other.ofSource(source))).toEqual(await stored(store.ofSource(source)))
      }
    })
    expect(await store.loadLines('printed.ndjson', lines)).toMatchObject({ messages: 310, recordsAdded: 0 })
  }))

test("the API's own pages and the data set's rows of the same trades are shown once", () =>
  withStore(async (store) => {
    const [row] = madeRows(4)
    await importText(store, jonBeckerTrades, 'trades.csv', csv([{ ...row!, yes_price: '48', no_price: '52' }]))
    const expected = Object.values(tradesOfRows([{ ...row!, yes_price: '48', no_price: '52' }]))[0]![0]!
    expect(expected.msg['yes_price_dollars']).toBe('0.4800')
    const page = JSON.stringify({ trades: [expected.msg], cursor: '' })
    expect(await importText(store, kalshiTrades, 'page.json', page)).toMatchObject({ messages: 1, recordsAdded: 1 })
    const shown = { [expected.market]: [expected] }
    for (const of of [store, store.ofSource(jonBeckerTrades.source), store.ofSource(kalshiTrades.source)]) {
      expect(await stored(of)).toEqual(shown)
    }
  }))

test('returns trades with exact prices, whatever form their file prints them in', () =>
  withStore(async (store) => {
    const at = (second: number) => `2026-03-02T12:00:0${second}Z`
    const day = [
      { ticker_name: 'KXC', report_ticker: 'KXC', date: DAY, create_ts: at(1), contracts_traded: 7, price: 48 },
      {
        ticker_name: 'KXC',
        report_ticker: 'KXC',
        date: DAY,
        create_ts: at(2),
        contracts_traded: '1.50',
        price: '0.485',
      },
      { ticker_name: 'KXC', report_ticker: 'KXC', date: DAY, create_ts: at(3), contracts_traded: 1, price: 1 },
    ]
    await store.loadLines('day.ndjson', dayLines(day))
    const trade = { trade_id: 'x', ticker: 'KXC', count: 3, yes_price: 29, no_price: 71, taker_side: 'no' }
    await importText(store, kalshiTrades, 'old.json', JSON.stringify({ ...trade, created_time: at(4) }))
    const fromMs = Date.parse(`${DAY}T00:00:00Z`)
    const range = { fromMs, toMs: fromMs + 86_399_999, after: null, limit: 10 }
    const asked = { venue: 'kalshi', market: 'KXC', book: null, ...range, encoding: { format: 'ndjson' } } as const
    const tradesOf = async (of: AnyStore) => {
      const { chunks } = await tradesTask.answer(of.store, asked)
      const text: string[] = []
      for (let next = chunks.next(); !next.done; next = chunks.next()) text.push(Buffer.from(next.value).toString())
      const rows = text
        .join('')
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line))
      return rows.map(({ price, size, side, trade_id }: Record<string, unknown>) => [price, size, side, trade_id])
    }
    const own = [
      [0.48, 7, null, null],
      [0.485, 1.5, null, null],
      [0.01, 1, null, null],
    ]
    expect(await tradesOf(store)).toEqual(own)
    expect(await tradesOf(store.ofSource(null))).toEqual(own)
    expect(await tradesOf(store.ofSource(kalshiTrades.source))).toEqual([[0.29, 3, 'sell', 'x']])
  }))

const REST = {
  trade_id: 'a',
  ticker: 'KXC',
  count_fp: '1.00',
  yes_price_dollars: '0.5',
  created_time: `${SECONDS[0]}Z`,
}
const ROW = madeRows(5)[0]!

test.each([
  ['no id', kalshiTrades, JSON.stringify({ ...REST, trade_id: 7 }), 'the trade has no trade_id'],
  ['no ticker', kalshiTrades, JSON.stringify({ ...REST, ticker: 'a b' }), 'the trade names no ticker'],
  ['no time', kalshiTrades, JSON.stringify({ ...REST, created_time: 'noon' }), 'created_time must be a time'],
  ['no trade', kalshiTrades, '{"trades":["x"]}', 'a trade must be a JSON object'],
  [
    'cut cents',
    jonBeckerTrades,
    csv([{ ...ROW, yes_price: '28', no_price: '71' }]),
    'yes_price and no_price must add up to 100 cents: one was cut',
  ],
  ['count of 0', jonBeckerTrades, csv([{ ...ROW, count: '0' }]), 'count must be a whole number of contracts above 0'],
  ['another side', jonBeckerTrades, csv([{ ...ROW, taker_side: 'bid' }]), 'taker_side is neither yes nor no'],
] as [string, ArchiveFormat, string, string][])('%s: the trade is rejected, and kept', (_, format, text, reason) =>
  withStore(async (store) => {
    const report = await importText(store, format, 'wrong.json', text)
    expect(report).toMatchObject({ rows: 1, messages: 0, rejected: 1 })
    expect(report.rejects[0]!.reason).toBe(reason)
    expect(await Bun.file(report.rejectFiles[0]!).text()).toContain(reason)
  }),
)

test.each([
  ['a text that is no JSON', kalshiTrades, 'trade_id,ticker', /has no JSON after document 0: /],
  ['a page that is no JSON', kalshiTrades, '{"trades": ["x" "y"]}', /has no JSON after document 0: /],
  ['an array that does not end', kalshiTrades, '[{"a":1},', /is cut off/],
  ['an object that does not end', kalshiTrades, '{"trades":[', /is cut off/],
  ['a table without its columns', jonBeckerTrades, 'trade_id,ticker\na,b\n', /has no column taker_side/],
  ['an empty table', jonBeckerTrades, '', /is empty/],
] as [string, ArchiveFormat, string, RegExp][])('%s is refused', (_, format, text, why) =>
  withStore(async (store) => {
    expect(importText(store, format, 'file', text)).rejects.toThrow(why)
  }),
)

test('a check counts the trades of the chosen markets', () =>
  withStore(async (store) => {
    const path = `${store.folder}/trades.json`
    await Bun.write(path, JSON.stringify([REST, { ...REST, trade_id: 'b' }, { ...REST, ticker: 'KXA-1' }]))
    expect(await checkFile(kalshiTrades, path)).toMatchObject({ rows: 3, messages: 3 })
    const only = await checkFile(kalshiTrades, path, new Set(['KXA-1']))
    expect(only).toMatchObject({ rows: 1, messages: 1 })
  }))
