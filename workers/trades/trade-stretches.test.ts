// Finds the trades of a date: in the sources shown, and in an archive for own spans of a date without own trades.

import { expect, test } from 'bun:test'
import type { PartitionHead } from '../../storage/format/partition-head.ts'
import { kalshiDelta } from '../../test/model/lines.ts'
import { collectLines } from '../../test/support/collected.ts'
import { MemoryPartition } from '../../test/support/stored-partition.ts'
import { encodedLayers } from '../layers/layer.ts'
import { tradeStretches } from './trade-stretches.ts'

const memory = new MemoryPartition()
for (const collected of collectLines([JSON.stringify(kalshiDelta(0, '0.5', '1'))])) memory.add(collected)
const { head } = memory.stored!
const books = { opening: null, closing: null }
const DATE = '2026-08-10'

function stretches(trades: Record<string, number>, spans: PartitionHead['spans']) {
  const layers = Object.entries(trades).map(([name, tradeCount]) => {
    return { source: name === 'own' ? null : name, head: { ...head, tradeCount }, books }
  })
  const whole = { ...head, tradeCount: 5, layers: encodedLayers(layers as never), spans: spans! }
  const day = { date: DATE, head: whole }
  return tradeStretches([day]).map(({ head: of, fromMs, toMs, isBorrowed, number }) => {
    return [of.tradeCount, fromMs, toMs, isBorrowed, number]
  })
}

const [START, END] = [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY]

test('own spans borrow from the first archive with trades', () =>
  expect(
    stretches({ own: 0, a: 0, b: 7, c: 8 }, [
      [null, 0],
      ['a', 50],
      [null, 80],
    ]),
  ).toEqual([
    [7, START, 49, true, 0],
    [5, 50, 79, false, 1],
    [7, 80, END, true, 2],
  ]))

test.each([
  ['own trades', { own: 1, a: 7 }],
  ['no archive with trades', { own: 0, a: 0 }],
  ['no own layer', { a: 7, b: 8 }],
])('%s: as shown', (_, trades) =>
  expect(
    stretches(trades as never, [
      [null, 0],
      ['a', 50],
    ]),
  ).toEqual([[5, START, END, false, 0]]),
)

test('a date of one source, and the days in order', () => {
  const days = [DATE, '2026-08-11'].map((date) => ({ date, head: { ...head, tradeCount: 0 } }))
  expect(tradeStretches(days).map(({ day, isBorrowed }) => [day.date, isBorrowed])).toEqual([
    [DATE, false],
    ['2026-08-11', false],
  ])
})
