// The number of quotes of a book in each hour of a day.

import { AnswerCache, type Entry } from '../data/answer-cache.ts'
import { askJson } from '../data/ask.ts'
import { bookQuery, bookText, marketPath } from '../data/book-query.ts'
import type { BookId } from '../state/view.ts'

const HOUR_SECONDS = 3_600
const COUNT_MAX = 100
const cache = new AnswerCache<readonly number[]>(COUNT_MAX, () => 1)

type Answer = { data: { timestamp: number; quote_count: number }[] }

/** Returns the number of quotes in each of the 24 hours. */
export const quotesByHour = (book: BookId, date: string): Entry<readonly number[]> =>
  cache.take(`${bookText(book)} ${date}`, async (signal) => {
    const query = { ...bookQuery(book), date, resolution: HOUR_SECONDS }
    const { data } = await askJson<Answer>(marketPath(book, 'orderbook-summary'), query, signal)
    const hours = new Array<number>(24).fill(0)
    for (const { timestamp, quote_count: quotes } of data) hours[hourOf(timestamp, date)] = quotes
    return hours
  })

/** Returns the hour of a timestamp, which is in Unix ms. */
const hourOf = (ms: number, date: string) => Math.floor((ms - Date.parse(date)) / (HOUR_SECONDS * 1_000))
