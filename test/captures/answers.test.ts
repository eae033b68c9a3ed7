// long: the slow model answers, too
// On real captures and on random ones, every answer equals the slow model's to the last digit, and the comparison finds
// any single wrong cell.

import { describe, expect, test } from 'bun:test'
import { QUESTIONS } from '../../src/questions/routes/registry.ts'
import { Random } from '../../workers/synthetic/random.ts'
import { loadCaptures, loadTexts, type ModelStore } from '../model/model.ts'
import { modelAsk } from '../model/questions/model-ask.ts'
import { effort, partOf, partWhileWaiting, seeds } from '../run/effort.ts'
import { allCaptures, capture, hasCaptures } from '../support/captures.ts'
import { compareBooks, compareChanges } from '../support/compare/compare-books.ts'
import { compareActiveMarkets, compareCalendar } from '../support/compare/compare-calendar.ts'
import { compareDepth, compareDepthMap } from '../support/compare/compare-depth.ts'
import { compareSummaries } from '../support/compare/compare-formats.ts'
import { compareSearch } from '../support/compare/compare-search.ts'
import { compareTradeSummaries, compareTrades } from '../support/compare/compare-trades.ts'
import type { Comparison } from '../support/compare/comparison.ts'
import { enrichedLines } from '../support/compare/enriched-lines.ts'
import { mutatedAsk } from '../support/compare/mutated-ask.ts'
import { storeAsk } from '../support/compare/store-ask.ts'
import { type AnyStore, withStore } from '../support/store.ts'
import { HashedCapture } from '../workers/load/hashed-capture.ts'
import { KALSHI_DAY_1, KALSHI_DAY_2 } from './capture-text.ts'

/** For each path after `/{venue}`, the function that compares its answers. */
const COMPARISONS: [path: string, compare: (comparison: Comparison) => Promise<unknown>][] = [
  ['/market/orderbook-summary', compareSummaries],
  ['/market/book', compareBooks],
  ['/market/book/changes', compareChanges],
  ['/market/trades', compareTrades],
  ['/market/trade-summary', compareTradeSummaries],
  ['/market/depth-summary', compareDepth],
  ['/market/depth-map', compareDepthMap],
  ['/calendar', compareCalendar],
  ['/markets/active', compareActiveMarkets],
  ['/search', compareSearch],
]
const NOW = Date.parse('2026-11-20T12:00:00Z')
/** Maximum product of records and questions for one capture: the model replays all records for each question. */
const RECORDS_TIMES_QUESTIONS = effort(20_000, 150_000)

const isAnswered = ([path]: readonly [string, unknown]) => QUESTIONS.some((question) => question.path === path)
const ANSWERED = COMPARISONS.filter(isAnswered)

/** Returns the first difference of each path whose answers differ. */
async function differences(store: AnyStore, model: ModelStore, seed: number, count: number): Promise<string[]> {
  const found: string[] = []
  for (const [path, compare] of ANSWERED) {
    const comparison = { ask: storeAsk(store, NOW), model, random: new Random(seed, path), nowMs: NOW, count }
    await compare(comparison).catch((error: Error) => found.push(error.message))
  }
  return found
}

const nameOf = (file: string) => file.slice(capture('').length)

/** Each capture by itself, and two days of one market: the second day has no snapshot. */
const CAPTURES = allCaptures().map((file) => [file])
if (hasCaptures) CAPTURES.push([capture(KALSHI_DAY_1), capture(KALSHI_DAY_2)])
const TRIED = partOf(CAPTURES, 2)

describe.each(TRIED.map((files) => [files.map(nameOf).join(' and '), files] as const))('%s', (_name, files) => {
  test('every answer is the model’s', async () => {
    const model = loadCaptures(files, NOW)
    const records = model.recordCount()
    if (records === 0) return
    await withStore(async (store) => {
      await store.load(...files)
      const count = Math.min(30, Math.max(1, Math.ceil(RECORDS_TIMES_QUESTIONS / records)))
      expect(await differences(store, model, records, count)).toEqual([])
    })
  }, 120_000)
})

/** Kinds of random captures: in envelopes, bare, and with the hashes of books. */
const RANDOM: [name: string, linesOf: (seed: number) => string[]][] = [
  ['in envelopes', (seed) => enrichedLines(seed, true, 150)],
  ['bare', (seed) => enrichedLines(seed, false, 150)],
  ['with hashes', (seed) => new HashedCapture(seed).lines(150)],
]

describe.each(RANDOM)('random captures %s', (_name, linesOf) => {
  test.each(partWhileWaiting(seeds(700, 3, 30), 3))('seed %d', async (seed) => {
    const lines = linesOf(seed)
    const model = loadTexts([lines.join('\n')], NOW)
    await withStore(async (store) => {
      await store.loadLines('capture', lines)
      expect(await differences(store, model, seed, 15)).toEqual([])
    })
  })
})

describe.each(COMPARISONS)('a wrong answer of %s', (path, compare) => {
  test('is never one of the model’s own', async () => {
    const model = loadTexts([enrichedLines(4, false, 120).join('\n')], NOW)
    await compare({ ask: modelAsk(model, NOW), model, random: new Random(4, path), nowMs: NOW, count: 20 })
  })

  test('is found, whichever cell is wrong', async () => {
    const lines = enrichedLines(3, true, 120)
    const model = loadTexts([lines.join('\n')], NOW)
    const wrong = async (from: number) => {
      const random = new Random(from, path)
      const { ask, wasChanged } = mutatedAsk(modelAsk(model, NOW), new Random(from, 'cells'), from % 7)
      const failure = await compare({ ask, model, random, nowMs: NOW, count: 12 }).catch((error: Error) => error)
      return wasChanged() ? failure instanceof Error : undefined
    }
    const found = await Promise.all(Array.from({ length: 25 }, (_, from) => wrong(from)))
    expect(found.filter((isFound) => isFound === false)).toEqual([])
    expect(found.filter((isFound) => isFound).length).toBeGreaterThan(20)
  })
})
