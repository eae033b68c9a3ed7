// Compares the answer to one query, in every format of rows, with the model: the cells are the same, under flat names.

import { type Answer, inFormat, modelAsk, type Query } from '../../model/questions/model-ask.ts'
import { type Comparison, expectSameAnswer, expectSameValue, questionText } from './comparison.ts'
import { someOf, TRUSTS } from './some-of.ts'
import { bookQuery, finestFor, rangeIn, storedBooks } from './stored-books.ts'

const BUCKETS_MAX = 800
const FORMATS = ['ndjson', 'csv', 'arrow', 'parquet'] as const

/** Compares market/orderbook-summary as JSON and in the other formats. */
export async function compareSummaries(comparison: Comparison): Promise<void> {
  const { model, random, count } = comparison
  const books = storedBooks(model)
  for (let i = 0; i < count; i++) {
    const stored = random.pick(books)
    const range = rangeIn(stored, random)
    const resolution = Math.max(finestFor(range, BUCKETS_MAX), random.pick([1, 7, 60, 301, 3_600]))
    const fill: Query = random.chance(0.4) ? { fill: random.pick(['none', 'range']) } : {}
    const trust: Query = random.chance(0.3) ? { trust: someOf(TRUSTS, comparison) } : {}
    const query = { ...bookQuery(stored), ...range, resolution: String(resolution), ...fill, ...trust }
    const path = `/${stored.venue}/market/orderbook-summary`
    await expectSameAnswer(comparison, path, query)
    if (i % 5 === 0) await expectSameFormats(comparison, path, query)
  }
}

/** Expects the same cells in each format. The other formats may have more columns: the market and the book. */
export async function expectSameFormats({ ask, model, nowMs }: Comparison, path: string, query: Query): Promise<void> {
  const answer = await modelAsk(model, nowMs)(path, query)
  for (const format of FORMATS) {
    const formatQuery = { ...query, format }
    const question = questionText(path, formatQuery)
    const expected = inFormat(answer, query, format)['data'] as Answer[]
    const rows = (await ask(path, formatQuery))['data'] as Answer[]
    expectSameValue(question, 'number of rows', rows.length, expected.length)
    for (const [index, row] of expected.entries()) {
      const own = Object.fromEntries(Object.keys(row).map((name) => [name, rows[index]![name]]))
      expectSameValue(question, `data.${index}`, own, row)
    }
  }
}
