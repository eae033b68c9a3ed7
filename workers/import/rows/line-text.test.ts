// A line is built from texts and numbers, and the next line begins empty.

import { expect, test } from 'bun:test'
import { CollectedLines } from '../../../test/support/import/collected-lines.ts'
import { LineText, literal } from './line-text.ts'

test('whole numbers, decimals and fixed ones', () => {
  const lines = new CollectedLines()
  const line = new LineText(lines)
  line.text(literal('{"é":')).whole(1_786_363_200_000).text(literal(',')).whole(-7).text(literal(','))
  line.decimal(4_900, 4).text(literal(',')).fixed(4_900, 4).text(literal('}')).end(3)
  line
    .text(literal('x'.repeat(10_000)))
    .whole(0)
    .end(4)
  expect(lines.all).toEqual(['3: {"é":1786363200000,-7,0.49,0.4900}', `4: ${'x'.repeat(10_000)}0`])
  expect(Buffer.from(line.text(literal('taken')).take()).toString()).toBe('taken')
  line.end(5)
  expect(lines.all[2]).toBe('5: ')
})

test('a number of each kind that the room of the line before it does not hold', () => {
  const lines = new CollectedLines()
  const full = 'x'.repeat(4_095)
  for (const kind of ['whole', 'decimal', 'fixed'] as const) {
    const line = new LineText(lines).text(literal(full))
    const number = kind === 'whole' ? line.whole(1_234) : line[kind](1_234, 2)
    number.end(1)
  }
  expect(lines.all).toEqual(['1234', '12.34', '12.34'].map((number) => `1: ${full}${number}`))
})
