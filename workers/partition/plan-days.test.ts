// Days of a new market are planned in order, each from the closing books of the day before.

import { expect, test } from 'bun:test'
import { kalshiDelta, kalshiSnapshot, received } from '../../test/model/lines.ts'
import { collectLines } from '../../test/support/collected.ts'
import type { PartitionChange } from './partition-types.ts'
import { planDays } from './plan-days.ts'
import { planPartition } from './plan-partition.ts'

const DAY_MS = 86_400_000
const days = () =>
  collectLines(
    [0, 1, 2].flatMap((day) => [
      JSON.stringify(received(day * DAY_MS, kalshiSnapshot([['0.40', `${day + 1}`]]))),
      JSON.stringify(received(day * DAY_MS + 5, kalshiDelta(day * DAY_MS + 5, '0.40', '1'))),
    ]),
  )

test('plans each day in the order of dates, whatever order they are given in', () => {
  const planned = days().toReversed()
  planDays(planned)
  let closing: Uint8Array | null = null
  for (const day of planned.toReversed()) {
    expect(day.planned!.closingBefore).toEqual(closing)
    const before: Uint8Array | null = closing
    const alone: PartitionChange = planPartition(undefined, { ...day, planned: null }, () => before)!
    expect(day.planned!.change.head).toEqual(alone.head)
    closing = alone.books!.closing
  }
})

test('from a day on that is not ready, none is planned', () => {
  const planned = days()
  planned[1]!.isSorted = false
  planDays(planned)
  expect(planned.map((day) => day.planned === null)).toEqual([false, true, true])
})
