// Tests that the venue's time of a stored record is read from every form that its column can have.

import { expect, test } from 'bun:test'
import { kalshiDelta, kalshiSnapshot, NOON, received } from '../../test/model/lines.ts'
import { decodedBlock } from '../../test/support/books/made-block.ts'
import { isUntimedSnapshot, storedFullUs, storedVenueUs } from './stored-venue-time.ts'

const stamped = (...times: unknown[]) =>
  decodedBlock(
    ...times.map((ts, i) => {
      const { ts_ms: _, ...msg } = kalshiDelta(0, '0.5', '1').msg as Record<string, unknown>
      return received(i, { ...kalshiDelta(0, '0.5', '1'), msg: { ...msg, ts } as never })
    }),
  )

const read = (block: ReturnType<typeof stamped>, of: typeof storedVenueUs) =>
  Array.from({ length: block.recordCount }, (_, record) =>
    of(block.shapes[block.shapeIndexes[record]!]! as never, block.rows[record]!),
  )

test('an instant, in microseconds', () => {
  const block = stamped('2026-08-10T12:00:00.123456Z', '2026-08-10T12:00:01Z')
  expect(read(block, storedVenueUs)).toEqual([NOON * 1_000 + 123_456, NOON * 1_000 + 1_000_000])
  expect(read(block, storedFullUs as never)).toEqual([NOON * 1_000 + 123_456, NOON * 1_000 + 1_000_000])
})

test('seconds as a number: no finer time is printed', () => {
  const block = stamped(NOON / 1_000, NOON / 1_000 + 2.5)
  expect(read(block, storedVenueUs)).toEqual([NOON * 1_000, NOON * 1_000 + 2_500_000])
  expect(read(block, storedFullUs as never)).toEqual([Number.NaN, Number.NaN])
})

test('texts of which some are times, and none at all', () => {
  const block = stamped('2026-08-10T12:00:00.5Z', `${NOON / 1_000}`, 'noon')
  expect(read(block, storedVenueUs)).toEqual([NOON * 1_000 + 500_000, NOON * 1_000, Number.NaN])
  expect(read(block, storedFullUs as never)).toEqual([NOON * 1_000 + 500_000, Number.NaN, Number.NaN])
})

test('a snapshot without a time is one, a delta with a time and a snapshot with one are not', () => {
  const block = decodedBlock(received(0, kalshiSnapshot([['0.5', '1']])), received(1, kalshiDelta(1, '0.5', '1')))
  const untimed = Array.from(block.shapeIndexes, (shape, record) =>
    isUntimedSnapshot(block.shapes[shape]!, block.rows[record]!),
  )
  expect(untimed).toEqual([true, false])
})
