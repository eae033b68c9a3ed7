// Answers the book at an instant, and the changes of a book, over the records shown.
//
// Where the contract leaves room:
// - After a switch, until the first record of the new source, `as_of` is the time of the switch and `record` is null.
// - A record that is passed over does not count as a record of the book. Nor does a record before the last switch.
// - The tick size is the last one in the records shown, whichever source they are from.
// - `verified` uses the layer of the last record: only this layer has all records and trades before it.
// - In a request by places, a switch belongs to the record after it; at the end of a date, to the last record.
// - The trust at an instant is the trust of the layer shown then. All records of the layer are evidence for a doubt.

import { applyRecord, type Book, copyOf, shownAsks, shownBids, unseenBook } from '../book.ts'
import type { TimedRecord } from '../event-time.ts'
import { toNumber } from '../exact.ts'
import { type BookAnswer, printLevels } from '../questions/book-at.ts'
import { type ChangeRow, changeRows } from '../questions/book-changes.ts'
import { isUntil, type Placed, placedRecords, type Until } from '../questions/place.ts'
import { tickSizeOf } from '../questions/tick-size.ts'
import { verify } from '../questions/verified.ts'
import { type RangeRequest, rangeOf } from '../summary.ts'
import type { Layer } from './layer.ts'
import { type Piece, piecesOf } from './pieces.ts'
import { type ShownDate, trustAt } from './shown.ts'
import type { ShownTrade } from './shown-trades.ts'
import type { AnyTrust } from './shown-trust.ts'

export type ShownBookRequest = { until: Until; depth?: number | undefined }
export type ShownBook = Omit<BookAnswer, 'last_trade' | 'trust'> & { trust: AnyTrust; last_trade: ShownTrade | null }

/** Returns the book at an instant. `trades` are all shown trades of the book. */
export function shownBookAt(
  layers: Layer[],
  dates: ShownDate[],
  book: string,
  { until, depth }: ShownBookRequest,
  trades: ShownTrade[],
): ShownBook {
  const timestamp = 'ms' in until ? until.ms : timeAt(dates, until.date, until.place)
  const begun = piecesOf(dates, book).filter((piece) => isBegun(piece, until))
  const applied = begun.flatMap(({ records }) => records.filter((placed) => isUntil(placed, until)))
  const switched = begun.findLastIndex(({ begins }) => begins !== undefined)
  const last = begun
    .slice(Math.max(0, switched))
    .flatMap(({ records }) => records.filter((placed) => isUntil(placed, until)))
    .at(-1)
  const state = copyOf(begun[switched]?.begins ?? unseenBook())
  for (const { records } of begun.slice(Math.max(0, switched))) {
    for (const placed of records) if (isUntil(placed, until)) applyRecord(state, placed.record)
  }
  const begin = begun[switched]?.begins == null ? null : begun[switched]!
  const layer = layers.find(({ source }) => source === begun.at(-1)?.source)
  const isKnown = layer !== undefined && (last !== undefined || begin !== null)
  const tick = tickSizeOf(applied)
  return {
    timestamp,
    as_of: last?.record.timestamp ?? begin?.fromMs ?? null,
    date: last?.date ?? begin?.date ?? null,
    record: last?.place ?? null,
    trust: isKnown ? trustAt(layer, book, state, timestamp) : 'unknown',
    bids: printLevels(shownBids(state).slice(0, depth)),
    asks: printLevels(shownAsks(state).slice(0, depth)),
    last_trade: trades.findLast((trade) => isTradeUntil(trade, until, timestamp)) ?? null,
    tick_size: tick === undefined ? null : toNumber(tick),
    verified: layer === undefined || last === undefined ? null : verifyInLayer(layer, book, last, state),
  }
}

function timeAt(dates: ShownDate[], date: string, place: number): number {
  const shown = dates.find((each) => each.date === date)?.records[place]
  if (shown === undefined) throw new Error(`${date} has no record ${place}`)
  return shown.record.timestamp
}

function isBegun({ date, fromMs, place }: Piece, until: Until): boolean {
  if ('ms' in until) return fromMs <= until.ms
  return date < until.date || (date === until.date && place <= until.place)
}

/** Returns whether a trade is not later than `until`. A borrowed trade has no record number, so its time is
 *  compared. */
function isTradeUntil({ timestamp, record }: ShownTrade, until: Until, untilMs: number): boolean {
  if ('ms' in until || record === null) return timestamp <= untilMs
  const date = new Date(timestamp).toISOString().slice(0, 10)
  return date < until.date || (date === until.date && record <= until.place)
}

function verifyInLayer({ partitions }: Layer, book: string, last: Placed, state: Book): boolean | null {
  const ofBook = placedRecords(partitions, book)
  const index = ofBook.findIndex(({ record }) => record === last.record)
  return verify(partitions, book, ofBook.slice(0, index + 1), state)
}

export type ShownChangesRequest = (RangeRequest | { date: string; record: number; limit: number }) & {
  trust?: readonly string[] | undefined
}
export type ShownChangeRow = Omit<ChangeRow, 'record' | 'trust'> & { record: number | null; trust: AnyTrust }

export function shownChanges(
  layers: Layer[],
  dates: ShownDate[],
  book: string,
  request: ShownChangesRequest,
): ShownChangeRow[] {
  let state = unseenBook()
  const rows: Omit<ShownChangeRow, 'trust'>[] = []
  /** Trust after all records of a ms, by Unix ms. */
  const trusts = new Map<number, AnyTrust>()
  for (const piece of piecesOf(dates, book)) {
    const layer = layers.find(({ source }) => source === piece.source)
    const trustNow = (ms: number) => (layer === undefined ? 'unknown' : trustAt(layer, book, state, ms))
    if (piece.begins !== undefined) {
      const before = state
      state = copyOf(piece.begins ?? unseenBook())
      if (isSwitchRequested(piece, dates, request)) rows.push(...switchRows(piece, before, state))
      trusts.set(piece.fromMs, piece.begins === null ? 'unknown' : trustNow(piece.fromMs))
    }
    for (const placed of piece.records) {
      const before = copyOf(state)
      applyRecord(state, placed.record)
      if (isRequested(placed, request)) rows.push(...changeRows(placed, before, state))
      if (!['snapshot', 'delta', 'gap'].includes(placed.record.type)) continue
      trusts.set(placed.record.timestamp, trustNow(placed.record.timestamp))
    }
  }
  return rows
    .map((row): ShownChangeRow => ({ ...row, trust: trusts.get(row.timestamp)! }))
    .filter(({ trust }) => request.trust?.includes(trust) ?? true)
}

/** Returns the rows of a switch. They look like the rows of a snapshot, but have no record number. A level that the
 *  switch leaves unchanged has no row. */
function switchRows({ fromMs }: Piece, before: Book, after: Book): Omit<ShownChangeRow, 'trust'>[] {
  const record = { type: 'snapshot', timestamp: fromMs } as TimedRecord
  return changeRows({ record, place: -1, date: '' }, before, after).map((row) => ({ ...row, record: null }))
}

function isRequested({ record, date, place }: Placed, request: ShownChangesRequest): boolean {
  if ('record' in request) {
    return date === request.date && place >= request.record && place < request.record + request.limit
  }
  return isInRange(record.timestamp, request)
}

function isSwitchRequested({ date, place, fromMs }: Piece, dates: ShownDate[], request: ShownChangesRequest): boolean {
  if (!('record' in request)) return isInRange(fromMs, request)
  const count = dates.find((each) => each.date === date)!.records.length
  const of = Math.min(place, count - 1)
  return date === request.date && of >= request.record && of < request.record + request.limit
}

function isInRange(ms: number, request: RangeRequest): boolean {
  const { start, end } = rangeOf(request)
  return ms >= start && ms <= end
}
