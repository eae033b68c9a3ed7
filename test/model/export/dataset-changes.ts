// Makes a data set's rows of changes for one book and date from the model's records, one record at a time.

import { applyRecord, type Book, copyOf, type Side, unseenBook } from '../book.ts'
import type { TimedRecord } from '../event-time.ts'
import { toNumber } from '../exact.ts'
import { placedRecords } from '../questions/place.ts'
import { continuedBook, type Partition } from '../quotes.ts'

export type DatasetChange = {
  /** Event time, Unix µs. */
  timestamp: number
  venue_time: number | null
  received_at: number | null
  record: number | null
  kind: 'opening' | 'snapshot' | 'level' | 'gap'
  side: 'bid' | 'ask' | 'none'
  price: number
  size: number
}

type Place = Pick<DatasetChange, 'timestamp' | 'venue_time' | 'received_at' | 'record'>

/** Returns the changes. If a record sets a level twice, only the last size counts. */
export function datasetChanges(partitions: Partition[], book: string, date: string): DatasetChange[] {
  const index = partitions.findIndex((partition) => partition.date === date)
  const state = continuedBook(partitions, index, book)
  const rows: DatasetChange[] = []
  const records = placedRecords(partitions, book)
  const midnight = { timestamp: Date.parse(date) * 1_000, venue_time: null, received_at: null, record: null }
  rows.push(...changesBetween(unseenBook(), state, midnight, 'opening'))
  for (const { record, place } of records.filter((placed) => placed.date === date)) {
    const before = copyOf(state)
    applyRecord(state, record)
    if (record.type !== 'snapshot' && record.type !== 'delta' && record.type !== 'gap') continue
    const kind = record.type === 'delta' ? 'level' : record.type
    const changes = changesBetween(before, state, placeOf(record, place), kind)
    const silent = { ...placeOf(record, place), kind, side: 'none', price: 0, size: 0 } as const
    rows.push(...(kind === 'gap' && changes.length === 0 ? [silent] : changes))
  }
  return rows
}

/** Records that a recorder writes itself, such as gaps, have no venue time. */
function placeOf({ type, timestamp, receivedAt, quoteNs, venueNs }: TimedRecord, record: number): Place {
  const venueTimeNs = type === 'gap' ? undefined : (quoteNs ?? venueNs)
  return {
    timestamp: timestamp * 1_000,
    venue_time: venueTimeNs === undefined ? null : Number(venueTimeNs / 1_000n),
    received_at: receivedAt === null ? null : receivedAt * 1_000,
    record,
  }
}

/** Returns the changed levels: bids, then asks, each side best first. */
function changesBetween(before: Book, after: Book, place: Place, kind: DatasetChange['kind']): DatasetChange[] {
  const row = (side: 'bid' | 'ask', price: bigint, size: bigint): DatasetChange => {
    return { ...place, kind, side, price: toNumber(price), size: toNumber(size) }
  }
  const bids = changedPrices(before.bids, after.bids).reverse()
  const asks = changedPrices(before.asks, after.asks)
  return [
    ...bids.map((price) => row('bid', price, after.bids.get(price) ?? 0n)),
    ...asks.map((price) => row('ask', price, after.asks.get(price) ?? 0n)),
  ]
}

const changedPrices = (before: Side, after: Side): bigint[] =>
  [...new Set([...before.keys(), ...after.keys()])]
    .filter((price) => before.get(price) !== after.get(price))
    .sort((one, other) => (one < other ? -1 : 1))
