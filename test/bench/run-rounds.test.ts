// Merges rounds into medians, and refuses rounds whose answers differ.

import { expect, test } from 'bun:test'
import { mergeRounds } from '../../bench/run-rounds.ts'
import type { Outcome } from '../../bench/topic.ts'

const outcome = (value: number, answer = 'a'): Outcome => ({
  figures: [{ name: 'page', value, unit: 'ms', target: { atMost: 2 } }],
  answers: { page: answer },
  notes: [],
})

test('mergeRounds takes the median of each figure and keeps the values behind it', () => {
  const { figures, answers } = mergeRounds('pages', [outcome(9), outcome(1), outcome(3)])
  expect(figures).toEqual([{ name: 'page', value: 3, unit: 'ms', target: { atMost: 2 }, values: [9, 1, 3] }])
  expect(answers).toEqual({ page: 'a' })
})

test('mergeRounds refuses rounds that did not answer the same', () => {
  expect(() => mergeRounds('pages', [outcome(1), outcome(1, 'b')])).toThrow('gives different answers')
})
