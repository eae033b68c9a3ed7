// Answers the trades shown, and the counts of a date.
//
// Where the contract leaves room:
// - A layer has a trade on a date if it has one that can be read, of any book, at any time of the date. An own trade
//   within an archive's span counts, too.
// - If own has no trade, the first archive that has one on the date lends its trades to the own spans. Section 15
//   decides the order of archives.
// - Borrowed trades are ordered among the others by time. The count `trades` includes borrowed trades.
//   Quotes and gaps that are passed over do not count; `records` counts every record shown.

import type { TimedRecord } from '../event-time.ts'
import { type TradeRow, tradeRow } from '../questions/trades.ts'
import type { Partition } from '../quotes.ts'
import { type RangeRequest, rangeOf } from '../summary.ts'
import { archivesInOrder } from './archives.ts'
import { type Layer, partitionAt } from './layer.ts'
import { changesOfPieces, piecesOf } from './pieces.ts'
import type { ShownDate } from './shown.ts'
import { sourceAt } from './spans.ts'

/** A trade. `record` is null for a trade of an archive in an own span. */
export type ShownTrade = Omit<TradeRow, 'record'> & { record: number | null }
export type ShownCounts = { records: number; quotes: number; trades: number; gaps: number }
/** All layers of a market, and the archives in the operator's order. */
type Lending = { layers: Layer[]; sources: string[] | undefined }

/** Returns the trades of one book; of all books if `book` is null. */
export function shownTrades(dates: ShownDate[], lending: Lending, book: string | null): ShownTrade[] {
  return dates.flatMap((shown) => {
    const placed = piecesOf([shown], book).flatMap(({ records }) => records.flatMap((each) => tradeRow(each) ?? []))
    const borrowed = borrowedTrades(shown, lending)
      .filter((record) => book === null || record.book === book)
      .flatMap((record) => tradeRow({ record, date: shown.date, place: -1 }) ?? [])
      .map((row): ShownTrade => ({ ...row, record: null }))
    return [...placed, ...borrowed].sort((one, other) => one.timestamp - other.timestamp)
  })
}

/** Returns the dates with only the records of their trades. */
export function tradePartitions(dates: ShownDate[], lending: Lending): Partition[] {
  return dates.map((shown) => {
    const placed = piecesOf([shown], null).flatMap(({ records }) => records.map(({ record }) => record))
    const trades = [...placed.filter(isTrade), ...borrowedTrades(shown, lending)]
    return { date: shown.date, records: trades.sort((one, other) => one.timestamp - other.timestamp) }
  })
}

export const tradesInRange = (trades: ShownTrade[], request: RangeRequest): ShownTrade[] => {
  const { start, end } = rangeOf(request)
  return trades.filter(({ timestamp }) => timestamp >= start && timestamp <= end)
}

const isTrade = ({ type }: TimedRecord): boolean => type === 'trade'

function borrowedTrades({ date, spans }: ShownDate, { layers, sources }: Lending): TimedRecord[] {
  const isReadable = (record: TimedRecord) => tradeRow({ record, date, place: -1 }) !== undefined
  const tradesOf = (layer: Layer | undefined) => partitionAt(layer, date)?.records.filter(isReadable) ?? []
  if (tradesOf(layers.find(({ source }) => source === null)).length > 0) return []
  const lender = archivesInOrder(layers, date, sources).find((layer) => tradesOf(layer).length > 0)
  return tradesOf(lender).filter(({ timestamp }) => sourceAt(spans, timestamp) === null)
}

/** Returns the counts of a date. `dates` are all dates of the market. */
export function shownCounts(dates: ShownDate[], date: string, lending: Lending): ShownCounts {
  const shown = dates.find((each) => each.date === date)
  if (shown === undefined) return { records: 0, quotes: 0, trades: 0, gaps: 0 }
  const replayed = shown.records.filter(({ isPassedOver }) => !isPassedOver).map(({ record }) => record)
  const books = new Set(replayed.flatMap(({ book }) => book ?? []))
  const changes = [...books].flatMap((book) => changesOfPieces(piecesOf([shown], book)).flatMap((each) => each.changes))
  return {
    records: shown.records.length,
    quotes: changes.filter(({ isQuote }) => isQuote).length,
    trades: shownTrades([shown], lending, null).length,
    gaps: replayed.filter(({ type }) => type === 'gap').length,
  }
}
