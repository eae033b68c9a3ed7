// Random rows of pendulumflow v3, in the order in which two recorders received them, and the file made of them.

import type { SchemaElement } from 'hyparquet'
import type { Random } from '../../../workers/synthetic/random.ts'
import { type Field, type ParquetOptions, parquetBytes, type Row } from './parquet-bytes.ts'
import { decimal, marketNamed, type PmxtRow, units } from './pmxt-rows.ts'

/** `received` and `venue` are ms; `micros` are added to `received`. */
export type PendulumflowRow = PmxtRow & {
  micros: number
  generation: number
  counter: number
  witness: string
  levels?: { bids: [price: string, size: string][]; asks: [price: string, size: string][] }
}

const optional = { repetition_type: 'OPTIONAL' } as const
const bytes32 = { type: 'FIXED_LEN_BYTE_ARRAY', type_length: 32 } as const
const text = { type: 'BYTE_ARRAY', converted_type: 'UTF8' } as const
const price = { type: 'INT32', converted_type: 'DECIMAL', precision: 9, scale: 4 } as const
const size = { type: 'INT64', converted_type: 'DECIMAL', precision: 18, scale: 6 } as const
const levels = (name: string): [SchemaElement, ...SchemaElement[]] => [
  { name, ...optional, converted_type: 'LIST', num_children: 1 },
  { name: 'list', repetition_type: 'REPEATED', num_children: 1 },
  { name: 'element', ...optional, num_children: 2 },
  { name: 'price', ...optional, ...price },
  { name: 'size', ...optional, ...size },
]
const ids: [SchemaElement, ...SchemaElement[]] = [
  { name: 'assets_ids', ...optional, converted_type: 'LIST', num_children: 1 },
  { name: 'list', repetition_type: 'REPEATED', num_children: 1 },
  { name: 'element', ...optional, ...bytes32 },
]

/** The 28 columns of later hours. Some hours lack `spread`, `id` and `witness_set`. */
export const PENDULUMFLOW_SCHEMA: Field[] = [
  { name: 'timestamp_received', type: 'INT64', converted_type: 'TIMESTAMP_MICROS', repetition_type: 'REQUIRED' },
  { name: 'timestamp', type: 'INT64', converted_type: 'TIMESTAMP_MILLIS', ...optional },
  { name: 'sequence', type: 'INT64', converted_type: 'UINT_64', repetition_type: 'REQUIRED' },
  { name: 'market', ...bytes32, repetition_type: 'REQUIRED' },
  { name: 'event_type', ...text, repetition_type: 'REQUIRED' },
  { name: 'asset_id', ...bytes32, ...optional },
  levels('bids'),
  levels('asks'),
  { name: 'price', ...optional, ...price },
  { name: 'size', ...optional, ...size },
  { name: 'side', ...optional, ...text },
  { name: 'best_bid', ...optional, ...price },
  { name: 'best_ask', ...optional, ...price },
  { name: 'spread', ...optional, ...price },
  { name: 'fee_rate_bps', type: 'INT32', converted_type: 'UINT_16', ...optional },
  { name: 'transaction_hash', ...bytes32, ...optional },
  { name: 'old_tick_size', ...optional, ...price },
  { name: 'new_tick_size', ...optional, ...price },
  { name: 'id', ...optional, ...text },
  ids,
  { name: 'outcomes', ...optional, ...text },
  { name: 'question', ...optional, ...text },
  { name: 'slug', ...optional, ...text },
  { name: 'winning_asset_id', ...bytes32, ...optional },
  { name: 'winning_outcome', ...optional, ...text },
  { name: 'source_witness', ...text, repetition_type: 'REQUIRED' },
  { name: 'witness_set', ...optional, ...text },
]

export type FileOptions = ParquetOptions & { groupRows?: number; without?: string[] }

/** Returns the file in the layout `union-event-sorted-v1`. */
export function pendulumflowBytes(rows: readonly PendulumflowRow[], options: FileOptions = {}): Uint8Array {
  const { groupRows = 1_000 } = options
  const groups: PendulumflowRow[][] = []
  for (const type of [...new Set(rows.map((row) => row.type))].sort()) {
    const of = rows.filter((row) => row.type === type).sort(compareRows)
    for (let from = 0; from < of.length; from += groupRows) groups.push(of.slice(from, from + groupRows))
  }
  return bytesOfGroups(groups, options)
}

/** Writes the row groups in the given order. */
export function bytesOfGroups(groups: readonly PendulumflowRow[][], options: FileOptions = {}): Uint8Array {
  const { without = [] } = options
  const fields = PENDULUMFLOW_SCHEMA.filter(
    (field) => !without.includes((Array.isArray(field) ? field[0] : field).name),
  )
  const cells = groups.map((rows) => rows.map(cellsOf))
  return parquetBytes(fields, cells, options)
}

const compareRows = (one: PendulumflowRow, other: PendulumflowRow): number =>
  compare(one.market, other.market) ||
  Number(BigInt(one.token) - BigInt(other.token)) ||
  one.venue! - other.venue! ||
  one.generation - other.generation ||
  one.counter - other.counter

const compare = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0)

const hex = (text: string): Uint8Array => new Uint8Array(Buffer.from(text.padStart(64, '0'), 'hex'))

function cellsOf(row: PendulumflowRow): Row {
  const side = (of: [string, string][] | undefined) =>
    of?.map(([level, at]) => ({ price: units(level, 4), size: units(at, 6) })) ?? null
  return {
    timestamp_received: BigInt(row.received) * 1_000n + BigInt(row.micros),
    timestamp: BigInt(row.venue!),
    sequence: (BigInt(row.generation) << 48n) + BigInt(row.counter),
    market: hex(row.market.slice(2)),
    event_type: row.type,
    asset_id: hex(BigInt(row.token).toString(16)),
    bids: side(row.levels?.bids),
    asks: side(row.levels?.asks),
    price: units(row.price, 4),
    size: units(row.size, 6),
    side: row.side ?? null,
    best_bid: units(row.bestBid, 4),
    best_ask: units(row.bestAsk, 4),
    fee_rate_bps: row.fee ?? null,
    transaction_hash: row.transaction ? hex(row.transaction.slice(2)) : null,
    old_tick_size: units(row.oldTick, 4),
    new_tick_size: units(row.newTick, 4),
    source_witness: row.witness,
    witness_set: `|${row.witness}|`,
  }
}

const START = Date.UTC(2026, 8, 6, 12)

/** Returns rows in order of arrival, market after market. Their venue times do not ascend, so they give no order. */
export function receivedRows(random: Random, markets: number, rowsEach: number): PendulumflowRow[] {
  const rows: PendulumflowRow[] = []
  for (let market = 0; market < markets; market++) {
    const generation = random.between(0, 65_535)
    let counter = random.between(0, 2 ** 47)
    let micros = START * 1_000
    for (let i = 0; i < 2 * rowsEach; i++) {
      micros += random.between(1, 90_000)
      counter += random.between(1, 9)
      const token = (10n ** 76n + BigInt(2 * market + random.below(2))).toString()
      const received = Math.floor(micros / 1_000)
      const at = {
        received,
        micros: micros % 1_000,
        generation,
        counter,
        witness: 'a',
        market: marketNamed(market),
        token,
      }
      rows.push({ ...at, venue: received - random.between(1, 400), ...event(random) })
    }
  }
  return rows
}

type Event = Omit<
  PendulumflowRow,
  'received' | 'micros' | 'generation' | 'counter' | 'witness' | 'market' | 'token' | 'venue'
>

function event(random: Random): Event {
  const level = () => decimal(random.between(1, 9_999), 4)
  const amount = () => decimal(random.between(0, 4e9), 6)
  const side = () => Array.from({ length: random.between(0, 5) }, (): [string, string] => [level(), amount()])
  if (random.chance(0.08)) {
    const of = { bids: side(), asks: side() }
    return { type: 'book', levels: of, bids: JSON.stringify(of.bids), asks: JSON.stringify(of.asks) }
  }
  const best = { bestBid: random.pick([level(), null]), bestAsk: level() }
  if (random.chance(0.1)) return { type: 'best_bid_ask', ...best }
  const traded = { price: level(), size: amount(), side: random.pick(['BUY', 'SELL']) }
  if (random.chance(0.1)) {
    const transaction = `0x${random.between(1, 9e9).toString(16).padStart(64, '0')}`
    return { type: 'last_trade_price', ...traded, fee: random.pick([0, null]), transaction }
  }
  if (random.chance(0.02)) return { type: 'tick_size_change', oldTick: '0.01', newTick: '0.001' }
  return { type: 'price_change', ...traded, ...best }
}
