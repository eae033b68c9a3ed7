// The state of a book's quality comes back from its row, and continues after a switch of sources.

import { expect, test } from 'bun:test'
import {
  countsOf,
  dayOrigin,
  fromRow,
  lastOf,
  newProgress,
  newState,
  switchedProgress,
  toRow,
} from './quality-state.ts'

const progress = {
  ...{
    snapshotsConfirmed: 1,
    snapshotsContradicted: 2,
    longestSilenceMs: 3,
    bestPricesAgreed: 4,
    bestPricesChecked: 5,
  },
  ...{ lastMs: 100, deltas: 7, fullSnapshots: 8, quoteFromMs: 90, missFromMs: 95 },
  ...{ evidence: { reason: 'crossed', fromMs: 1, record: 2 } as const, open: null, empty: null },
}

test('a row has every value', () => {
  expect(fromRow(structuredClone(toRow(progress)))).toEqual(progress)
  expect(fromRow(toRow(newProgress(5)))).toEqual(newProgress(5))
})

test('a switch keeps the counts and ends the silence before it', () => {
  const counts = { ...countsOf(progress), longestSilenceMs: 50 }
  expect(switchedProgress(progress, 150, true)).toEqual({ ...newProgress(150), ...counts })
  expect(switchedProgress(progress, 101, false)).toEqual({ ...newProgress(-1), ...countsOf(progress) })
  expect(switchedProgress(newProgress(), 150, true).longestSilenceMs).toBe(0)
})

test('a book without an earlier record takes the given record as its last', () => {
  expect(lastOf(newProgress(), 30)).toBe(30)
  expect(lastOf(progress, 130)).toBe(100)
})

test('the evidence of a day depends on its recorders', () => {
  const times = { book: 'A', snapshotsMs: [5], goesOnMs: null, gapsMs: [], lastChangeMs: 9 }
  const by = (...recorders: string[]) => recorders.map((recorder) => ({ recorder, ...times }))
  const sequenceHoles = [5, 5, 9].map((fromMs) => ({ fromMs }))
  expect(dayOrigin('kalshi', { sequenceHoles })).toEqual({
    isRecorded: false,
    isMatched: true,
    holesMs: [5, 9],
    unbroken: [],
  })
  expect(dayOrigin('polymarket', { heard: by('r') })).toMatchObject({ isRecorded: true, isMatched: false, holesMs: [] })
  expect(dayOrigin('kalshi', { heard: [times, { ...times, snapshotsMs: [7] }] }).unbroken).toEqual([
    [5, 9],
    [7, 9],
  ])
  expect(dayOrigin('kalshi', { heard: by('r', 's'), sequenceHoles }).holesMs).toEqual([])
  expect(newState({ isRecorded: false, isMatched: false })).toEqual({ gapCount: 0, books: [], seqs: [] })
  expect(newState({ isRecorded: true, isMatched: true, holesMs: [5], sinceMs: 7 })).toEqual({
    ...{ gapCount: 0, books: [], seqs: [], isRecorded: true, isMatched: true, holesMs: [5], sinceMs: 7 },
  })
})
