// Compares a store with the slow model: all records, and summaries of random books, windows, resolutions and fills.

import { expect } from 'bun:test'
import type { InferredGap } from '../../../storage/format/partition-head.ts'
import { DAY_MS, dateStartMs } from '../../../storage/units.ts'
import { VENUES, type Venue } from '../../../storage/venue.ts'
import type { Random } from '../../../workers/synthetic/random.ts'
import type { ModelStore } from '../../model/model.ts'
import type { AnyStore } from '../../support/store.ts'

export type StoredBook = { venue: Venue; market: string; book: string; date: string }

/** Checks every record; returns the stored books, one entry per book and day. */
export async function expectSameRecords(store: AnyStore, model: ModelStore): Promise<StoredBook[]> {
  const books: StoredBook[] = []
  for (const venue of VENUES) {
    const { markets } = await store.store.catalogue.markets(venue, { prefix: '', offset: 0, limit: 1_000 })
    expect(markets).toEqual(model.markets(venue))
    for (const market of markets) {
      expect(await store.dates(venue, market)).toEqual(model.dates(venue, market))
      for (const { date, head } of await store.store.catalogue.heads(venue, market)) {
        const [actual, expected] = [await store.records(venue, market, date), model.records(venue, market, date)]
        if (!Bun.deepEquals(actual, expected))
          expect<unknown>({ date, records: actual }).toEqual({ date, records: expected })
        for (const { id, quality, levelsSkipped = 0 } of head.books) {
          books.push({ venue, market, date, book: id })
          const gaps = head.inferredGaps.filter(({ book }) => head.books[book - 1]!.id === id)
          const expectedQuality = model.quality(venue, market, date, id)
          expectedQuality.inferredGaps.sort(compareGaps)
          expect({ date, ...quality, levelsSkipped, inferredGaps: printed(gaps) }).toEqual({ date, ...expectedQuality })
        }
      }
    }
  }
  return books
}

const printed = (gaps: InferredGap[]) =>
  gaps
    .map(({ reason, fromMs: from, toMs: to, levelsDiffering }) => ({ reason, from, to, levelsDiffering }))
    .sort(compareGaps)

const compareGaps = (a: object, b: object) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1)

/** Checks a random date, or a random window around one. */
export async function expectSameSummary(
  store: AnyStore,
  model: ModelStore,
  books: StoredBook[],
  random: Random,
): Promise<void> {
  const { venue, market, book, date } = random.pick(books)
  const { head } = (await store.store.catalogue.heads(venue, market, { from: date, to: date }))[0]!
  const isDate = random.chance(0.3)
  const unit = !isDate && random.chance(0.3) ? 's' : 'ms'
  const anchorMs = head.firstMs + random.between(-70_000, Math.max(1_000, head.lastMs - head.firstMs + 70_000))
  const [start, end] = [anchorMs, anchorMs + random.below(random.pick([5_000, 600_000, 3 * DAY_MS]))]
  const bounds = unit === 's' ? [Math.floor(start / 1_000), Math.floor(end / 1_000)] : [start, end]
  // At most a few hundred buckets: the model is slow.
  const finest = Math.ceil((isDate ? DAY_MS : end - start) / 400_000)
  const resolution = Math.max(finest, random.pick([1, 7, 60, 301, 3_600]))
  const fill = random.pick(['observed', 'none', 'range'] as const)
  const nowMs = random.chance(0.2) ? anchorMs + random.below(60_000) : Date.parse('2026-11-01')
  const expected = model.summary({
    venue,
    market,
    assetId: venue === 'polymarket' ? book : undefined,
    ...(isDate ? { date } : { startTimestamp: bounds[0], endTimestamp: bounds[1] }),
    resolution,
    fill,
    nowMs,
  })
  const dayMs = dateStartMs(date)
  const range = isDate
    ? { fromMs: dayMs, toMs: dayMs + DAY_MS - 1 }
    : unit === 's'
      ? { fromMs: bounds[0]! * 1_000, toMs: bounds[1]! * 1_000 + 999 }
      : { fromMs: start, toMs: end }
  const request = { venue, market, book, ...range, fill, nowMs, timestampUnit: unit } as const
  const actual = await store.summary({ ...request, resolutionSeconds: resolution })
  if (!Bun.deepEquals(actual, expected)) expect<unknown>({ request, data: actual }).toEqual({ request, data: expected })
}
