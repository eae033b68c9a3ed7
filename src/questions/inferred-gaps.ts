// The inferred gaps of a date, as coverage returns them.

import type { StoredDay } from '../../storage/catalogue.ts'
import { INFERRED_REASONS, type InferredGap } from '../../storage/format/partition-head.ts'
import { dateStartMs, isDayAfter } from '../../storage/units.ts'
import type { VenueParameters } from '../http/parameters/venue-parameters.ts'
import { choice, count, named, orNull, unixMs } from '../openapi/field.ts'
import { bookFieldOf } from './market-fields.ts'

/** `before` is the last earlier date with data of the source that the day begins with; undefined if there is none. */
export type CoveredDay = StoredDay & { before: string | undefined }

const AFTER_HOLE = 'days_without_data'
type ShownGap = Omit<InferredGap, 'reason'> & { reason: InferredGap['reason'] | typeof AFTER_HOLE }

/** Returns the gaps, ordered by their start. */
export const inferredGapsOn = (day: CoveredDay) =>
  [...day.head.inferredGaps, ...gapsAfterHole(day)]
    .toSorted((a, b) => a.fromMs - b.fromMs || a.book - b.book || endOf(a) - endOf(b))
    .map(({ book, reason, fromMs, toMs, levelsDiffering }) => ({
      book: day.head.books[book - 1]!.id,
      reason,
      from: fromMs,
      to: toMs,
      levels_differing: levelsDiffering,
    }))

/** Returns the gaps of books that continue after days without data. Each gap lasts until the first snapshot, the first
 *  agreeing hash or the first gap record of the book. */
function gapsAfterHole({ date, head, before }: CoveredDay): ShownGap[] {
  if (before === undefined || isDayAfter(before, date)) return []
  const fromMs = dateStartMs(date)
  return head.books.flatMap(({ startsFrom, trust = [] }, index): ShownGap[] => {
    if (startsFrom !== 'opening_book') return []
    return [{ book: index + 1, reason: AFTER_HOLE, fromMs, toMs: trust[1]?.[0] ?? null, levelsDiffering: null }]
  })
}

const endOf = ({ toMs }: ShownGap): number => toMs ?? Number.MAX_VALUE

export const inferredGapField = (parameters: VenueParameters) =>
  named(
    `${parameters.label}InferredGap`,
    'A loss that no record reports: the book follows from the records, and may be wrong',
    {
      book: bookFieldOf(parameters),
      reason: choice(
        [...INFERRED_REASONS, AFTER_HOLE] as const,
        'sequence_restart: seq stepped back, so it is a new connection; sequence_hole: seq skipped a ' +
          'number; below_zero: a change took more than its level had; crossed: bids reached asks; ' +
          'unreadable_change: a level that cannot be read; ' +
          "best_price_contradicts: the venue stated other best prices twice; hash_contradicts: the venue's hash " +
          'is of another book; snapshot_contradicts: the snapshot differs; ' +
          'days_without_data: the book continues from a date before the previous one',
      ),
      from: unixMs('Time of the last record of the book before it', 1784541670000),
      to: orNull(
        unixMs(
          'Time of the next snapshot, agreeing hash, recorded gap or switch of source; null if none followed',
          1784541681554,
        ),
      ),
      levels_differing: orNull(
        count('Levels in which that snapshot differs from the book before it; null if that book was not known', 35),
      ),
    },
  )
