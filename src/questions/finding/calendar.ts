// GET …/calendar: what is stored of a venue, date by date, and how reliable it is. Reads stored sums.

import { Type } from '@sinclair/typebox'
import type { StoredSums } from '../../../storage/finding/finding.ts'
import { DAY_MS, dateStartMs, utcDate } from '../../../storage/units.ts'
import type { Venue } from '../../../storage/venue.ts'
import { MEANINGS } from '../../../workers/venues.ts'
import { CONDITIONS, conditionOf } from '../../day-condition.ts'
import { mustBe, utcDay } from '../../http/parameters/parameter.ts'
import type { VenueParameters } from '../../http/parameters/venue-parameters.ts'
import { parametersInvalid } from '../../http/server/request-failure.ts'
import { amount, choice, count, day, named, orNull } from '../../openapi/field.ts'
import { contractsOf } from '../market-fields.ts'
import type { IndexQuestion } from '../question.ts'

/** Maximum length of a range: ten years. */
const DAYS_MAX = 3_660

export const calendar: IndexQuestion<'from' | 'to'> = {
  kind: 'index',
  path: '/calendar',
  parameters: () => ({
    required: [],
    optional: ['from', 'to'],
    own: {
      from: utcDay({ description: 'The first UTC day; the first stored one unless given', example: '2026-07-20' }),
      to: utcDay({
        description: `The last UTC day, at most ${DAYS_MAX} days in all; the last stored one unless given`,
      }),
    },
  }),
  about: (venue) => ({
    id: `${venue.venue}Calendar`,
    summary: 'What is stored of the venue, date by date, and whether something is missing',
    description: 'Every date from the first to the last, also dates without data. Does not count as a call.',
    answer: () => ({
      description: 'The dates; none if nothing is stored and no range is given',
      schema: schema(venue),
    }),
  }),
  async read(catalogue, { parameters, query }) {
    const ends =
      query.from === undefined || query.to === undefined ? await catalogue.calendarEnds(parameters.venue) : undefined
    const { from, to } = rangeOf(query, ends)
    assertRange(query, { from, to })
    const sums = from === null || to === null ? [] : await catalogue.calendar(parameters.venue, { from, to })
    const data = from === null || to === null ? [] : daysOf(parameters, { from, to }, sums)
    return { identity: ['calendar', from, to, data], make: () => ({ from, to, data_count: data.length, data }) }
  },
}

/** Returns the range; the stored dates replace a missing bound. If only `from` is given and is after the last stored
 *  date, or only `to` and is before the first, the range is that one date. */
function rangeOf({ from, to }: Ends, stored: { from: string; to: string } | undefined) {
  const first = from ?? earlier(to, stored?.from)
  return { from: first ?? null, to: to ?? later(from, stored?.to) ?? null }
}

const earlier = (a: string | undefined, b: string | undefined) =>
  a !== undefined && (b === undefined || a < b) ? a : b
const later = (a: string | undefined, b: string | undefined) => (a !== undefined && (b === undefined || a > b) ? a : b)

type Ends = { from?: string | undefined; to?: string | undefined }

/** Refuses a range whose first date is after its last, or that is too long. */
function assertRange(given: Ends, { from, to }: { from: string | null; to: string | null }): void {
  if (from === null || to === null) return
  if (given.from !== undefined && given.to !== undefined && given.from > given.to) {
    throw parametersInvalid([{ field: 'from', message: mustBe(`at or before to (${given.to})`, given.from) }])
  }
  const latest = utcDate(dateStartMs(from) + (DAYS_MAX - 1) * DAY_MS)
  if (to <= latest) return
  const field = given.to === undefined ? 'from' : 'to'
  const accepts = `such that there are at most ${DAYS_MAX} days from ${from} to ${to}`
  throw parametersInvalid([{ field, message: mustBe(accepts, field === 'to' ? to : from) }])
}

function daysOf({ venue }: VenueParameters, { from, to }: { from: string; to: string }, sums: StoredSums[]) {
  const stored = new Map(sums.map((sum) => [sum.date, sum]))
  const days: ReturnType<typeof dayOf>[] = []
  for (let startMs = dateStartMs(from); startMs <= dateStartMs(to); startMs += DAY_MS) {
    const date = utcDate(startMs)
    days.push(dayOf(venue, date, stored.get(date)))
  }
  return days
}

function dayOf(venue: Venue, date: string, sums: StoredSums | undefined) {
  const { condition, incidents } = conditionOf(venue, date, sums?.gaps)
  return {
    date,
    condition,
    markets: sums?.markets ?? 0,
    records: sums?.records ?? 0,
    trades: sums?.trades ?? 0,
    volume: contractsOf(sums?.volume ?? 0n),
    gaps: sums?.gaps ?? 0,
    gap_ms: sums?.gapMs ?? 0,
    inferred_gaps: sums?.inferredGaps ?? 0,
    snapshots_confirmed: sums?.snapshotsConfirmed ?? 0,
    snapshots_contradicted: sums?.snapshotsContradicted ?? 0,
    ...(MEANINGS[venue].hasHashes
      ? {
          hashes_agreed: sums?.hashesAgreed ?? 0,
          hashes_checked: sums?.hashesChecked ?? 0,
          best_prices_agreed: sums?.bestPricesAgreed ?? 0,
          best_prices_checked: sums?.bestPricesChecked ?? 0,
        }
      : {}),
    incidents,
  }
}

function schema({ venue, label: name }: VenueParameters) {
  const ofHashes = {
    hashes_agreed: count('Compared hashes of the venue that agree with its books', 120),
    hashes_checked: count('Hashes that were compared', 120),
    best_prices_agreed: count("Quotes whose best prices agree with the venue's own", 4100),
    best_prices_checked: count("Quotes with the venue's own best prices", 4100),
  }
  const dated = named(`${name}CalendarDay`, 'One date, over all markets', {
    date: day('The date'),
    condition: choice(CONDITIONS, 'degraded: a gap, or a known incident; missing: nothing is stored'),
    markets: count('Markets with a record of the date', 1),
    records: count('Records', 99376),
    trades: count('Trades whose price and size can be read', 1874),
    volume: amount('Their contracts', 41250.5),
    gaps: count('Number of gap records and inferred gaps', 0),
    gap_ms: count('Total length of the gaps, ms; a gap without a known end adds nothing, overlaps count twice', 0),
    inferred_gaps: count('The inferred ones among them', 0),
    snapshots_confirmed: count('Snapshots of a known book that confirm it', 12),
    snapshots_contradicted: count('Snapshots of a known book that contradict it', 0),
    ...(MEANINGS[venue].hasHashes ? ofHashes : {}),
    incidents: Type.Array(Type.String(), { description: 'Names of the known incidents that touch the date' }),
  })
  return named(`${name}Calendar`, 'What is stored, date by date', {
    from: orNull(day('The first date of the answer')),
    to: orNull(day('The last date of the answer')),
    data_count: count('Dates in it', 1),
    data: Type.Array(dated, { description: 'The dates, ascending' }),
  })
}
