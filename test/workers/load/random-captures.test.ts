// Goal: whatever a recorder may have written, whole or in overlapping parts, the program keeps the records that the slow
// model keeps, and answers the same summaries.

import { describe, expect, test } from 'bun:test'
import { Random } from '../../../workers/synthetic/random.ts'
import { loadTexts } from '../../model/model.ts'
import { withStore } from '../../support/store.ts'
import { expectSameRecords, expectSameSummary } from './model-comparison.ts'
import { RandomCapture } from './random-capture.ts'

const SUMMARIES = 15

/** Loads each part as a capture of its own and compares with the model after the last. */
async function check(seed: number, parts: string[][]): Promise<void> {
  const random = new Random(seed, 'summaries')
  const model = loadTexts(
    parts.map((lines) => lines.join('\n')),
    Date.now(),
  )
  await withStore(async (store) => {
    const rejected: string[] = []
    for (const [index, lines] of parts.entries()) {
      const report = await store.loadLines(`part-${index}`, lines)
      expect(report.error).toBeNull()
      rejected.push(...report.rejects.map(({ line }) => `text ${index + 1} line ${line}`))
    }
    expect(rejected).toEqual(model.rejects.map(({ file, line }) => `${file} line ${line}`))
    const books = expectSameRecords(store, model)
    for (let i = 0; i < SUMMARIES; i++) expectSameSummary(store, model, books, random)
  })
}

const seeds = (count: number) => Array.from({ length: count }, (_, index) => index + 1)

describe.each([
  ['in an envelope', true],
  ['bare', false],
])('random captures %s', (_name, isEnveloped) => {
  test.each(seeds(12))('whole, seed %d', (seed) => check(seed, [new RandomCapture(seed, isEnveloped).lines(140)]))

  test.each(seeds(30))('in overlapping parts, seed %d', (seed) => {
    const lines = new RandomCapture(seed, isEnveloped).lines(90)
    const random = new Random(seed, 'parts')
    const parts = Array.from({ length: 3 }, () => {
      const start = random.below(60)
      return lines.slice(start, start + random.between(10, 60))
    })
    return check(seed, [...parts, parts[0]!])
  })

  test.each(seeds(30))('by recorders that lose lines, seed %d', (seed) => {
    const lines = new RandomCapture(seed + 100, isEnveloped).lines(70)
    const random = new Random(seed, 'losses')
    const lossy = () => lines.filter(() => random.chance(0.7))
    return check(seed, [lossy(), lossy(), lossy()])
  })
})
