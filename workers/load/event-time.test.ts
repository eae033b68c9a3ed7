// The time of a record is the venue's if it is plausible, else the recorder's, and never steps back by less than a
// minute (docs/time-and-order.md).

import { describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import { CONDITION, kalshiDelta, NOON, TICKER } from '../../test/model/lines.ts'
import { type StoredRecord, withStore } from '../../test/support/store.ts'
import { isBelievable } from '../block/believable-time.ts'
import { inferredTimeMs, RunningTime } from './event-time.ts'
import { HERE, loadWith } from './load-capture.ts'

const HOUR = 3_600_000
const NOW = NOON + 2 * HOUR

describe('isBelievable', () => {
  test.each([
    ['kalshi', 'delta', NOON, Number.NaN, true],
    ['kalshi', 'delta', Number.NaN, NOON, false],
    ['kalshi', 'delta', Date.UTC(2020, 0, 1), Number.NaN, true],
    ['kalshi', 'delta', Date.UTC(2020, 0, 1) - 1, Number.NaN, false],
    ['kalshi', 'delta', NOW + 24 * HOUR, Number.NaN, true],
    ['kalshi', 'delta', NOW + 24 * HOUR + 1, Number.NaN, false],
    ['kalshi', 'trade', NOON, NOON + HOUR, true],
    ['kalshi', 'trade', NOON, NOON + HOUR + 1, false],
    ['polymarket', 'delta', NOON, NOON - HOUR, true],
    ['polymarket', 'other', NOON, NOON - HOUR - 1, false],
    ['kalshi', 'snapshot', NOON, NOON + 9 * HOUR, true],
    ['polymarket', 'snapshot', NOON, NOON + 60_000, true],
    ['polymarket', 'snapshot', NOON, NOON + 60_001, false],
    ['polymarket', 'snapshot', NOON, NOON - 9 * HOUR, true],
  ] as const)('%s %s at %d, received at %d: %p', (venue, kind, venueMs, receivedMs, expected) =>
    expect(isBelievable(venue, kind, venueMs, receivedMs, NOW)).toBe(expected),
  )
})

describe('inferredTimeMs', () => {
  test.each([
    [5, 9, 5],
    [9, 5, 5],
    [9, Number.NaN, 9],
    [60_005, 5, 5],
    [60_006, 5, 60_006],
  ])('received at %d, next at %d: %d', (received, next, expected) =>
    expect(inferredTimeMs(received, next)).toBe(expected),
  )
})

test('RunningTime keeps jitter in order and follows a real step back', () => {
  const time = new RunningTime()
  const given = [100_000, 99_999, 40_000, 100_001, 40_000, 39_999, 40_500, 200_000]
  expect(given.map((ms) => time.next(ms))).toEqual([
    100_000, 100_000, 100_000, 100_001, 40_000, 40_000, 40_500, 200_000,
  ])
})

type Line = [receivedMs: number | null, venueMs: number | string | null, type: string]

/** Checks the stored times of Polymarket messages, ms after noon, in stored order. */
async function check(lines: Line[], expected: number[]): Promise<void> {
  await withStore(async (store) => {
    const printed = lines.map(([received, venue, type]) => {
      const timestamp = typeof venue === 'number' ? String(NOON + venue) : venue
      const time = timestamp === null ? {} : { timestamp }
      const event = { event_type: type, market: CONDITION, asset_id: 'A', bids: [], asks: [], ...time }
      return JSON.stringify(received === null ? event : { recv_ms: NOON + received, event })
    })
    await store.loadLines('c.ndjson', printed)
    const records: StoredRecord[] = []
    for (const date of await store.dates('polymarket', CONDITION))
      records.push(...(await store.records('polymarket', CONDITION, date)))
    expect(records.map(({ timestamp }) => timestamp - NOON)).toEqual(expected)
  })
}

describe('a record', () => {
  const [book, trade] = ['book', 'last_trade_price']
  test('has the venue’s time', () =>
    check(
      [
        [50, 7, trade],
        [60, 8, trade],
      ],
      [7, 8],
    ))
  test('without one has the next venue time, if earlier than its own receipt', () =>
    check(
      [
        [50, null, trade],
        [60, 30, trade],
      ],
      [30, 30],
    ))
  test('without one has its receipt, if that is earlier', () =>
    check(
      [
        [50, null, trade],
        [70, 60, trade],
      ],
      [50, 60],
    ))
  test('without one and without a next has its receipt', () =>
    check(
      [
        [40, 30, trade],
        [50, null, trade],
      ],
      [30, 50],
    ))
  test('without one and without a receipt has the next time', () =>
    check(
      [
        [null, null, trade],
        [null, 9, trade],
      ],
      [9, 9],
    ))
  test('with nothing at all has the time before', () =>
    check(
      [
        [null, 9, trade],
        [null, null, trade],
      ],
      [9, 9],
    ))
  test('of a stale book is the time at which it was sent', () =>
    check(
      [
        [100_000, 1, book],
        [100_400, 100_200, trade],
      ],
      [100_000, 100_200],
    ))
  test('of a stale book is before the next record', () =>
    check(
      [
        [100_000, 1, book],
        [100_400, 99_900, trade],
      ],
      [99_900, 99_900],
    ))
  test('of a book that is not stale keeps its time', () =>
    check(
      [
        [60_000, 1, book],
        [60_400, 60_300, trade],
      ],
      [1, 60_300],
    ))
  test('of jitter is not earlier than the one before', () =>
    check(
      [
        [null, 500, trade],
        [null, 200, trade],
        [null, 501, trade],
      ],
      [500, 500, 501],
    ))
  test('of an older run is sorted in', () =>
    check(
      [
        [null, 100_000, trade],
        [null, 1, trade],
        [null, 2, trade],
        [null, 100_001, trade],
      ],
      [1, 2, 100_000, 100_001],
    ))
})

test('a whole capture is refused if venue and recorder agree on a time that this clock has not reached', () =>
  withStore(async (store) => {
    const line = (ms: number) => JSON.stringify({ recv_ms: NOON + ms + 5, event: kalshiDelta(ms, '0.5000', '1.00') })
    const path = join(store.folder, 'ahead.ndjson')
    const load = async (loadingMs: number) =>
      (await loadWith([HERE], store.store, store.folder, [path], { loadingMs }))[0]
    await Bun.write(path, [line(0), line(1)].join('\n'))
    const refused = await load(NOON - 24 * HOUR)
    expect(refused).toMatchObject({ records: 0, recordsAdded: 0, partitionsChanged: 0 })
    expect(refused!.error).toBe(
      `${path} is not loaded: its records are of 2026-08-10T12:00:00.001Z, more than a day after the clock of this machine, which says 2026-08-09T12:00:00.000Z`,
    )
    expect(await store.dates('kalshi', TICKER)).toEqual([])
    expect(await load(NOON + 1 - 24 * HOUR)).toMatchObject({ recordsAdded: 2, error: null })
  }))

test('a thousand messages that wait for a time keep their order', () =>
  withStore(async (store) => {
    const waiting = Array.from({ length: 1_000 }, (_, n) => ({
      recv_ms: NOON + 5_000 + n,
      event: { type: 'trade', sid: 1, seq: n, msg: { market_ticker: TICKER, trade_id: `${n}` } },
    }))
    const lines = [...waiting, { recv_ms: NOON + 7_000, event: kalshiDelta(5_500, '0.5000', '1.00') }]
    await store.loadLines(
      'c.ndjson',
      lines.map((line) => JSON.stringify(line)),
    )
    const records = await store.records('kalshi', TICKER, '2026-08-10')
    expect(records.slice(0, 1_000).map(({ seq }) => Number(seq))).toEqual(waiting.map((_, n) => n))
    expect(records.map(({ timestamp }) => timestamp - NOON)).toEqual([
      ...waiting.map((_, n) => Math.min(5_000 + n, 5_500)),
      5_500,
    ])
  }))
