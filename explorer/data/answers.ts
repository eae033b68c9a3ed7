// Short answers about a market, cached while the page is open.

import type { KalshiBook, KalshiCoverage, KalshiMarketInfo, PolymarketBook } from '../../src/client/backbook.d.ts'
import type { BookId } from '../state/view.ts'
import { AnswerCache, type Entry } from './answer-cache.ts'
import { askJson } from './ask.ts'
import { bookQuery, bookText, marketPath, marketQuery, type Query } from './book-query.ts'
import { ofSide } from './no-side/of-side.ts'

/** The fields that both venues have. */
export type MarketInfo = Omit<KalshiMarketInfo, 'market_ticker'>
export type Coverage = Omit<KalshiCoverage, 'market_ticker'>
export type Book = Omit<KalshiBook, 'market_ticker'> | Omit<PolymarketBook, 'market_condition_id'>

const COUNT_MAX = 200
const infos = new AnswerCache<MarketInfo>(COUNT_MAX, () => 1)
const coverages = new AnswerCache<Coverage>(COUNT_MAX, () => 1)
const books = new AnswerCache<Book>(COUNT_MAX, () => 1)

export const marketInfo = (book: BookId): Entry<MarketInfo> =>
  infos.take(marketText(book), (signal) => askJson(marketPath(book, 'info'), marketQuery(book), signal))

export const coverage = (book: BookId): Entry<Coverage> =>
  coverages.take(marketText(book), (signal) => askJson(marketPath(book, 'coverage'), marketQuery(book), signal))

/** Returns the book at an instant (Unix ms), or after a record of a date. */
export function bookAt(book: BookId, at: { ms: number } | { date: string; record: number }): Entry<Book> {
  const place = 'ms' in at ? { timestamp: at.ms } : at
  const name = `${bookText(book)} ${JSON.stringify(place)}`
  return books.take(name, (signal) => askBook(book, place, signal))
}

/** Requests a book. `place` is an instant, or a record of a date. */
export async function askBook(book: BookId, place: Query, signal: AbortSignal): Promise<Book> {
  const answer = await askJson<Book>(marketPath(book, 'book'), { ...bookQuery(book), ...place }, signal)
  return ofSide(book, answer, ({ flippedBook }) => flippedBook)
}

const ids = new AnswerCache<ReadonlyMap<number, string | null>>(COUNT_MAX, () => 1)

/** Returns the venue's ids of the trades at an instant (Unix ms), as a map from record number to id. */
export const tradeIds = (book: BookId, ms: number): Entry<ReadonlyMap<number, string | null>> =>
  ids.take(`${bookText(book)} ${ms}`, async (signal) => {
    const query = { ...bookQuery(book), start_timestamp: ms, end_timestamp: ms }
    const { data } = await askJson<{ data: { record: number; trade_id: string | null }[] }>(
      marketPath(book, 'trades'),
      query,
      signal,
    )
    return new Map(data.map(({ record, trade_id }) => [record, trade_id]))
  })

/** Marks the answers as stale that change while a market is recorded: its coverage, and its books at `sinceMs` or
 *  later. If the records were rewritten, marks all its books, also those that were requested by record number. */
export function renewAnswers(book: BookId, { sinceMs, isRewritten }: { sinceMs: number; isRewritten: boolean }): void {
  const text = marketText(book)
  coverages.renew((name) => name.startsWith(text))
  const isSince = (name: string) => Number(/"timestamp":(\d+)/.exec(name)?.[1] ?? -1) >= sinceMs
  books.renew((name) => name.startsWith(text) && (isRewritten || isSince(name)))
}

const marketText = ({ venue, market }: BookId) => `${venue} ${market} `
