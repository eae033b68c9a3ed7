// market/book and market/book/changes against the model, and against each other.

import type { ChangeRow } from '../../model/questions/book-changes.ts'
import type { Answer, Query } from '../../model/questions/model-ask.ts'
import { expectSameFormats } from './compare-formats.ts'
import { type Comparison, expectSameAnswer, expectSameValue, questionText } from './comparison.ts'
import { someOf, TRUSTS } from './some-of.ts'
import { bookQuery, bounds, instantAt, placeIn, rangeIn, type StoredBook, storedBooks } from './stored-books.ts'

/** Compares books at instants and after records, with all levels and with the best ones. */
export async function compareBooks(comparison: Comparison): Promise<void> {
  const { model, random, count, nowMs } = comparison
  const books = storedBooks(model)
  for (let i = 0; i < count; i++) {
    const stored = random.pick(books)
    const depth: Query = random.chance(0.3) ? { depth: String(random.between(1, 5)) } : {}
    const query = { ...bookQuery(stored), ...someUntil(stored, comparison, nowMs), ...depth }
    await expectSameAnswer(comparison, `/${stored.venue}/market/book`, query)
  }
}

function someUntil(stored: StoredBook, { random }: Comparison, nowMs: number): Query {
  if (random.chance(0.3)) return placeIn(stored, random)
  if (random.chance(0.05)) return {}
  const instant = Math.min(instantAt(stored, random), nowMs)
  return { timestamp: String(random.chance(0.2) ? Math.floor(instant / 1_000) : instant) }
}

/** Compares changes in windows and by record numbers. Also checks that changes lead from one book to the next and
 *  back. */
export async function compareChanges(comparison: Comparison): Promise<void> {
  const { model, random, count } = comparison
  const books = storedBooks(model)
  for (let i = 0; i < count; i++) {
    const stored = random.pick(books)
    const path = `/${stored.venue}/market/book/changes`
    const limit: Query = random.chance(0.8) ? { limit: String(random.pick([1, 2, 10, 100])) } : {}
    const trust: Query = random.chance(0.2) ? { trust: someOf(TRUSTS, comparison) } : {}
    const where = random.chance(0.4) ? { ...placeIn(stored, random), ...limit } : rangeIn(stored, random)
    const parameters = { ...where, ...trust }
    await expectSameAnswer(comparison, path, { ...bookQuery(stored), ...parameters })
    if (i % 4 === 0) await expectSameFormats(comparison, path, { ...bookQuery(stored), ...parameters })
    if (i % 3 === 0) await expectChangesLead(comparison, stored)
  }
}

async function expectChangesLead(comparison: Comparison, stored: StoredBook): Promise<void> {
  const { random, nowMs } = comparison
  const instants = [instantAt(stored, random), instantAt(stored, random)].map((ms) => Math.min(ms, nowMs))
  const [from, to] = [Math.min(...instants), Math.max(...instants)]
  if (from === to) return
  const bookTo = (ms: number) =>
    expectSameAnswer(comparison, `/${stored.venue}/market/book`, { ...bookQuery(stored), timestamp: String(ms) })
  const before = await bookTo(from)
  const after = await bookTo(to)
  const path = `/${stored.venue}/market/book/changes`
  const query = { ...bookQuery(stored), ...bounds(from + 1, to) }
  const rows = (await expectSameAnswer(comparison, path, query))['data'] as ChangeRow[]
  const forwards = levelsOf(before)
  for (const row of rows) step(forwards, row, row.after)
  expectSameValue(questionText(path, query), 'the book after all changes', printed(forwards), printed(levelsOf(after)))
  const backwards = levelsOf(after)
  for (const row of rows.toReversed()) step(backwards, row, row.before)
  expectSameValue(questionText(path, query), 'the book before them', printed(backwards), printed(levelsOf(before)))
}

/** Maps `side price` to size. A best price of size 0 comes from the venue and is not a level of the book. */
type Levels = Map<string, number>

function levelsOf({ bids, asks }: Answer): Levels {
  const named = (side: string, levels: unknown) =>
    (levels as [number, number][]).flatMap(([price, size]) => (size > 0 ? [[`${side} ${price}`, size] as const] : []))
  return new Map([...named('bid', bids), ...named('ask', asks)])
}

function step(levels: Levels, { side, price }: ChangeRow, size: number | null): void {
  if (size === null) return
  if (size === 0) levels.delete(`${side} ${price}`)
  else levels.set(`${side} ${price}`, size)
}

const printed = (levels: Levels) => Object.fromEntries([...levels].sort(([one], [other]) => (one < other ? -1 : 1)))
