// Tests the colours of resting sizes, and the sizes at which the colours begin and end.

import { expect, test } from 'bun:test'
import { CODES, codeOf } from './base/size-codes.ts'
import { colourTable, gradientOf, type Shades, sizesAtShares } from './palette.ts'

const SHADES: Shades = { palette: 'sides', isDark: true, lowest: 0, faintest: 10, highest: 1_000 }
const hexOf = (colour: number) => {
  const [red, green, blue, alpha] = [0, 8, 16, 24].map((shift) => (colour >>> shift) & 255) as [
    number,
    number,
    number,
    number,
  ]
  return [`#${[red, green, blue].map((each) => each.toString(16).padStart(2, '0')).join('')}`, alpha]
}

test('a cell has the first colour of its side up to the faintest size, and the last from the highest size on', () => {
  const table = colourTable(SHADES)
  const at = (size: number) => hexOf(table[CODES + Math.sign(size) * codeOf(Math.abs(size))]!)
  expect([at(1), at(10), at(1_000), at(1e6)]).toEqual([
    ...[
      ['#0e1c33', 255],
      ['#0e1c33', 255],
      ['#cdeaff', 255],
      ['#cdeaff', 255],
    ],
  ] as never)
  expect([at(-1), at(-1_000)]).toEqual([
    ['#2e190a', 255],
    ['#ffe2be', 255],
  ])
  expect([table.length, table[CODES]]).toEqual([2 * CODES + 1, 0])
  expect([at(1_000), at(100)]).not.toEqual([at(100), at(100)])
})

test('sizes below the lowest are not drawn', () => {
  const table = colourTable({ ...SHADES, lowest: 100 })
  const [code] = [codeOf(100)]
  expect([table[CODES + code - 1], table[CODES - code + 1]]).toEqual([0, 0])
  expect([table[CODES + code] === 0, table[CODES - code] === 0]).toEqual([false, false])
})

test('other palettes have one ramp, which is reversed on a light page', () => {
  const dark = gradientOf('viridis', true)
  expect([dark.bid, dark.ask.replace('right', 'left')]).toEqual([dark.bid, dark.bid])
  const colours = (gradient: string) => [...(gradient.match(/#\w+/g) ?? [])]
  expect(colours(gradientOf('viridis', false).bid)).toEqual(colours(dark.bid).toReversed())
  expect(gradientOf('grey', true)).not.toEqual(gradientOf('grey', false))
  expect(gradientOf('sides', true).bid).not.toBe(gradientOf('sides', true).ask.replace('right', 'left'))
})

test('quantiles of the resting sizes of both sides', () => {
  expect(sizesAtShares(Float32Array.of(0, 1, -2, 3, 0, -4), [0.25, 0.75])).toEqual([2, 4])
  expect(sizesAtShares(Float32Array.of(0, 7), [0.1, 0.997])).toEqual([7, 7])
  expect([sizesAtShares(new Float32Array(5), [0.1, 0.9]), sizesAtShares(new Float32Array(0), [0, 1])]).toEqual([
    [1, 1],
    [1, 1],
  ])
})
