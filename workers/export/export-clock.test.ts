// Tests the two times of an exported row: the venue's own, and a receipt time that never steps back or leaves the date.

import { expect, test } from 'bun:test'
import { EXPORT_DATE, EXPORT_START_MS, presentRecord } from '../../test/support/export/made-record.ts'
import { ExportClock } from './export-clock.ts'

const START_US = EXPORT_START_MS * 1_000
const END_US = START_US + 86_400_000_000 - 1

function times(...records: Parameters<typeof presentRecord>[]) {
  const clock = new ExportClock(EXPORT_DATE)
  const all = records.map((record) => {
    clock.set(presentRecord(...record))
    return [clock.eventUs - START_US, clock.receivedUs - START_US]
  })
  return { all, movedTimes: clock.movedTimes }
}

test('times as they are, and the event time where one is missing', () =>
  expect(
    times(
      [0, 10, { venueUs: START_US + 7_123 }],
      [1, 20, { venueUs: Number.NaN }],
      [2, 30, { venueUs: -5, receivedMs: Number.NaN }],
    ),
  ).toEqual({
    all: [
      [7_123, 15_000],
      [20_000, 25_000],
      [30_000, 30_000],
    ],
    movedTimes: 0,
  }))

test('a receipt that steps back, or is outside the date, is moved and counted', () =>
  expect(
    times(
      [0, 10, { receivedMs: EXPORT_START_MS - 3 }],
      [1, 20],
      [2, 21, { receivedMs: EXPORT_START_MS + 24 }],
      [2, 99],
      [3, 30, { receivedMs: EXPORT_START_MS + 90_000_000 }],
    ),
  ).toEqual({
    all: [
      [10_000, 0],
      [20_000, 25_000],
      [21_000, 25_000],
      [21_000, 25_000],
      [30_000, END_US - START_US],
    ],
    movedTimes: 3,
  }))

test('a step is a microsecond, at most to the end of the date', () => {
  const clock = new ExportClock(EXPORT_DATE)
  clock.set(presentRecord(0, 10))
  clock.step()
  expect(clock.receivedUs - START_US).toBe(15_001)
  clock.set(presentRecord(1, 20, { receivedMs: EXPORT_START_MS + 90_000_000, venueUs: 17 }))
  clock.step()
  expect([clock.receivedUs, clock.eventUs]).toEqual([END_US, 17])
  clock.takeEventTime(presentRecord(1, 20))
  expect(clock.eventUs - START_US).toBe(20_000)
})
