// Values of the rows of markets and days.

import { readingOf } from '../damage.ts'
import { DataError } from '../failures.ts'
import type { DaySums, DayTotals, MarketDay } from '../finding/day-totals.ts'
import { NO_SUMS } from '../finding/day-totals.ts'
import type { PartitionHead } from '../format/partition-head.ts'
import type { MarketEntry } from '../market-entry.ts'
import type { PartitionKey } from '../partition-key.ts'
import { SEAL_BYTES } from '../sealed/seal.ts'
import { openHead } from '../sealed/stored-parts.ts'
import type { RowKey } from './rows.ts'
import { openPacked, openText, sealPacked, sealText } from './sealed-rows.ts'

/** The entry of a market. A market that lost all its days has no dates, and its entry is in another kind of row.
 *  `moves` counts how often parts of the market's days were moved, so that each change of a day changes the entry. */
export type StoredMarket = MarketEntry & { base: number; moves: number }

export const NO_DATE = '0000-00-00'
const DATE_LENGTH = NO_DATE.length
export const NO_MARKET: StoredMarket = {
  ...{ firstDate: NO_DATE, lastDate: NO_DATE, dateCount: 0, recordCount: 0, revision: 0, base: 0, moves: 0 },
}

export function sealMarket(key: RowKey, { firstDate, lastDate, ...counts }: StoredMarket): Uint8Array {
  const { dateCount, recordCount, revision, base, moves } = counts
  return sealText(key, `${firstDate}${lastDate}${dateCount} ${recordCount} ${revision} ${base} ${moves}`)
}

/** Returns `NO_MARKET` if nothing is stored. Throws DataError('block_corrupt'), like every function here that opens a
 *  value. */
export function openMarket(key: RowKey, bytes: Uint8Array | undefined): StoredMarket {
  if (bytes === undefined) return NO_MARKET
  const text = openText(key, bytes, ([venue, market]) => `entry of the ${venue} market ${market}`)
  const [firstDate, lastDate] = [text.slice(0, DATE_LENGTH), text.slice(DATE_LENGTH, 2 * DATE_LENGTH)]
  const [dateCount, recordCount, revision, base, moves] = text
    .slice(2 * DATE_LENGTH)
    .split(' ')
    .map(Number) as [number, number, number, number, number]
  return { firstDate, lastDate, dateCount, recordCount, revision, base, moves }
}

/** `head` is sealed. `placement` says where the parts of the partition are stored. It begins with a checksum of its
 *  own. It is empty if the parts are in rows. */
export type StoredDayRow = { head: Uint8Array; placement: Uint8Array }

const LENGTH_BYTES = 4
const DAY_BYTES = SEAL_BYTES + LENGTH_BYTES

/** Packs the row of a day. The revision of the row changes with the head and with the placement. */
export function packDay({ head, placement }: StoredDayRow): Uint8Array {
  const bytes = new Uint8Array(DAY_BYTES + head.length + placement.length)
  for (let at = 0; at < SEAL_BYTES; at++) bytes[at] = head[at]! ^ (placement[at] ?? 0)
  for (let at = 0; at < LENGTH_BYTES; at++) bytes[SEAL_BYTES + at] = head.length >>> (8 * at)
  bytes.set(head, DAY_BYTES)
  bytes.set(placement, DAY_BYTES + head.length)
  return bytes
}

/** Returns the head and the placement as views of the row's bytes. */
export function unpackDay(key: PartitionKey, bytes: Uint8Array): StoredDayRow {
  return readingOf(key, 'head', () => {
    let length = 0
    for (let at = 0; at < LENGTH_BYTES; at++) length += (bytes[SEAL_BYTES + at] ?? 0xff) * 2 ** (8 * at)
    const head = bytes.subarray(DAY_BYTES, DAY_BYTES + length)
    const placement = bytes.subarray(DAY_BYTES + length)
    let isWhole = head.length === length
    for (let at = 0; at < SEAL_BYTES; at++) isWhole &&= bytes[at] === (head[at]! ^ (placement[at] ?? 0))
    if (!isWhole) throw new DataError('block_corrupt', 'it does not match its checksum')
    return { head, placement }
  })
}

/** Returns the head in the row of a day. Does not change the row. */
export const headIn = (key: PartitionKey, bytes: Uint8Array): PartitionHead =>
  openHead(key, new Uint8Array(unpackDay(key, bytes).head))

/** Encodes the counts of a partition that lists of a date show. */
export const sealCounts = (key: RowKey, { records, trades, volume, gaps, gapMs }: DayTotals): Uint8Array =>
  sealText(key, `${records} ${trades} ${volume} ${gaps} ${gapMs}`)

/** Returns the counts as text, for `parseCounts` and `amountIn`. */
export const openCounts = (key: RowKey, bytes: Uint8Array): string =>
  openText(key, bytes, ([venue, date, market]) => `counts of the ${venue} market ${market} on ${date}`)

export function parseCounts(text: string): Omit<MarketDay, 'market'> {
  const [records, trades, volume, gaps, gapMs] = text.split(' ') as [string, ...string[]]
  return {
    ...{ records: Number(records), trades: Number(trades), volume: BigInt(volume!) },
    ...{ gaps: Number(gaps), gapMs: Number(gapMs) },
  }
}

/** Returns one of the counts, rounded if it is larger than a safe integer. */
export function amountIn(text: string, name: 'records' | 'trades' | 'volume'): number {
  const first = text.indexOf(' ')
  if (name === 'records') return Number(text.slice(0, first))
  const second = text.indexOf(' ', first + 1)
  return Number(
    name === 'trades' ? text.slice(first + 1, second) : text.slice(second + 1, text.indexOf(' ', second + 1)),
  )
}

export const sealSums = (key: RowKey, { volume, ...counts }: DaySums): Uint8Array =>
  sealPacked(key, { ...counts, volume: String(volume) })

/** Returns `NO_SUMS` if nothing is stored. */
export function openSums(key: RowKey, bytes: Uint8Array | undefined): DaySums {
  if (bytes === undefined) return NO_SUMS
  type Packed = Omit<DaySums, 'volume'> & { volume: string }
  const { volume, ...counts } = openPacked<Packed>(key, bytes, ([venue, date]) => `sums of ${venue} on ${date}`)
  return { ...counts, volume: BigInt(volume) }
}

/** One shard's counters for a venue. `markets` is the number of stored markets, `changes` the number of times that a
 *  market was added or removed, `numbers` the highest market number in use. */
export type Counters = { markets: number; changes: number; lastRecordMs: number | null; numbers: number }

const NO_COUNTERS: Counters = { markets: 0, changes: 0, lastRecordMs: null, numbers: 0 }

export const sealCounters = (key: RowKey, counters: Counters): Uint8Array => sealPacked(key, counters)

/** Returns zeros if nothing is stored. */
export const openCounters = (key: RowKey, bytes: Uint8Array | undefined): Counters =>
  bytes === undefined ? NO_COUNTERS : openPacked(key, bytes, ([venue]) => `counters of ${venue}`)
