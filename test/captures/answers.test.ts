// Goal: on real captures and on random ones, every answer is the slow model's, to the last digit. What is not a
// question of the program yet is asked of the model itself, so that the comparisons are known to hold and to find what
// is wrong.

import { describe, expect, test } from 'bun:test'
import { QUESTIONS } from '../../src/questions/registry.ts'
import { Random } from '../../workers/synthetic/random.ts'
import { loadCaptures, loadTexts, type ModelStore } from '../model/model.ts'
import { modelAsk } from '../model/questions/model-ask.ts'
import { allCaptures, capture, hasCaptures } from '../support/captures.ts'
import { compareBooks, compareChanges } from '../support/compare/compare-books.ts'
import { compareTradeSummaries, compareTrades } from '../support/compare/compare-trades.ts'
import type { Comparison } from '../support/compare/comparison.ts'
import { enrichedLines } from '../support/compare/enriched-lines.ts'
import { mutatedAsk } from '../support/compare/mutated-ask.ts'
import { storeAsk } from '../support/compare/store-ask.ts'
import { type AnyStore, withStore } from '../support/store.ts'
import { KALSHI_DAY_1, KALSHI_DAY_2 } from './capture-text.ts'

/** By the path behind `/{venue}/market/`. */
const COMPARISONS: [path: string, compare: (comparison: Comparison) => Promise<void>][] = [
  ['book', compareBooks],
  ['book/changes', compareChanges],
  ['trades', compareTrades],
  ['trade-summary', compareTradeSummaries],
]
const NOW = Date.parse('2026-11-20T12:00:00Z')
/** Of a capture: the model replays all of it for each question. */
const RECORDS_TIMES_QUESTIONS = 600_000

const isAnswered = (path: string) => QUESTIONS.some((question) => question.path === path)
/** Without an answer of the program the model agrees with itself: some questions are enough. */
const askOf = (path: string, store: AnyStore, model: ModelStore) =>
  isAnswered(path) ? storeAsk(store, NOW) : modelAsk(model, NOW)

async function compareAll(store: AnyStore, model: ModelStore, seed: number, count: number): Promise<void> {
  for (const [path, compare] of COMPARISONS) {
    const random = new Random(seed, path)
    await compare({ ask: askOf(path, store, model), model, random, nowMs: NOW, count: isAnswered(path) ? count : 2 })
  }
}

const nameOf = (file: string) => file.slice(capture('').length)

/** Each by itself, and a market of two days, of which the second has no snapshot. */
const CAPTURES = allCaptures().map((file) => [file])
if (hasCaptures) CAPTURES.push([capture(KALSHI_DAY_1), capture(KALSHI_DAY_2)])

describe.each(CAPTURES.map((files) => [files.map(nameOf).join(' and '), files] as const))('%s', (_name, files) => {
  test('every answer is the model’s', async () => {
    const model = loadCaptures(files, NOW)
    const records = model.recordCount()
    if (records === 0) return
    await withStore(async (store) => {
      await store.load(...files)
      await compareAll(store, model, records, Math.min(40, Math.ceil(RECORDS_TIMES_QUESTIONS / records)))
    })
  }, 120_000)
})

describe.each([true, false])('random captures, enveloped: %p', (isEnveloped) => {
  test.each(Array.from({ length: 20 }, (_, seed) => seed + 700))('seed %d', async (seed) => {
    const lines = enrichedLines(seed, isEnveloped, 150)
    const model = loadTexts([lines.join('\n')], NOW)
    await withStore(async (store) => {
      await store.loadLines('capture', lines)
      await compareAll(store, model, seed, 30)
    })
  })
})

describe.each(COMPARISONS)('a wrong answer of %s', (path, compare) => {
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
