// market/trades, page by page, and market/trade-summary against the model.

import type { Query } from '../../model/questions/model-ask.ts'
import { modelAsk } from '../../model/questions/model-ask.ts'
import { expectSameFormats } from './compare-formats.ts'
import { type Comparison, expectSameAnswer, expectSameValue, questionText } from './comparison.ts'
import { bookQuery, finestFor, marketQuery, rangeIn, storedBooks } from './stored-books.ts'

const ALL = '100000'

/** Compares the trades of one book and of all books, in pages of different sizes. */
export async function compareTrades(comparison: Comparison): Promise<void> {
  const { model, random, count, nowMs } = comparison
  const books = storedBooks(model)
  for (let i = 0; i < count; i++) {
    const stored = random.pick(books)
    const subject = random.chance(0.5) ? bookQuery(stored) : marketQuery(stored)
    const query = { ...subject, ...rangeIn(stored, random) }
    const path = `/${stored.venue}/market/trades`
    const expected = await modelAsk(model, nowMs)(path, { ...query, limit: ALL })
    const trades = expected['data'] as unknown[]
    const limit = Math.max(random.pick([1, 3, 100, 10_000]), Math.ceil(trades.length / 5))
    await expectPages(comparison, path, { ...query, limit: String(limit) }, trades, limit)
    if (i % 4 === 0) await expectSameFormats(comparison, path, { ...query, limit: '50' })
  }
}

async function expectPages(
  { ask }: Comparison,
  path: string,
  query: Query,
  expected: unknown[],
  limit: number,
): Promise<void> {
  let cursor: Query = {}
  for (let from = 0; ; from += limit) {
    const page = await ask(path, { ...query, ...cursor })
    const question = questionText(path, { ...query, ...cursor })
    const data = expected.slice(from, from + limit)
    const isMore = from + limit < expected.length
    const { next_cursor: next, ...rest } = page
    expectSameValue(question, 'data', rest['data'], data)
    expectSameValue(question, 'data_count', rest['data_count'], data.length)
    expectSameValue(question, 'has_more', rest['has_more'], isMore)
    expectSameValue(question, 'whether there is a next_cursor', typeof next, isMore ? 'string' : 'object')
    if (!isMore) return
    cursor = { cursor: String(next) }
  }
}

/** Compares trade summaries over dates and windows, at any resolution, with both fills. */
export async function compareTradeSummaries(comparison: Comparison): Promise<void> {
  const { model, random, count } = comparison
  const books = storedBooks(model)
  for (let i = 0; i < count; i++) {
    const stored = random.pick(books)
    const range = rangeIn(stored, random)
    const resolution = Math.max(finestFor(range), random.pick([1, 7, 60, 301, 3_600]))
    const fill: Query = random.chance(0.4) ? { fill: 'range' } : {}
    const query = { ...bookQuery(stored), ...range, resolution: String(resolution), ...fill }
    const path = `/${stored.venue}/market/trade-summary`
    await expectSameAnswer(comparison, path, query)
    if (i % 4 === 0) await expectSameFormats(comparison, path, query)
  }
}
