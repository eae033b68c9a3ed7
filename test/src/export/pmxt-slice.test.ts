// Goal: a catalog from another recorder's archive (pmxt v2: one book, 66 changes, 2 trades of a market) holds the
// same data as its rows. The test computes the expected data from the Parquet file alone.

import { expect, test } from 'bun:test'
import { parquetReadObjects } from 'hyparquet'
import { capture, hasCaptures } from '../../support/captures.ts'
import { exportMarket } from '../../support/export/export-days.ts'
import { metadataOf, readCatalog } from '../../support/export/nautilus-reader.ts'
import { temporaryFolder } from '../../support/server.ts'
import { withStore } from '../../support/store.ts'

type Level = [price: string, size: string]
type PmxtRow = {
  timestamp_received: Date
  timestamp: Date
  market: string
  event_type: 'book' | 'price_change' | 'last_trade_price'
  asset_id: string
  bids: string | null
  asks: string | null
  price: number
  size: number
  side: 'BUY' | 'SELL' | null
  best_bid: number
  best_ask: number
}

/** Decimals of the file are stored as the nearest doubles. */
const micros = (value: number | string) => BigInt(Math.round(Number(value) * 1e6))
const printed = (value: number) => String(Math.round(value * 1e6) / 1e6)
const fixed = (value: number | string) => micros(value) * 10_000_000_000n
const levelsOf = (text: string | null) => JSON.parse(text ?? '[]') as Level[]

function messageOf(row: PmxtRow): string {
  const { market, asset_id, event_type, price, size, side } = row
  const shared = { event_type, market, timestamp: String(row.timestamp.getTime()) }
  const objects = (text: string | null) => levelsOf(text).map(([price, size]) => ({ price, size }))
  const trade = { ...shared, asset_id, price: printed(price), size: printed(size), side }
  const events = {
    book: { ...shared, asset_id, bids: objects(row.bids), asks: objects(row.asks) },
    price_change: { ...shared, price_changes: [{ asset_id, price: printed(price), size: printed(size), side }] },
    last_trade_price: trade,
  }
  return JSON.stringify({ recv_ms: row.timestamp_received.getTime(), event: events[event_type] })
}

const nsOf = (time: Date) => BigInt(time.getTime()) * 1_000_000n

function deltasOf(row: PmxtRow): object[] {
  const times = { ts_event: nsOf(row.timestamp), ts_init: nsOf(row.timestamp_received) }
  const delta = (action: number, side: number, [price, size]: Level, flags: number) => ({
    ...{ action, side, price: fixed(price), size: fixed(size), order_id: 0n, flags, sequence: 0n },
    ...times,
  })
  if (row.event_type === 'last_trade_price') return []
  if (row.event_type === 'price_change') {
    const action = row.size === 0 ? 3 : 2
    return [delta(action, row.side === 'BUY' ? 1 : 2, [printed(row.price), printed(row.size)], 128)]
  }
  const bids = levelsOf(row.bids).map((level) => delta(1, 1, level, 32))
  const asks = levelsOf(row.asks).map((level) => delta(1, 2, level, 32))
  const rows = [delta(4, 0, ['0', '0'], 32), ...bids, ...asks]
  return [...rows.slice(0, -1), { ...rows.at(-1), flags: 160 }]
}

/** Returns the top of the book after each row that changes it. Expects that the venue's own best prices agree. */
function quotesOf(rows: PmxtRow[]): object[] {
  const levels = { BUY: new Map<bigint, bigint>(), SELL: new Map<bigint, bigint>() }
  const quotes: object[] = []
  let before = ''
  for (const row of rows) {
    if (row.event_type === 'last_trade_price') continue
    for (const [price, size] of levelsOf(row.bids)) levels.BUY.set(micros(price), micros(size))
    for (const [price, size] of levelsOf(row.asks)) levels.SELL.set(micros(price), micros(size))
    if (row.event_type === 'price_change') levels[row.side!].set(micros(row.price), micros(row.size))
    const present = (side: 'BUY' | 'SELL') => [...levels[side]].filter(([, size]) => size > 0n).sort(byPrice)
    const [bid, ask] = [present('BUY').at(-1)!, present('SELL')[0]!]
    if (row.event_type === 'price_change')
      expect([bid[0], ask[0]]).toEqual([micros(row.best_bid), micros(row.best_ask)])
    const top = [...bid, ...ask].join()
    if (top === before) continue
    before = top
    const [bid_price, bid_size, ask_price, ask_size] = [...bid, ...ask].map((each) => each * 10_000_000_000n)
    const times = { ts_event: nsOf(row.timestamp), ts_init: nsOf(row.timestamp_received) }
    quotes.push({ bid_price, ask_price, bid_size, ask_size, ...times })
  }
  return quotes
}

const byPrice = (one: [bigint, bigint], other: [bigint, bigint]) => (one[0] < other[0] ? -1 : 1)

test.if(hasCaptures)('a catalog of an archive holds what its rows say', async () => {
  const file = await Bun.file(capture('archives/pmxt/slice-2026-05-22.parquet')).arrayBuffer()
  const rows = (await parquetReadObjects({ file })) as PmxtRow[]
  expect(rows).toHaveLength(69)
  const { market, asset_id } = rows[0]!
  await withStore(async (tested) => {
    await tested.loadLines('all.ndjson', rows.map(messageOf))
    using folder = temporaryFolder()
    await exportMarket(tested, { target: 'nautilus', venue: 'polymarket', market, folder: folder.path })
    const read = async (type: 'order_book_deltas' | 'quotes' | 'trades') => {
      const [catalog, ...others] = await readCatalog(folder.path, type, `${market}-${asset_id}.POLYMARKET`)
      expect(others).toEqual([])
      expect(metadataOf(catalog!).get('price_precision')).toBe('2')
      return catalog!.rows
    }
    expect(await read('order_book_deltas')).toEqual(rows.flatMap(deltasOf) as never)
    expect(await read('quotes')).toEqual(quotesOf(rows) as never)
    const trades = rows.filter(({ event_type }) => event_type === 'last_trade_price')
    expect(await read('trades')).toEqual(
      trades.map((row) => ({
        ...{ price: fixed(row.price), size: fixed(row.size), aggressor_side: row.side === 'BUY' ? 1 : 2 },
        trade_id: `2026-05-22-${rows.indexOf(row)}`,
        ...{ ts_event: nsOf(row.timestamp), ts_init: nsOf(row.timestamp_received) },
      })) as never,
    )
  })
})
