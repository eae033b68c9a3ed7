// Makes an hour of pmxt v2 as its publisher would write it: generated markets, sorted by market, token and receive
// time, in row groups of a million rows. Its books agree with the best prices in its rows.

import { join } from 'node:path'
import type { SchemaElement } from 'hyparquet'
import { type ColumnSource, ParquetWriter } from 'hyparquet-writer'
import { fileWriter } from 'hyparquet-writer/src/node.js'
import { HOUR_MS } from '../../storage/units.ts'
import { cached } from './cache.ts'
import { sourceKey } from './source-key.ts'

/** Number of rows in a row group, the same as in real files. */
const GROUP_ROWS = 1_048_576
const HOUR = Date.UTC(2026, 4, 22, 17)
const BATCH_MS = 500
const LEVELS = 40
const BOOK_SHARE = 0.002
const TRADE_SHARE = 0.016
const REMOVAL_SHARE = 0.185
const ROWS_IN_MARKET = 40_000

const millis = { converted_type: 'TIMESTAMP_MILLIS' } as const
const price = { type: 'INT32', converted_type: 'DECIMAL', precision: 9, scale: 4 } as const
const SCHEMA: SchemaElement[] = [
  { name: 'schema', num_children: 16 },
  { name: 'timestamp_received', type: 'INT64', repetition_type: 'REQUIRED', ...millis },
  { name: 'timestamp', type: 'INT64', repetition_type: 'OPTIONAL', ...millis },
  { name: 'market', type: 'FIXED_LEN_BYTE_ARRAY', type_length: 66, repetition_type: 'REQUIRED' },
  { name: 'event_type', type: 'BYTE_ARRAY', converted_type: 'UTF8', repetition_type: 'REQUIRED' },
  { name: 'asset_id', type: 'BYTE_ARRAY', converted_type: 'UTF8', repetition_type: 'REQUIRED' },
  { name: 'bids', type: 'BYTE_ARRAY', converted_type: 'UTF8', repetition_type: 'OPTIONAL' },
  { name: 'asks', type: 'BYTE_ARRAY', converted_type: 'UTF8', repetition_type: 'OPTIONAL' },
  { name: 'price', repetition_type: 'OPTIONAL', ...price },
  {
    ...{ name: 'size', type: 'INT64', converted_type: 'DECIMAL', repetition_type: 'OPTIONAL' },
    ...{ precision: 18, scale: 6 },
  },
  { name: 'side', type: 'BYTE_ARRAY', converted_type: 'UTF8', repetition_type: 'OPTIONAL' },
  { name: 'best_bid', repetition_type: 'OPTIONAL', ...price },
  { name: 'best_ask', repetition_type: 'OPTIONAL', ...price },
  { name: 'fee_rate_bps', type: 'INT32', converted_type: 'UINT_16', repetition_type: 'OPTIONAL' },
  { name: 'transaction_hash', type: 'BYTE_ARRAY', converted_type: 'UTF8', repetition_type: 'OPTIONAL' },
  { name: 'old_tick_size', repetition_type: 'OPTIONAL', ...price },
  { name: 'new_tick_size', repetition_type: 'OPTIONAL', ...price },
]

type Cell = bigint | number | string | Uint8Array | null
type Columns = Cell[][]

/** Returns the path of the file. */
export async function pmxtHour(rows: number): Promise<string> {
  const key = sourceKey('bench/datasets/pmxt-hour.ts')
  const folder = await cached(`pmxt-hour-${rows}`, key, async (made) => write(join(made, 'hour.parquet'), rows))
  return join(folder, 'hour.parquet')
}

async function write(path: string, rowCount: number): Promise<void> {
  const writer = new ParquetWriter({
    writer: fileWriter(path),
    schema: SCHEMA,
    codec: 'ZSTD',
    compressors: { ZSTD: (bytes) => Bun.zstdCompressSync(bytes as Uint8Array<ArrayBuffer>) },
  })
  const random = randomOf(7)
  const markets = Math.max(1, Math.round(rowCount / ROWS_IN_MARKET))
  let columns = newColumns()
  const flush = async () => {
    const columnData = SCHEMA.slice(1).map(({ name }, i) => ({ name, data: columns[i]! })) as ColumnSource[]
    await writer.write({ columnData, rowGroupSize: GROUP_ROWS })
    columns = newColumns()
  }
  for (let market = 0; market < markets; market++) {
    const name = new TextEncoder().encode(`0x${hexOf(market, 8)}${hexOf(0, 56)}`)
    for (let token = 0; token < 2; token++) {
      const end = Math.round((rowCount * (2 * market + token + 1)) / (2 * markets))
      const begin = Math.round((rowCount * (2 * market + token)) / (2 * markets))
      for (const row of tokenRows(name, `${10n ** 76n + BigInt(2 * market + token)}`, end - begin, random)) {
        for (const [i, cell] of row.entries()) columns[i]!.push(cell)
        if (columns[0]!.length === GROUP_ROWS) await flush()
      }
    }
  }
  if (columns[0]!.length > 0) await flush()
  await writer.finish()
}

function* tokenRows(market: Uint8Array, token: string, count: number, random: () => number): Generator<Cell[]> {
  const [bids, asks] = [new Map<number, number>(), new Map<number, number>()]
  const best = [0, 0]
  let middle = 3_000 + 10 * Math.floor(400 * random())
  for (let i = 0; i < count; i++) {
    const at = HOUR + Math.floor((HOUR_MS * i) / count)
    const received = BigInt(Math.ceil((at + 40) / BATCH_MS) * BATCH_MS)
    const place = (type: string): Cell[] => [received, BigInt(at), market, type, token]
    if (i === 0 || random() < BOOK_SHARE) {
      middle = Math.min(9_000, Math.max(1_000, middle + 10 * Math.round(6 * random() - 3)))
      refill(bids, asks, middle, random)
      best[0] = middle - 10
      best[1] = middle + 10
      yield [...place('book'), printed(bids, -1), printed(asks, 1), ...Array(9).fill(null)]
    } else if (random() < TRADE_SHARE) {
      const hash = `0x${Array.from({ length: 8 }, () => hexOf(Math.floor(2 ** 32 * random()), 8)).join('')}`
      const traded: Cell[] = [BigInt(middle), sizeOf(random), random() < 0.5 ? 'BUY' : 'SELL', null, null, 0, hash]
      yield [...place('last_trade_price'), null, null, ...traded, null, null]
    } else {
      const isBid = random() < 0.5
      const levels = isBid ? bids : asks
      const level = middle + (isBid ? -10 : 10) * (1 + Math.floor(LEVELS * random() ** 2))
      const size = random() < REMOVAL_SHARE && levels.size > 1 ? 0n : sizeOf(random)
      if (size === 0n) levels.delete(level)
      else levels.set(level, Number(size))
      best[0] = isBid ? bestOf(bids, best[0]!, level, size > 0n, 1) : best[0]!
      best[1] = isBid ? best[1]! : bestOf(asks, best[1]!, level, size > 0n, -1)
      const change: Cell[] = [BigInt(level), size, isBid ? 'BUY' : 'SELL', BigInt(best[0]!), BigInt(best[1]!)]
      yield [...place('price_change'), null, null, ...change, ...Array(4).fill(null)]
    }
  }
}

/** Returns the best price of a side after the level at the price `level` changed. `isThere`: that level still has
 *  a size. `sign` is 1 for bids, -1 for asks. */
function bestOf(levels: Map<number, number>, best: number, level: number, isThere: boolean, sign: 1 | -1): number {
  if (isThere) return sign * (level - best) > 0 ? level : best
  if (level !== best) return best
  let found = level - sign * 10
  while (!levels.has(found)) found -= sign * 10
  return found
}

function refill(bids: Map<number, number>, asks: Map<number, number>, middle: number, random: () => number): void {
  bids.clear()
  asks.clear()
  for (let i = 1; i <= LEVELS; i++) {
    bids.set(middle - 10 * i, Number(sizeOf(random)))
    asks.set(middle + 10 * i, Number(sizeOf(random)))
  }
}

/** Returns the text of a side with its best level last, as in the archive: bids ascend, asks descend. */
function printed(levels: Map<number, number>, best: 1 | -1): string {
  const sorted = [...levels].sort(([one], [other]) => best * (other - one))
  return JSON.stringify(sorted.map(([level, size]) => [`${level / 10_000}`, `${size / 1_000_000}`]))
}

/** Returns a size in multiples of 0.01 contract, up to 500; most are small. */
const sizeOf = (random: () => number): bigint => BigInt(1 + Math.floor(50_000 * random() ** 3)) * 10_000n

const hexOf = (value: number, digits: number): string => value.toString(16).padStart(digits, '0')

const newColumns = (): Columns => SCHEMA.slice(1).map(() => [])

/** Marsaglia's xorshift: the same numbers for the same seed. */
function randomOf(seed: number): () => number {
  let state = seed
  return () => {
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    return (state >>> 0) / 2 ** 32
  }
}
