// Goal: an import leaves out what the user's own recording has, and nothing of what it lacks.

import { expect, test } from 'bun:test'
import type { StoredDay } from '../../../storage/catalogue.ts'
import type { BlockEntry, PartitionHead } from '../../../storage/format/partition-head.ts'
import { DAY_MS, dateStartMs, utcDate } from '../../../storage/units.ts'
import { OWN_KINDS, ownTimes } from '../../../workers/import/own-times.ts'
import { Random } from '../../../workers/synthetic/random.ts'
import { isOwnMoment, type ModelDay } from '../../model/import/own-times.ts'
import { seeds } from '../../run/effort.ts'

const START_MS = dateStartMs('2026-08-10')
const START_DAY = START_MS / DAY_MS
const BOOKS = ['A', 'B']

type MadeRecord = { ms: number; book: number; isArchived: boolean; isQuote: boolean; isTrade: boolean }

/** A day of some blocks: what its head says, and what the model is told of each book. */
function madeDay(random: Random, day: number): { stored: StoredDay; model: Map<string, ModelDay> } {
  const startMs = (START_DAY + day) * DAY_MS
  const archivedShare = random.below(3)
  const tradeShare = 1 + random.below(3)
  const count = 1 + random.below(12)
  const records = Array.from({ length: count }, (): MadeRecord => {
    const isArchived = archivedShare > 0 && random.below(archivedShare + 1) === 0
    const [ms, book, isQuote] = [startMs + random.below(DAY_MS), random.below(3) - 1, random.below(4) > 0]
    return { ms, book, isArchived, isQuote, isTrade: !isQuote && random.below(tradeShare) === 0 }
  }).sort((a, b) => a.ms - b.ms)
  const blocks: MadeRecord[][] = []
  for (let from = 0; from < count; ) {
    const length = 1 + random.below(5)
    blocks.push(records.slice(from, from + length))
    from += length
  }
  const timeIn = () => (random.below(4) === 0 ? null : startMs + random.below(DAY_MS))
  const gaps = Array.from({ length: random.below(3) }, () => {
    const atMs = startMs + random.below(DAY_MS)
    const book = [null, ...BOOKS][random.below(3)]!
    return { book, reason: 'x', fromMs: timeIn(), toMs: timeIn(), atMs, ...(random.below(3) === 0 && { source: 'a' }) }
  })
  const inferredGaps = Array.from({ length: random.below(2) }, () => {
    const fromMs = startMs + random.below(DAY_MS)
    return {
      book: 1 + random.below(2),
      reason: 'snapshot_contradicts',
      fromMs,
      toMs: timeIn(),
      levelsDiffering: 2,
    } as const
  })
  const quotesOf = (book: number) => records.filter((record) => record.book === book && record.isQuote)
  const starts = BOOKS.map(() => (['snapshot', 'opening_book', 'opening_book', 'neither'] as const)[random.below(4)]!)
  const books = BOOKS.map((id, book) => {
    const [firstQuoteMs, lastQuoteMs] = [quotesOf(book)[0]?.ms ?? null, quotesOf(book).at(-1)?.ms ?? null]
    return { id, startsFrom: starts[book]!, firstQuoteMs, lastQuoteMs }
  })
  const head = { blocks: blocks.map(entryOf), books, gaps, inferredGaps } as unknown as PartitionHead
  const model = BOOKS.map((id, book): [string, ModelDay] => {
    const own = blocks.flatMap((block) => ownIn(block, book, quotesOf(book)))
    const quotes = quotesOf(book)
    return [
      id,
      {
        day: START_DAY + day,
        own: own.length === 0 ? null : { first: Math.min(...own), last: Math.max(...own) },
        hasTrades: records.some(({ isTrade, isArchived }) => isTrade && !isArchived),
        hasBook: records.some(({ isTrade, isArchived, book: of }) => !isTrade && !isArchived && of === book),
        quotes: quotes.length === 0 ? null : { first: quotes[0]!.ms, last: quotes.at(-1)!.ms },
        goesOn: starts[book] === 'opening_book',
        gaps: gaps.map(({ fromMs, toMs, atMs, book: of, source }) => {
          return { from: fromMs, to: toMs, at: atMs, book: of, isOwn: source === undefined }
        }),
        inferred: inferredGaps
          .filter((gap) => gap.book === book + 1)
          .map(({ fromMs: from, toMs: to }) => ({ from, to })),
      },
    ]
  })
  return { stored: { date: utcDate(startMs), head }, model: new Map(model) }
}

function entryOf(block: MadeRecord[]): BlockEntry {
  const own = [-1, 0, 1].map((book) => {
    const of = block.filter((record) => record.book === book && !record.isArchived)
    const trades = of.filter(({ isTrade }) => isTrade).length
    return of.length === 0 ? null : [of.length, of[0]!.ms, of.at(-1)!.ms, trades]
  })
  const archived = block.filter(({ isArchived }) => isArchived).length
  return {
    firstMs: block[0]!.ms,
    lastMs: block.at(-1)!.ms,
    bookRecords: BOOKS.map((_, book) => block.filter((record) => record.book === book).length),
    tradeCounts: [-1, 0, 1].map((book) => block.filter((of) => of.isTrade && of.book === book).length),
    ...(archived > 0 && { origins: { sources: [['a', archived]], own } }),
  } as BlockEntry
}

/** Where own records of a book are known to be: exactly beside records of archives; else all of the block, or its
 *  quotes where it has the first or the last. */
function ownIn(block: MadeRecord[], book: number, quotes: MadeRecord[]): number[] {
  const own = block.filter((record) => record.book === book && !record.isArchived)
  if (own.length === 0) return []
  if (block.some(({ isArchived }) => isArchived)) return own.map(({ ms }) => ms)
  const [first, last] = [block[0]!.ms, block.at(-1)!.ms]
  const isIn = (quote: MadeRecord | undefined) => quote !== undefined && quote.ms >= first && quote.ms <= last
  return [isIn(quotes[0]) ? quotes[0]!.ms : first, isIn(quotes.at(-1)) ? quotes.at(-1)!.ms : last]
}

test.each(seeds(0, 12, 120))(
  'each moment of a book and of its trades is own or not, as the model says, seed %d',
  (seed) => {
    const random = new Random(seed, 'own times')
    const made = Array.from({ length: 5 }, (_, day) => day)
      .filter(() => random.below(5) > 0)
      .map((day) => madeDay(random, day))
    const times = ownTimes(made.map(({ stored }) => stored))
    for (const [id, kind] of BOOKS.flatMap((of) => OWN_KINDS.map((each) => [of, each] as const))) {
      const days = made.map(({ model }) => model.get(id)!)
      const ranges = times.get(id)?.[kind] ?? []
      const bounds = ranges.flatMap(({ fromMs, toMs }) => [fromMs, toMs])
      expect(bounds).toEqual(bounds.toSorted((a, b) => a - b))
      const told = days.flatMap(({ own, gaps, inferred }) => [
        ...(own === null ? [] : [own.first, own.last]),
        ...[...gaps, ...inferred].flatMap(({ from, to }) => [from, to]),
        ...gaps.map(({ at }) => at),
      ])
      const moments = [...bounds, ...told.filter((ms) => ms !== null)].flatMap((ms) => [ms - 1, ms, ms + 1])
      for (const ms of [...moments, ...Array.from({ length: 20 }, () => START_MS + random.below(6 * DAY_MS))]) {
        const isOwn = ranges.some(({ fromMs, toMs }) => ms >= fromMs && ms <= toMs)
        expect({ id, kind, ms, isOwn }).toEqual({ id, kind, ms, isOwn: isOwnMoment(days, id, ms, kind) })
      }
    }
  },
)
