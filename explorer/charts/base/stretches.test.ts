// Distinguishes unknown stretches from empty ones, and says why a stretch is unknown.

import { expect, test } from 'bun:test'
import type { DepthWindow } from '../../data/depth-window.ts'
import {
  breaksIn,
  emptyIn,
  incidentsOf,
  inferredGaps,
  momentsOf,
  namedPriceless,
  namedUnknown,
  pricelessIn,
  unknownIn,
} from './stretches.ts'

/** Ten columns of 100 ms from 1,000 ms on. The third to the eighth are known, and two of these are empty. */
const window: DepthWindow = {
  ...{ startMs: 1_000, endMs: 2_000, resolutionMs: 100, columns: 10, priceStep: 0.01 },
  prices: Float64Array.of(0.4, 0.5),
  sizes: Float32Array.of(0, 0, 5, 5, 0, 0, 0, 5, 0, 0, 0, 0, 0, 0, 0, 0, -1, 0, 0, 0),
  known: [[2, 7]],
}
const next: DepthWindow = { ...window, startMs: 2_000, endMs: 3_000, known: [[5, 9]] }

test('unknown stretches are joined over windows', () => {
  expect(unknownIn([window, next])).toEqual([
    { fromMs: 1_000, toMs: 1_200 },
    { fromMs: 1_800, toMs: 2_500 },
  ])
})

test('empty stretches are known', () => {
  expect(emptyIn([window])).toEqual([{ fromMs: 1_400, toMs: 1_600 }])
})

const date = {
  ...{ date: '1970-01-01', first_timestamp: 1_100, last_timestamp: 1_900 },
  ...{ gaps: [], inferred_gaps: [], incidents: [] },
}
const gap = { reason: 'disconnect', from: 1_300, to: null, timestamp: 1_350 }

test.each([
  [{ fromMs: 1_000, toMs: 1_200 }, [date], 'before the first snapshot'],
  [{ fromMs: 500, toMs: 1_000 }, [date], 'nothing recorded before this'],
  [{ fromMs: 1_950, toMs: 3_000 }, [date], 'nothing recorded after this'],
  [{ fromMs: 1_350, toMs: 1_400 }, [{ ...date, gaps: [gap] }], 'gap: disconnect'],
  // The gap was recorded at its end, when the book was known again.
  [{ fromMs: 1_300, toMs: 1_400 }, [{ ...date, gaps: [{ ...gap, to: 1_400, timestamp: 1_400 }] }], 'gap: disconnect'],
  [{ fromMs: 1_500, toMs: 1_600 }, [{ ...date, gaps: [{ ...gap, to: 1_400, timestamp: 1_400 }] }], 'not known'],
  [{ fromMs: 1_400, toMs: 1_500 }, [date], 'not known'],
  [{ fromMs: 1_400, toMs: 1_500 }, [], 'not stored'],
])('%j', (stretch, dates, text) => {
  expect(namedUnknown(stretch, dates).text).toBe(text)
})

test('a loss without a record lasts until the next snapshot, or until the end of the day', () => {
  const lost = [
    { reason: 'sequence_restart', from: 1_200, to: 1_300 },
    { reason: 'snapshot_contradicts', from: 1_500, to: null },
  ]
  expect(inferredGaps([{ ...date, inferred_gaps: lost }])).toEqual([
    { fromMs: 1_200, toMs: 1_300, text: 'lost: sequence restarted', isLoss: true },
    { fromMs: 1_500, toMs: 1_900, text: 'lost: snapshot contradicts', isLoss: true },
  ])
})

test('buckets that are missing, and buckets without a price', () => {
  const times = [1_000, 2_000, 4_000, 5_000]
  expect(breaksIn(times, 1_000, { fromMs: 500, toMs: 7_000 })).toEqual([
    { fromMs: 500, toMs: 1_000 },
    { fromMs: 3_000, toMs: 4_000 },
    { fromMs: 6_000, toMs: 7_000 },
  ])
  const nothing = Number.NaN
  const sides = [
    [0.4, nothing, nothing, nothing],
    [0.5, 0.6, nothing, nothing],
  ]
  expect(pricelessIn(times, 1_000, sides)).toEqual([{ fromMs: 4_000, toMs: 6_000 }])
  const stretch = { fromMs: 1_350, toMs: 1_400 }
  expect(namedPriceless(stretch, [date])).toMatchObject({ text: 'no prices', isLoss: false })
  expect(namedPriceless(stretch, [{ ...date, gaps: [gap] }])).toMatchObject({ text: 'gap: disconnect', isLoss: true })
})

test('an incident of several days is one stretch', () => {
  const incidents = [{ name: 'null_prices', from: '1970-01-01', to: '1970-01-02' }]
  const days = [
    { ...date, incidents },
    { ...date, date: '1970-01-02', incidents },
  ]
  expect(incidentsOf(days)).toEqual([{ fromMs: 0, toMs: 2 * 86_400_000, text: 'incident: null prices', isLoss: true }])
})

test('the close shows the strike, the settlement shows the result and the value that decided it', () => {
  const info = { close_timestamp: 5, settlement_timestamp: 9, result: 'yes', strike: 4_398.78, strike_kind: 'greater' }
  const said = { market: { expiration_value: '4402.44' }, event: null }
  const textsOf = (market: Parameters<typeof momentsOf>[0]) =>
    momentsOf(market).map(({ fromMs, text }) => [fromMs, text])
  expect(textsOf({ ...info, said })).toEqual([
    [5, 'close, strike > 4,398.78'],
    [9, 'settled: Yes at 4,402.44'],
  ])
  expect(textsOf({ ...info, said: null, strike: null, result: null })).toEqual([
    [5, 'close'],
    [9, 'settled'],
  ])
  expect(textsOf({ ...info, said, close_timestamp: null, settlement_timestamp: null })).toEqual([])
  expect(textsOf(null)).toEqual([])
})
