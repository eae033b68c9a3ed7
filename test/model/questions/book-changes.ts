// Answers the levels that each record of one book changes.

import { applyRecord, type Book, copyOf, type Side, type Trust, unseenBook } from '../book.ts'
import { toNumber } from '../exact.ts'
import type { Partition } from '../quotes.ts'
import { type RangeRequest, rangeOf } from '../summary.ts'
import type { ShownTrust } from './bucket-trust.ts'
import { doubtfulSpans, type GapsOfDate, isIn } from './doubt.ts'
import { type Placed, placedRecords } from './place.ts'

/** A window, or a range of records of a date. `record` and `limit` count the records of all books, like raw data
 *  does. */
export type ChangesRequest = (RangeRequest | { date: string; record: number; limit: number }) & {
  inferredGaps: GapsOfDate
  /** The values of trust to return; undefined for all rows. */
  trust?: readonly string[] | undefined
}

export type ChangeRow = {
  timestamp: number
  record: number
  kind: 'level' | 'snapshot' | 'gap'
  side: 'bid' | 'ask' | null
  price: number | null
  before: number | null
  after: number | null
  trust: ShownTrust
}

export function bookChanges(partitions: Partition[], book: string, request: ChangesRequest): ChangeRow[] {
  const state = unseenBook()
  const rows: Omit<ChangeRow, 'trust'>[] = []
  /** Trust after all records of a ms, by Unix ms. */
  const trusts = new Map<number, Trust>()
  for (const placed of placedRecords(partitions, book)) {
    if (isRequested(placed, request)) {
      const before = copyOf(state)
      applyRecord(state, placed.record)
      rows.push(...changeRows(placed, before, state))
    } else applyRecord(state, placed.record)
    trusts.set(placed.record.timestamp, state.trust)
  }
  const spans = doubtfulSpans(partitions, book, request.inferredGaps)
  const trusted = rows.map((row): ChangeRow => {
    const trust = trusts.get(row.timestamp)!
    return { ...row, trust: trust !== 'lost' && isIn(spans, row.timestamp) ? 'doubtful' : trust }
  })
  return trusted.filter(({ trust }) => request.trust?.includes(trust) ?? true)
}

function isRequested({ record, date, place }: Placed, request: ChangesRequest): boolean {
  if ('record' in request) {
    return date === request.date && place >= request.record && place < request.record + request.limit
  }
  const { start, end } = rangeOf(request)
  return record.timestamp >= start && record.timestamp <= end
}

/** Returns the rows of one record: bids first, then asks, each side best first. */
export function changeRows({ record, place }: Placed, before: Book, after: Book): Omit<ChangeRow, 'trust'>[] {
  const { type, timestamp } = record
  if (type !== 'snapshot' && type !== 'delta' && type !== 'gap') return []
  const head = { timestamp, record: place, kind: type === 'delta' ? ('level' as const) : type }
  const bids = changedPrices(before.bids, after.bids).reverse()
  const asks = changedPrices(before.asks, after.asks)
  const row = (side: 'bid' | 'ask', price: bigint) => {
    const levels = side === 'bid' ? [before.bids, after.bids] : [before.asks, after.asks]
    const [sizeBefore, sizeAfter] = levels.map((map) => toNumber(map.get(price) ?? 0n))
    return { ...head, side, price: toNumber(price), before: sizeBefore!, after: sizeAfter! }
  }
  const rows = [...bids.map((price) => row('bid', price)), ...asks.map((price) => row('ask', price))]
  // A gap always has a row, even if there is no level to remove.
  if (type === 'gap' && rows.length === 0) return [{ ...head, side: null, price: null, before: null, after: null }]
  return rows
}

/** Returns the prices whose size changed, ascending. */
const changedPrices = (before: Side, after: Side): bigint[] =>
  [...new Set([...before.keys(), ...after.keys()])]
    .filter((price) => before.get(price) !== after.get(price))
    .sort((one, other) => (one < other ? -1 : 1))
