// market/depth-summary and market/depth-map against the model, and depth-summary against orderbook-summary.

import type { Query } from '../../model/questions/model-ask.ts'
import { expectSameFormats } from './compare-formats.ts'
import { type Comparison, expectSameAnswer } from './comparison.ts'
import { someOf, TRUSTS } from './some-of.ts'
import { bookQuery, bounds, finestFor, instantAt, rangeIn, type StoredBook, storedBooks } from './stored-books.ts'

const BUCKETS_MAX = 3_000
const COLUMNS_MAX = 300
/** Maximum number of records in a window of a depth map, since the model holds the book at each. */
const RECORDS_MAX = 4_000

const BANDS = ['0.01', '0.02', '0.05', '0.1', '0', '0.000001', '0.0055', '1']
const SIZES = ['1', '0.5', '100', '500', '12345.678901', '1000000000']

/** Compares depth at any resolution, window and fill, with all parameters of a book. */
export async function compareDepth(comparison: Comparison): Promise<void> {
  const { model, random, count } = comparison
  const books = storedBooks(model)
  for (let i = 0; i < count; i++) {
    const stored = random.pick(books)
    const range = rangeIn(stored, random)
    const resolution = Math.max(finestFor(range, BUCKETS_MAX), random.pick([1, 7, 60, 301, 3_600]))
    const optional: Query = {
      ...(random.chance(0.5) ? { levels: String(random.pick([1, 2, 3, 100])) } : {}),
      ...(random.chance(0.5) ? { fill: random.pick(['none', 'range']) } : {}),
      ...(random.chance(0.3) ? { trust: someOf(TRUSTS, comparison) } : {}),
      ...(random.chance(0.5) ? { bands: someOf(BANDS, comparison) } : {}),
      ...(random.chance(0.7) ? { sizes: someOf(SIZES, comparison) } : {}),
    }
    const query = { ...bookQuery(stored), ...range, resolution: String(resolution), ...optional }
    await expectSameAnswer(comparison, `/${stored.venue}/market/depth-summary`, query)
    if (i % 12 === 0) await expectSameFormats(comparison, `/${stored.venue}/market/depth-summary`, query)
  }
}

/** Compares depth maps as rows and as runs, in windows over all stored records, with any step and aggregate. */
export async function compareDepthMap(comparison: Comparison): Promise<void> {
  const { model, random, count } = comparison
  const books = storedBooks(model)
  for (let i = 0; i < count; i++) {
    const stored = random.pick(books)
    const resolutionMs = random.pick([100, 250, 1_000, 7_000, 60_000, 900_000])
    const query = {
      ...bookQuery(stored),
      ...windowOf(stored, comparison, resolutionMs),
      resolution_ms: String(resolutionMs),
      format: random.pick(['arrow', 'ndjson']),
      price_step: random.pick(['0.0001', '0.001', '0.01', '0.003', '0.1']),
      ...(random.chance(0.7) ? { aggregate: random.pick(['max', 'mean', 'last']) } : {}),
    }
    await expectSameAnswer(comparison, `/${stored.venue}/market/depth-map`, query)
  }
}

/** Returns a random window with at most COLUMNS_MAX columns and RECORDS_MAX records. */
function windowOf(stored: StoredBook, { random }: Comparison, resolutionMs: number): Query {
  const start = instantAt(stored, random)
  const end = start + random.below(COLUMNS_MAX * resolutionMs)
  const times = stored.days.flatMap(({ records }) => records.map(({ timestamp }) => timestamp))
  const tooFar = times.filter((time) => time >= start)[RECORDS_MAX] ?? Number.POSITIVE_INFINITY
  return bounds(start, Math.max(start, Math.min(end, tooFar)), random.chance(0.2))
}
