// Tests the report of a measurement: whether it reaches its target, and how it changed between two revisions.

import { expect, test } from 'bun:test'
import { isMet, linesOf, ratioLines } from '../../bench/report.ts'
import type { MeasuredTopic } from '../../bench/run-rounds.ts'

const measured = (value: number, answer: string): MeasuredTopic => ({
  topic: 'pages',
  title: 'Raw pages',
  figures: [{ name: 'page / ready-made', value, unit: 'ratio', target: { atMost: 2 }, values: [value] }],
  answers: { page: answer },
  notes: ['a note'],
})

test.each([
  [2, { atMost: 2 }, true],
  [2.1, { atMost: 2 }, false],
  [4, { atLeast: 4 }, true],
  [3.9, { atLeast: 4 }, false],
])('isMet: %p against %j is %p', (value, target, met) => {
  expect(isMet({ value, target })).toBe(met)
})

test('linesOf prints figures, targets, answers and notes', () => {
  const lines = linesOf(measured(3, 'abc')).join('\n')
  for (const part of ['3.00 times', 'MISSED: at most 2', 'answered: page abc', 'note: a note'])
    expect(lines).toContain(part)
})

test('ratioLines shows how a figure changed, and that the answers differ', () => {
  expect(ratioLines(measured(4, 'a'), measured(3, 'a')).join('\n')).toMatch(/4\.00 → 3\.00 times +× 0\.75$/)
  expect(ratioLines(measured(4, 'a'), measured(3, 'b'))).toContain('  ANSWERS DIFFER: page')
})
