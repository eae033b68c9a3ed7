// `coverage`: what is stored for one market, day by day, and how reliable the stored data is.

import { OWN_SOURCE } from '../../../storage/format/shape.ts'
import { utcDate } from '../../../storage/units.ts'
import { coverage, type coverageOf } from '../../questions/coverage.ts'
import { assertDay } from '../data/day-options.ts'
import type { MarketOptions } from '../questions/market-question.ts'
import { nothingStored } from '../questions/stored-data.ts'
import { grouped } from '../terminal/numbers.ts'
import { table } from '../terminal/table.ts'
import { indexCommand } from './index-command.ts'
import type { Answer, Row } from './index-output.ts'
import { ofQuestion } from './index-question.ts'

type CoverageOptions = MarketOptions & { date?: string[]; source?: string }
type Day = Awaited<ReturnType<typeof coverageOf>>['dates'][number]
type Coverage = Answer & { has_data: boolean; dates: Day[] }
const { addFlags, read } = ofQuestion(coverage)

export const addCoverageCommand = indexCommand<CoverageOptions>({
  name: 'coverage',
  description:
    'show what is stored of a market, day by day: counts, what its books start from, gaps, incidents, confirmations',
  addFlags: (command) => addFlags(command).option('--date <dates...>', 'only these UTC days, YYYY-MM-DD'),
  async read(store, { date: wanted, ...options }, words) {
    for (const date of wanted ?? []) assertDay('--date', date)
    const whole = (await read(store, options, words)) as Coverage
    const dates = whole.dates.filter(({ date }) => wanted === undefined || wanted.includes(date))
    return { ...whole, has_data: dates.length > 0, dates } satisfies Coverage
  },
  entries: (answer) => (answer as Coverage).dates,
  row: (entry) => rowOf(entry as Day),
  table(answer) {
    const { dates } = answer as Coverage
    return dates.length === 0
      ? ''
      : [
          daysTable(dates),
          booksTable(dates),
          ...inferredTable(dates),
          ...sourcesTable(dates),
          ...spansTable(dates),
        ].join('\n')
  },
  async note(answer, { venue, market, source, date }, { catalogue }) {
    if (!(answer as Coverage).has_data) {
      throw await nothingStored(catalogue, venue, market, { source, dates: date })
    }
    return undefined
  },
  examples: [
    'backbook coverage --venue kalshi --market KXDEMODAY-26JUL20-T50',
    'backbook coverage --venue kalshi --market KXDEMODAY-26JUL20-T50 --date 2026-07-20 2026-07-21 --json',
  ],
})

/** `gaps` also counts the inferred gaps, as in the calendar. */
const gapCounts = ({ gaps, inferred_gaps: inferred }: Day) => ({
  gaps: gaps.length + inferred.length,
  inferred_gaps: inferred.length,
})

/** Flattens a day: lists become counts, incidents their names. Archives are omitted, since all days need the same
 *  columns. */
function rowOf(day: Day): Row {
  const {
    books,
    gaps: _,
    covered_gaps: __,
    inferred_gaps: ___,
    audits,
    incidents,
    sources: ____,
    spans: _____,
    ...flat
  } = day
  const names = incidents.map(({ name }) => name).join(' ') || null
  const counts = { books: books.length, ...gapCounts(day) }
  const audited = Object.fromEntries(Object.entries(audits).map(([result, count]) => [`audits_${result}`, count]))
  return { ...flat, ...counts, ...audited, incidents: names }
}

const time = (ms: number) => new Date(ms).toISOString().slice(11, 19)

function daysTable(days: Day[]): string {
  const rows = days.map((day) => [
    ...[day.date, grouped(day.record_count), grouped(day.quote_count)],
    ...[time(day.first_timestamp), time(day.last_timestamp), day.books.length, day.starts_from.replace('_', ' ')],
    ...[...Object.values(gapCounts(day)), day.incidents.map(({ name }) => name).join(', ') || null],
  ])
  return table(
    ['DATE', 'RECORDS', 'QUOTES', 'FIRST', 'LAST', 'BOOKS', 'STARTS FROM', 'GAPS', 'INFERRED', 'INCIDENTS'],
    rows,
  )
}

function booksTable(days: Day[]): string {
  const rows = days.flatMap(({ date, books }) =>
    books.map((book) => [
      ...[date, idOf(book), grouped(book.snapshot_count), grouped(book.levels_skipped)],
      ...[grouped(book.snapshots_confirmed), grouped(book.snapshots_contradicted)],
      `${grouped(book.longest_silence_ms / 1_000)} s`,
      share(book.hashes_agreed, book.hashes_checked),
      share(book.best_prices_agreed, book.best_prices_checked),
    ]),
  )
  return table(
    [
      ...['DATE', 'BOOK', 'SNAPSHOTS', 'SKIPPED', 'CONFIRMED', 'CONTRADICTED', 'LONGEST SILENCE'],
      ...['HASHES AGREED', 'BEST PRICES AGREED'],
    ],
    rows,
  )
}

const idOf = (book: Record<string, unknown>): string => String(book['asset_id'] ?? book['ticker'])

/** Returns `agreed of checked`; null if nothing could be checked. */
function share(agreed: number | undefined, checked: number | undefined): string | null {
  return agreed === undefined || checked === undefined ? null : `${grouped(agreed)} of ${grouped(checked)}`
}

/** Lists the inferred gaps; returns no table if there are none. */
function inferredTable(days: Day[]): string[] {
  const time = (ms: number | null) => (ms === null ? null : new Date(ms).toISOString().slice(11, 23))
  const rows = days.flatMap(({ date, inferred_gaps: gaps }) =>
    gaps.map(({ book, reason, from, to, levels_differing }) => {
      return [date, book, reason.replace('_', ' '), time(from), time(to), levels_differing]
    }),
  )
  return rows.length === 0 ? [] : [table(['DATE', 'BOOK', 'INFERRED GAP', 'FROM', 'TO', 'LEVELS DIFFERING'], rows)]
}

/** Lists the archives with records on each date; returns no table if there are none. */
function sourcesTable(days: Day[]): string[] {
  const rows = days.flatMap(({ date, sources = [] }) =>
    sources.map(({ source, records }) => [date, source, grouped(records)]),
  )
  return rows.length === 0 ? [] : [table(['DATE', 'SOURCE', 'RECORDS'], rows)]
}

/** Lists the spans that each date shows; returns no table if there are no records of archives. */
function spansTable(days: Day[]): string[] {
  const rows = days.flatMap(({ date, spans = [] }) =>
    spans.map(({ source, from, to }) => [date, source ?? OWN_SOURCE, time(from), timeOfEnd(date, to)]),
  )
  return rows.length === 0 ? [] : [table(['DATE', 'SHOWN', 'FROM', 'TO'], rows)]
}

const timeOfEnd = (date: string, ms: number) => (utcDate(ms) === date ? time(ms) : '24:00:00')
