// Tests the venue's and the recorder's time of each record, NaN if there is none.

import { expect, test } from 'bun:test'
import { kalshiDelta, kalshiSnapshot, NOON, received } from '../../test/model/lines.ts'
import { storedBlock } from '../../test/support/books/made-block.ts'
import { recordTimes } from './record-times.ts'

const fine = (ms: number, ts: string) => {
  const delta = kalshiDelta(ms, '0.5', '1')
  return { ...delta, msg: { ...delta.msg, ts } }
}

test('records of several shapes', () => {
  const block = storedBlock(
    received(-3, kalshiSnapshot([['0.5', '1']])),
    received(9, kalshiDelta(10, '0.5', '1')),
    kalshiDelta(12, '0.5', '1'),
    received(14, fine(15, '2026-08-10T12:00:00.015250Z')),
  )
  const { venueUs, receivedMs } = recordTimes(block)
  expect(Array.from(venueUs, (us) => us - NOON * 1_000)).toEqual([Number.NaN, 10_000, 12_000, 15_250])
  expect(Array.from(receivedMs, (ms) => ms - NOON)).toEqual([-3, 9, Number.NaN, 14])
})

test('many records whose time of receipt is stored next to the event time', () => {
  const times = Array.from({ length: 400 }, (_, i) => i * i)
  const block = storedBlock(...times.map((ms) => received(ms + 7, kalshiDelta(ms, '0.5', '1'))))
  const { venueUs, receivedMs } = recordTimes(block)
  expect(Array.from(receivedMs, (ms) => ms - NOON - 7)).toEqual(times)
  expect(Array.from(venueUs, (us) => us / 1_000 - NOON)).toEqual(times)
})

test('reports damage as damage', () => {
  const block = storedBlock(received(9, kalshiDelta(10, '0.5', '1')))
  const shapes = block.shapes.map((shape) => ({ ...shape, receivedMs: {} as never }))
  expect(() => recordTimes({ ...block, shapes })).toThrow(/^Cannot read the records of a stored block: /)
})
