// Computes the difference of two prices, where both are known.

import { describe, expect, test } from 'bun:test'
import { commonDates } from './common-dates.ts'
import { differenceOf, rangeOf, valueAt } from './difference.ts'

const column = (rows: [number, number][]) => ({
  times: Float64Array.from(rows, ([ms]) => ms),
  values: Float64Array.from(rows, ([, value]) => value),
})

describe('the difference of two prices', () => {
  test('has the times that both prices have, rounded to a millionth of a dollar', () => {
    const first = column([
      [1, 0.3],
      [2, 0.1],
      [4, 0.5],
      [5, Number.NaN],
    ])
    const second = column([
      [2, 0.3],
      [3, 0.9],
      [4, 0.4455],
      [5, 0.1],
    ])
    const { times, values } = differenceOf(first, second)
    expect([...times]).toEqual([2, 4, 5])
    expect([...values]).toEqual([-0.2, 0.0545, Number.NaN])
    expect([...differenceOf(first, column([])).times]).toEqual([])
  })

  test('equals that of the slow model, whatever is missing', () => {
    let seed = 7
    const random = () => {
      seed = (seed * 16_807) % 2_147_483_647
      return seed / 2_147_483_647
    }
    for (let run = 0; run < 200; run++) {
      const rows = () =>
        Array.from({ length: 30 }, (_, ms): [number, number] => [ms, Math.round(random() * 1_000) / 1_000]).filter(
          () => random() < 0.6,
        )
      const [a, b] = [rows(), rows()]
      const slow = a.flatMap(([ms, value]) => {
        const other = new Map(b).get(ms)
        return other === undefined ? [] : [[ms, Number((value - other).toFixed(6))]]
      })
      const { times, values } = differenceOf(column(a), column(b))
      expect([...times].map((ms, i) => [ms, values[i]! + 0])).toEqual(slow.map(([ms, value]) => [ms!, value! + 0]))
    }
  })

  test('the value at an instant is that of the bucket that contains it', () => {
    const prices = column([
      [1_000, 0.1],
      [2_000, 0.2],
      [5_000, 0.5],
    ])
    expect([999, 1_000, 1_999, 2_000, 3_000, 5_999].map((ms) => valueAt(prices, ms, 1_000))).toEqual([
      ...[Number.NaN, 0.1, 0.1, 0.2, Number.NaN, 0.5],
    ])
  })

  test('its range includes 0 and the visible values', () => {
    const range = rangeOf(
      [
        column([
          [5, 0.3],
          [6, 0.5],
          [99, 9],
        ]),
      ],
      { fromMs: 0, toMs: 10 },
      { around: 0, least: 0.01 },
    )
    expect(range.low).toBeLessThan(0)
    expect(range.high).toBeGreaterThan(0.5)
    expect(range.high).toBeLessThan(1)
  })
})

test('common days are the days of both books, from the first record of either to the last', () => {
  const day = (date: string, first: number, last: number) => ({ date, first_timestamp: first, last_timestamp: last })
  expect(commonDates(null, [])).toBeNull()
  expect(commonDates([day('a', 5, 9), day('b', 1, 2)], [day('b', 0, 9), day('c', 1, 2)])).toEqual([day('b', 0, 9)])
})
