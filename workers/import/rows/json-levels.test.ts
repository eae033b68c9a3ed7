// A side of a book is read as `JSON.parse` and exact whole numbers read it, in any of its spellings.

import { expect, test } from 'bun:test'
import { Random } from '../../synthetic/random.ts'
import { levelsFromJson } from './json-levels.ts'

const SCALES = { price: 4, size: 6 }
const read = (text: string) => levelsFromJson(new TextEncoder().encode(text), SCALES)

test.each<[string, [number, number][] | undefined]>([
  ['', []],
  ['[]', []],
  [' [ ] ', []],
  ['[["0.01","5"]]', [[100, 5_000_000]]],
  [
    '[["0.01", "5"], ["0.49", "0.000001"]]',
    [
      [100, 5_000_000],
      [4_900, 1],
    ],
  ],
  ['[["1.","0.5000000"]]', [[10_000, 500_000]]],
  ['[[0.01,5]]', [[100, 5_000_000]]],
  ['[["0.01","9007199254.740991"]]', [[100, 9_007_199_254_740_991]]],
  ['[["0.01","9007199254.740993"]]', undefined],
  ['[["0.00001","5"]]', undefined],
  ['[["-0.01","5"]]', undefined],
  ['[["0.01","5"]', undefined],
  ['[["0.01","5"],]', undefined],
  ['[["0.01","5"]]x', undefined],
  ['[["0.01"]]', undefined],
  ['[["","5"]]', undefined],
  ['[[".","5"]]', undefined],
  ['[["0.0.1","5"]]', undefined],
  ['null', undefined],
  ['{}', undefined],
])('%j', (text, levels) => {
  const side = levels && { prices: levels.map(([price]) => price), sizes: levels.map(([, size]) => size) }
  expect<unknown>(read(text)).toEqual(side)
})

test('reads any decimals', () => {
  const random = new Random(1, 'levels')
  for (let i = 0; i < 2_000; i++) {
    const levels = Array.from({ length: random.between(0, 9) }, () => [
      random.below(10_001),
      random.between(0, 2 ** 48),
    ])
    const text = (units: number, places: number) =>
      `${Math.floor(units / 10 ** places)}.${String(units % 10 ** places).padStart(places, '0')}`
    const side = read(JSON.stringify(levels.map(([price, size]) => [text(price!, 4), text(size!, 6)])))
    expect<unknown>(side).toEqual({ prices: levels.map(([price]) => price), sizes: levels.map(([, size]) => size) })
  }
})
