// Random rows of pmxt v2, and a slow conversion of the rows to messages of the venue.

import type { SchemaElement } from 'hyparquet'
import type { Random } from '../../../workers/synthetic/random.ts'
import { type ParquetOptions, parquetBytes } from './parquet-bytes.ts'

/** Decimals are texts, as the venue prints them. `received` is NaN if a damaged file has none. */
export type PmxtRow = {
  received: number
  venue: number | null
  market: string
  type: string
  token: string
  bids?: string | null
  asks?: string | null
  price?: string | null
  size?: string | null
  side?: string | null
  bestBid?: string | null
  bestAsk?: string | null
  fee?: number | null
  transaction?: string | null
  oldTick?: string | null
  newTick?: string | null
}

const optional = { repetition_type: 'OPTIONAL' } as const
const millis = { type: 'INT64', converted_type: 'TIMESTAMP_MILLIS' } as const
const price = { type: 'INT32', converted_type: 'DECIMAL', precision: 9, scale: 4, ...optional } as const
const text = { type: 'BYTE_ARRAY', converted_type: 'UTF8' } as const

export const PMXT_SCHEMA: SchemaElement[] = [
  { name: 'timestamp_received', repetition_type: 'REQUIRED', ...millis },
  { name: 'timestamp', ...optional, ...millis },
  { name: 'market', type: 'FIXED_LEN_BYTE_ARRAY', type_length: 66, repetition_type: 'REQUIRED' },
  { name: 'event_type', repetition_type: 'REQUIRED', ...text },
  { name: 'asset_id', repetition_type: 'REQUIRED', ...text },
  { name: 'bids', ...optional, ...text },
  { name: 'asks', ...optional, ...text },
  { name: 'price', ...price },
  { name: 'size', type: 'INT64', converted_type: 'DECIMAL', precision: 18, scale: 6, ...optional },
  { name: 'side', ...optional, ...text },
  { name: 'best_bid', ...price },
  { name: 'best_ask', ...price },
  { name: 'fee_rate_bps', type: 'INT32', converted_type: 'UINT_16', ...optional },
  { name: 'transaction_hash', ...optional, ...text },
  { name: 'old_tick_size', ...price },
  { name: 'new_tick_size', ...price },
]

/** Returns a decimal as a number of units of 10^-places, from its digits; null if there is no decimal. */
export function units(decimal: string | null | undefined, places: number): bigint | null {
  if (decimal === null || decimal === undefined) return null
  const [whole = '', fraction = ''] = decimal.split('.')
  return BigInt(whole + fraction.padEnd(places, '0'))
}

export function pmxtBytes(
  groups: readonly PmxtRow[][],
  options: ParquetOptions = {},
  schema: SchemaElement[] = PMXT_SCHEMA,
): Uint8Array {
  const rows = groups.map((group) =>
    group.map((row) => ({
      timestamp_received: Number.isNaN(row.received) ? null : BigInt(row.received),
      timestamp: row.venue === null ? null : BigInt(row.venue),
      market: new TextEncoder().encode(row.market),
      event_type: row.type,
      asset_id: row.token,
      bids: row.bids ?? null,
      asks: row.asks ?? null,
      price: units(row.price, 4),
      size: units(row.size, 6),
      side: row.side ?? null,
      best_bid: units(row.bestBid, 4),
      best_ask: units(row.bestAsk, 4),
      fee_rate_bps: row.fee ?? null,
      transaction_hash: row.transaction ?? null,
      old_tick_size: units(row.oldTick, 4),
      new_tick_size: units(row.newTick, 4),
    })),
  )
  return parquetBytes(schema, rows, options)
}

/** Returns the row as a line of a capture; undefined for a row with too little data. */
export function pmxtLine(row: PmxtRow): string | undefined {
  const msg = messageOf(row)
  return msg === undefined ? undefined : JSON.stringify({ recv_ms: row.received, msg })
}

function messageOf({ type, market, token: asset_id, venue, ...row }: PmxtRow): object | undefined {
  const timestamp = String(venue)
  const event_type = type
  if (type === 'book') {
    const [bids, asks] = [row.bids, row.asks].map((side) =>
      (JSON.parse(side || '[]') as [string, string][]).map(([of, size]) => ({ price: plain(of), size: plain(size) })),
    )
    return { market, asset_id, timestamp, bids, asks, event_type }
  }
  if (type === 'tick_size_change') {
    if (row.oldTick === null || row.newTick === null) return undefined
    const ticks = { old_tick_size: plain(row.oldTick!), new_tick_size: plain(row.newTick!) }
    return { market, asset_id, ...ticks, timestamp, event_type }
  }
  if (row.price === null || row.size === null) return undefined
  const traded = { price: plain(row.price!), size: plain(row.size!) }
  if (type === 'last_trade_price') {
    const side = row.side === null ? {} : { side: row.side }
    const fee = typeof row.fee === 'number' ? { fee_rate_bps: String(row.fee) } : {}
    const hash = row.transaction ? { transaction_hash: row.transaction } : {}
    return { market, asset_id, ...traded, ...side, ...fee, ...hash, timestamp, event_type }
  }
  if (type !== 'price_change' || (row.side !== 'BUY' && row.side !== 'SELL')) return undefined
  const best = {
    ...(typeof row.bestBid === 'string' ? { best_bid: plain(row.bestBid) } : {}),
    ...(typeof row.bestAsk === 'string' ? { best_ask: plain(row.bestAsk) } : {}),
  }
  return { market, price_changes: [{ asset_id, ...traded, side: row.side, ...best }], timestamp, event_type }
}

/** Removes trailing zeros, because an archive stores a number and not its text. */
const plain = (decimal: string): string => (decimal.includes('.') ? decimal.replace(/\.?0+$/, '') : decimal)

const START = Date.UTC(2026, 4, 22, 17)
export const marketNamed = (index: number): string => `0x${index.toString(16).padStart(64, '0')}`

/** Returns rows sorted like files of pmxt: by market, token and time of receipt. The rows of a batch share that
 *  time. */
export function randomRows(random: Random, markets: number, rowsEach: number): PmxtRow[] {
  const rows: PmxtRow[] = []
  for (let market = 0; market < markets; market++) {
    for (const token of [`${1_000 + 2 * market}`, `${1_001 + 2 * market}`]) {
      let received = START + random.between(0, 50)
      for (let i = 0; i < rowsEach; i++) {
        received += random.chance(0.1) ? 500 * random.between(1, 3) : 0
        if (random.chance(0.01)) received -= 500
        rows.push(randomRow(random, { received, venue: received - random.between(3, 90) }, marketNamed(market), token))
      }
    }
  }
  return rows
}

type Times = { received: number; venue: number }

function randomRow(random: Random, times: Times, market: string, token: string): PmxtRow {
  const at = { ...times, market, token }
  const level = () => decimal(random.between(1, 9_999), 4)
  const size = () => decimal(random.pick([0, 1, 49, 1_000_000, 5_100_000, 123_456_789_012, 9_007_199_254_740_991]), 6)
  if (random.chance(0.06)) {
    const side = () => {
      const levels = Array.from({ length: random.between(0, 6) }, () => [level(), decimal(random.between(1, 9e9), 6)])
      return levels.length === 0 ? random.pick([null, '', '[]']) : JSON.stringify(levels)
    }
    return { ...at, type: 'book', bids: side(), asks: side() }
  }
  const side = random.pick(['BUY', 'SELL'])
  if (random.chance(0.06)) {
    const transaction = random.chance(0.7) ? `0x${random.between(0, 9e9).toString(16).padStart(64, 'f')}` : null
    const fee = random.pick([null, 0, 65_535])
    const trade = { price: level(), size: size(), side: random.pick([side, null]), fee, transaction }
    return { ...at, type: 'last_trade_price', ...trade }
  }
  if (random.chance(0.01)) return { ...at, type: 'tick_size_change', oldTick: '0.01', newTick: '0.001' }
  const best = { bestBid: random.chance(0.9) ? level() : null, bestAsk: random.chance(0.9) ? level() : null }
  return { ...at, type: 'price_change', price: level(), size: size(), side, ...best }
}

export function decimal(whole: number, places: number): string {
  const digits = String(whole).padStart(places + 1, '0')
  return plain(`${digits.slice(0, -places)}.${digits.slice(-places)}`)
}
