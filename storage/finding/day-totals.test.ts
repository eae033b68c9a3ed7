// The totals of a day equal those of its head. A change of a market changes the sums over markets by the difference.

import { expect, test } from 'bun:test'
import { changedSums } from '../../test/support/finding/changed-sums.ts'
import { HEAD } from '../../test/support/made-markets.ts'
import type { BookEntry, PartitionHead } from '../format/partition-head.ts'
import { NO_SUMS, totalsOf } from './day-totals.ts'

const quality = {
  ...{
    snapshotsConfirmed: 1,
    snapshotsContradicted: 2,
    longestSilenceMs: 3,
    bestPricesAgreed: 4,
    bestPricesChecked: 5,
  },
  ...{ hashesAgreed: 6, hashesChecked: 7 },
}
const book = { tradeCount: 10, tradeVolume: '9007199254740993', quality } as unknown as BookEntry
const gap = (fromMs: number | null, toMs: number | null) => ({
  book: null,
  reason: 'disconnect',
  fromMs,
  toMs,
  atMs: 0,
})
const head: PartitionHead = {
  ...HEAD,
  recordCount: 100,
  books: [book, book],
  bookless: { tradeCount: 1, tradeVolume: '2' },
  borrowed: { tradeCount: 4, tradeVolume: '8' },
  gaps: [gap(1_000, 1_500), gap(null, 2_000), { ...gap(5_000, 9_000), isCovered: true }],
  inferredGaps: [{ book: 1, reason: 'crossed', fromMs: 100, toMs: 130, levelsDiffering: null }],
}

test('books are added up exactly, covered gaps left out, and gaps without an end have no length', () => {
  expect(totalsOf(head)).toEqual({
    ...{ records: 100, trades: 25, volume: 18_014_398_509_481_996n },
    ...{ gaps: 3, gapMs: 530, inferredGaps: 1 },
    ...{ snapshotsConfirmed: 2, snapshotsContradicted: 4, bestPricesAgreed: 8, bestPricesChecked: 10 },
    ...{ hashesAgreed: 12, hashesChecked: 14 },
  })
})

test('a market is added, changed and removed', () => {
  const [one, other] = [totalsOf(head), totalsOf({ ...head, recordCount: 40 })]
  const added = changedSums(changedSums(NO_SUMS, null, one), null, other)
  expect([added.markets, added.records]).toEqual([2, 140])
  const changed = changedSums(added, other, one)
  expect([changed.markets, changed.records, changed.volume]).toEqual([2, 200, 2n * one.volume])
  expect(changedSums(changedSums(changed, one, null), one, null)).toEqual(NO_SUMS)
  expect(NO_SUMS.records).toBe(0)
})
