// GET …/market/coverage: what is stored of a market, date by date, and how reliable it is. Reads heads only.

import { Type } from '@sinclair/typebox'
import type { Catalogue, StoredDay } from '../../storage/catalogue.ts'
import { type AuditCounts, countAudits, type MarketAudits } from '../../storage/finding/audits.ts'
import { firstShown, sourcesOf } from '../../storage/format/head-layers.ts'
import type { BookEntry, GapEntry } from '../../storage/format/partition-head.ts'
import { MEANINGS } from '../../workers/venues.ts'
import { marketOf, type VenueParameters } from '../http/parameters/venue-parameters.ts'
import { incidentsOn, KNOWN_INCIDENTS } from '../known-incidents.ts'
import { choice, count, day, flag, named, orNull, text, unixMs } from '../openapi/field.ts'
import { type CoveredDay, inferredGapField, inferredGapsOn } from './inferred-gaps.ts'
import { bookFieldOf, marketField } from './market-fields.ts'
import { daySourcesField, daySpansField, sourcesByDate, spansShown } from './provenance.ts'
import type { IndexQuestion } from './question.ts'
import { assetIdsIn } from './stored-assets.ts'

const ALL_DATES = { from: '', to: '9999-12-31' }

export const coverage: IndexQuestion = {
  kind: 'index',
  path: '/market/coverage',
  parameters: () => ({ required: ['market'], optional: [] }),
  about: (venue) => ({
    id: `${venue.venue}Coverage`,
    summary: 'What is stored of a market, date by date, and what is known of its completeness',
    description: 'Does not count as a call.',
    answer: () => ({
      description: 'The dates; none if nothing is stored of the market',
      schema: schema(venue),
    }),
  }),
  async read(catalogue, { parameters, query }) {
    const market = marketOf(parameters, query)
    const stamp = await catalogue.stamp(parameters.venue, market, ALL_DATES)
    const audits = (await catalogue.audits(parameters.venue, market)).map(auditsOfDate)
    const provenance = await catalogue.provenanceStamp()
    return {
      identity: [stamp, KNOWN_INCIDENTS, audits, provenance],
      make: () => coverageOf(catalogue, parameters, market),
    }
  },
}

export async function coverageOf(
  catalogue: Pick<Catalogue, 'heads' | 'audits' | 'loads'>,
  parameters: VenueParameters,
  market: string,
) {
  const days = await catalogue.heads(parameters.venue, market)
  const audits = new Map((await catalogue.audits(parameters.venue, market)).map(auditsOfDate))
  const sources = await sourcesByDate(catalogue, market, days)
  return {
    [parameters.idField]: market,
    has_data: days.length > 0,
    ...(parameters.hasAssets ? { asset_ids: assetIdsIn(days) } : {}),
    dates: days.map(({ date, head }, index) => {
      const archives = sources.get(date)
      const spans = archives && spansShown(date, head)
      const day = dateCoverage(parameters, { date, head, before: dateBefore(days, index) }, audits.get(date))
      return { ...day, ...(archives && { spans, sources: archives }) }
    }),
  }
}

/** Returns the last earlier date with data of the source that the day begins with; undefined if there is none. */
const dateBefore = (days: readonly StoredDay[], index: number): string | undefined =>
  days.slice(0, index).findLast(({ head }) => sourcesOf(head).includes(firstShown(days[index]!.head)))?.date

const auditsOfDate = ({ date, audits }: MarketAudits) => [date, countAudits(audits)] as const

function dateCoverage(
  { venue, bookField }: VenueParameters,
  { date, head, before }: CoveredDay,
  audits: AuditCounts = countAudits([]),
) {
  const gapFields = (gaps: GapEntry[]) =>
    gaps.map(({ book, reason, fromMs: from, toMs: to, atMs }) => ({
      ...{ [bookField]: book, reason, from, to },
      timestamp: atMs,
    }))
  const covered = head.gaps.filter(({ isCovered }) => isCovered === true)
  return {
    date,
    record_count: head.recordCount,
    quote_count: head.books.reduce((count, book) => count + book.quoteCount, 0),
    first_timestamp: head.firstMs,
    last_timestamp: head.lastMs,
    starts_from: leastCertainStart(head.books),
    books: head.books.map((book) => ({
      [bookField]: book.id,
      record_count: book.recordCount,
      quote_count: book.quoteCount,
      first_quote_timestamp: book.firstQuoteMs,
      last_quote_timestamp: book.lastQuoteMs,
      starts_from: book.startsFrom,
      snapshot_count: book.snapshotCount,
      levels_skipped: book.levelsSkipped ?? 0,
      ...qualityOf(book, MEANINGS[venue].hasHashes),
    })),
    gaps: gapFields(head.gaps.filter(({ isCovered }) => isCovered !== true)),
    ...(covered.length > 0 && { covered_gaps: gapFields(covered) }),
    inferred_gaps: inferredGapsOn({ date, head, before }),
    audits,
    incidents: incidentsOn(venue, date),
  }
}

function qualityOf({ quality }: BookEntry, hasHashes: boolean) {
  return {
    snapshots_confirmed: quality.snapshotsConfirmed,
    snapshots_contradicted: quality.snapshotsContradicted,
    longest_silence_ms: quality.longestSilenceMs,
    ...(hasHashes
      ? {
          hashes_agreed: quality.hashesAgreed,
          hashes_checked: quality.hashesChecked,
          best_prices_agreed: quality.bestPricesAgreed,
          best_prices_checked: quality.bestPricesChecked,
        }
      : {}),
  }
}

/** Returns the least certain start among the books of a date. */
function leastCertainStart(books: readonly BookEntry[]): BookEntry['startsFrom'] {
  const starts = new Set(books.map(({ startsFrom }) => startsFrom))
  if (starts.size === 0 || starts.has('neither')) return 'neither'
  return starts.has('opening_book') ? 'opening_book' : 'snapshot'
}

const STARTS = ['snapshot', 'opening_book', 'neither'] as const

const CONFIRMATIONS = {
  hashes_agreed: count('Checked hashes that the book has', 1466),
  hashes_checked: count("Hashes of the venue that the book was compared with, a sample of the book's quotes", 1466),
  best_prices_agreed: count("Checked quotes whose best bid and ask are the venue's", 93410),
  best_prices_checked: count("Quotes with the venue's own best prices, of a book that is known", 93410),
}

const bookCoverage = (parameters: VenueParameters) =>
  named(`${parameters.label}BookCoverage`, 'One book on one date', {
    [parameters.bookField]: bookFieldOf(parameters),
    record_count: count('Records about the book; 0 if it is only carried from an earlier date', 99376),
    quote_count: count('Quotes of the book', 93412),
    first_quote_timestamp: orNull(unixMs('Time of the first quote, null without one')),
    last_quote_timestamp: orNull(unixMs('Time of the last quote, null without one', 1784591999818)),
    starts_from: choice(STARTS, 'From what the book is known on that date'),
    snapshot_count: count('Snapshots of the book', 1),
    levels_skipped: count('Levels of its snapshots and changes that are skipped', 0),
    snapshots_confirmed: count('Snapshots that differ from the book before them in at most one level', 0),
    snapshots_contradicted: count('Snapshots that differ in more levels: something was lost before them', 0),
    longest_silence_ms: count('The longest time between two records of the book', 61204),
    ...(MEANINGS[parameters.venue].hasHashes ? CONFIRMATIONS : {}),
  })

const gapField = (parameters: VenueParameters) =>
  named(`${parameters.label}Gap`, 'A time in which the recorder knows that it missed messages', {
    [parameters.bookField]: orNull(bookFieldOf(parameters)),
    reason: text('The reason that the recorder gave', 'reconnect'),
    from: orNull(unixMs('Its start', 1784541670000)),
    to: orNull(unixMs('Its end', 1784541840000)),
    timestamp: unixMs('Event time of the gap, from which on the book is empty until its next snapshot', 1784541670000),
  })

const incident = named('Incident', 'A known incident of the archives', {
  name: text('Its name', 'capture_gap_windows'),
  from: day('The first date that it touches', '2026-04-01'),
  to: day('The last date that it touches', '2026-04-30'),
  note: text('What it means for the data', 'windows were not captured, at times that are not known'),
})

const auditsField = named('Audits', "How often a recorder compared its books with the venue's own, by result", {
  exact: count('The book was the same', 12),
  consistent: count('The book was the same at a moment close by', 3),
  inconsistent: count('The book differed at every moment close by', 0),
  undecidable: count('The book was lost meanwhile, or REST did not return it', 1),
})

const dateField = (parameters: VenueParameters) =>
  named(`${parameters.label}DateCoverage`, 'One stored date', {
    date: day('The date'),
    record_count: count('Records of the date', 99376),
    quote_count: count('Quotes of all its books together', 93412),
    first_timestamp: unixMs('Event time of the first record'),
    last_timestamp: unixMs('Event time of the last record', 1784591999818),
    starts_from: choice(STARTS, 'The worst start of its books'),
    books: Type.Array(bookCoverage(parameters), { description: 'One entry for each book' }),
    gaps: Type.Array(gapField(parameters), { description: 'Gap records of the date that no other recorder covers' }),
    covered_gaps: Type.Optional(
      Type.Array(gapField(parameters), {
        description:
          'Gaps of one recorder while another received the book: the book stays known. Absent if there is none',
      }),
    ),
    inferred_gaps: Type.Array(inferredGapField(parameters), {
      description: 'Gaps that no record reports, ascending by time',
    }),
    audits: auditsField,
    incidents: Type.Array(incident, { description: 'Known incidents of the archives that touch the date' }),
    spans: daySpansField,
    sources: daySourcesField,
  })

const schema = (parameters: VenueParameters) =>
  named(`${parameters.label}Coverage`, 'What is stored of a market, date by date', {
    ...marketField(parameters),
    has_data: flag('Whether the market is stored', true),
    ...(parameters.hasAssets
      ? { asset_ids: Type.Array(Type.String(), { description: 'The outcome tokens of all stored dates' }) }
      : {}),
    dates: Type.Array(dateField(parameters), { description: 'Every stored date, ascending' }),
  })
