// long: the slow model answers, too
// On every real capture, the program and the slow model have the same records, and the same summaries for any
// resolution, window and fill.

import { describe, expect, test } from 'bun:test'
import { statSync } from 'node:fs'
import { basename } from 'node:path'
import { DAY_MS, dateStartMs } from '../../storage/units.ts'
import type { Venue } from '../../storage/venue.ts'
import type { Fill } from '../../workers/requests.ts'
import { Random } from '../../workers/synthetic/random.ts'
import { loadCaptures, type ModelStore } from '../model/model.ts'
import { effort } from '../run/effort.ts'
import { allCaptures } from '../support/captures.ts'
import { type AnyStore, CAPTURE_STORE_KINDS, withStoreOf } from '../support/store.ts'

const WINDOWS = 12
/** Captures of at least this many bytes are loaded into one kind of store only. */
const BOTH_BYTES_MAX = effort(35_000, 400_000)
const FILLS: Fill[] = ['observed', 'none', 'range']

type BookOfDay = { venue: Venue; market: string; date: string; book: string }

for (const file of allCaptures()) {
  describe(basename(file), () => {
    test('records and summaries are the model’s', async () => {
      const model = loadCaptures([file], Date.now())
      for (const kind of statSync(file).size < BOTH_BYTES_MAX ? CAPTURE_STORE_KINDS : (['lmdb'] as const)) {
        await withStoreOf(kind, async (store) => {
          const [report] = await store.load(file)
          expect(report).toMatchObject({ rejected: model.rejects.length, error: null })
          const days = await compareRecords(store, model)
          if (days.length > 0) await compareSummaries(store, model, days)
        })
      }
    }, 120_000)
  })
}

async function compareRecords(store: AnyStore, model: ModelStore): Promise<BookOfDay[]> {
  const days: BookOfDay[] = []
  for (const venue of ['polymarket', 'kalshi'] as const) {
    const { markets } = await store.store.catalogue.markets(venue, { prefix: '', offset: 0, limit: 1_000 })
    expect(markets).toEqual(model.markets(venue))
    for (const market of markets) {
      expect(await store.dates(venue, market)).toEqual(model.dates(venue, market))
      for (const { date, head } of await store.store.catalogue.heads(venue, market)) {
        expect(Bun.deepEquals(await store.records(venue, market, date), model.records(venue, market, date))).toBe(true)
        days.push(...head.books.map(({ id }) => ({ venue, market, date, book: id })))
      }
    }
  }
  return days
}

async function compareSummaries(store: AnyStore, model: ModelStore, days: BookOfDay[]): Promise<void> {
  const chance = new Random(20_260_720, 'windows')
  const random = () => chance.fraction()
  const pick = <T>(items: readonly T[]): T => items[Math.floor(random() * items.length)]!
  for (let window = 0; window < WINDOWS; window++) {
    const { venue, market, date, book } = pick(days)
    const { head } = (await store.store.catalogue.heads(venue, market, { from: date, to: date }))[0]!
    const spanMs = Math.max(head.lastMs - head.firstMs, 60_000)
    const fromMs = Math.floor(head.firstMs + (random() * 1.4 - 0.2) * spanMs)
    const lengthMs = Math.floor(random() * Math.min(spanMs, 3 * 3_600_000))
    const toMs = window % 4 === 0 ? dateStartMs(date) + DAY_MS - 1 : fromMs + lengthMs
    const isDate = window % 4 === 0
    const resolution = window % 3 === 0 ? pick([1, 60, 3_600]) : 1 + Math.floor(random() * 3_600)
    const fill = pick(FILLS)
    const nowMs = Date.now()
    const from = isDate ? dateStartMs(date) : fromMs
    const expected = model.summary({
      venue,
      market,
      assetId: venue === 'polymarket' ? book : undefined,
      ...(isDate ? { date } : { startTimestamp: from, endTimestamp: toMs }),
      resolution,
      fill,
      nowMs,
    })
    const request = { venue, market, book, fromMs: from, toMs, resolutionSeconds: resolution, fill, nowMs }
    const actual = await store.summary({ ...request, timestampUnit: 'ms' })
    if (!Bun.deepEquals(actual, expected)) expect({ request, data: actual }).toEqual({ request, data: expected })
  }
}
