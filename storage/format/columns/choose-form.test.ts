// Goal: a column takes the form in which it is smallest.

import { expect, test } from 'bun:test'
import { Random } from '../../../workers/synthetic/random.ts'
import { chooseForm, foldSign } from './choose-form.ts'

const random = new Random(7, 'forms')
const filled = (length: number, valueAt: (i: number) => number) => Float64Array.from({ length }, (_, i) => valueAt(i))

test.each([
  [0, 0],
  [-1, 1],
  [1, 2],
  [-2, 3],
  [2, 4],
])('the step %i is stored as %i', (step, folded) => {
  expect(foldSign(step)).toBe(folded)
})

test('rising times are steps', () => {
  expect(
    chooseForm(
      filled(2_000, (i) => 1_784_548_800_000 + 1_000 * i),
      2_000,
    ),
  ).toBe('delta')
})

test('times that fall a little now and then are steps, too', () => {
  const values = filled(2_000, (i) => 1_784_548_800_000 + 1_000 * i - (i % 7 === 0 ? 3 : 0))
  expect(chooseForm(values, 2_000)).toBe('delta')
})

test('noise stays as it is', () => {
  expect(
    chooseForm(
      filled(2_000, () => random.below(256)),
      2_000,
    ),
  ).toBe('frame')
})

test('a few large values are words', () => {
  const words = filled(6, () => random.below(2 ** 40))
  expect(
    chooseForm(
      filled(2_000, () => words[random.below(6)]!),
      2_000,
    ),
  ).toBe('dictionary')
})
