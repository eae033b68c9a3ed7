// Opening books stay correct: a day begins with the closing book of the latest earlier day, also when that day, or one
// before it, is loaded or changes later.

import { describe, expect, test } from 'bun:test'
import { DAY_MS, utcDate } from '../../../storage/units.ts'
import { Random } from '../../../workers/synthetic/random.ts'
import { verifyStore } from '../../../workers/verify/verify-store.ts'
import {
  book,
  CONDITION,
  kalshiDelta,
  kalshiGap,
  kalshiSnapshot,
  NOON,
  priceChange,
  TICKER,
} from '../../model/lines.ts'
import { loadTexts } from '../../model/model.ts'
import { seeds } from '../../run/effort.ts'
import { dateRequest, type TestStore, withStore } from '../../support/store.ts'
import { expectSameRecords, expectSameSummary } from '../load/model-comparison.ts'

type Bucket = { best_bid: number | null; best_bid_size: number; is_forward_filled: boolean }

const dateOf = (day: number) => utcDate(NOON + day * DAY_MS)
const at = (day: number, ms = 0) => day * DAY_MS + ms

/** Returns what the day's book starts from, and its last `best bid x size`. */
async function closeOf(store: TestStore, day: number): Promise<string> {
  const date = dateOf(day)
  const buckets = (await store.summary(dateRequest('kalshi', TICKER, TICKER, date, 3_600))) as Bucket[]
  const last = buckets.at(-1)
  const [entry] = await store.store.catalogue.heads('kalshi', TICKER, { from: date, to: date })
  const { startsFrom } = entry!.head.books[0]!
  return `${startsFrom}: ${last === undefined ? 'nothing' : `${last.best_bid} x ${last.best_bid_size}`}`
}

async function load(store: TestStore, name: string, lines: object[]): Promise<void> {
  const report = await store.loadLines(
    name,
    lines.map((line) => JSON.stringify(line)),
  )
  expect(report).toMatchObject({ rejected: 0, error: null })
}

const snapshotDay = (day: number, size: string) => [
  { recv_ms: NOON + at(day), event: kalshiSnapshot([['0.4800', size]]) },
  kalshiDelta(at(day, 1), '0.4800', '1.00'),
]
const deltaDay = (day: number, amount: string) => [kalshiDelta(at(day), '0.4800', amount)]

describe('opening books', () => {
  test('are carried over days that are not stored', () =>
    withStore(async (store) => {
      await load(store, 'a', [...snapshotDay(0, '5.00'), ...deltaDay(9, '2.00')])
      expect([await closeOf(store, 0), await closeOf(store, 9)]).toEqual([
        'snapshot: 0.48 x 6',
        'opening_book: 0.48 x 8',
      ])
    }))

  test('appear when the earlier day is loaded, on all days that follow', () =>
    withStore(async (store) => {
      await load(store, 'later', [...deltaDay(1, '2.00'), ...deltaDay(2, '3.00'), ...deltaDay(5, '4.00')])
      expect(await closeOf(store, 5)).toStartWith('neither: 0.48 x')
      await load(store, 'earlier', snapshotDay(0, '5.00'))
      const closes = await Promise.all([0, 1, 2, 5].map((day) => closeOf(store, day)))
      const carried = ['opening_book: 0.48 x 8', 'opening_book: 0.48 x 11', 'opening_book: 0.48 x 15']
      expect(closes).toEqual(['snapshot: 0.48 x 6', ...carried])
    }))

  test('change with an earlier day, up to the next snapshot', () =>
    withStore(async (store) => {
      const days = [snapshotDay(0, '5.00'), deltaDay(1, '2.00'), snapshotDay(2, '50.00'), deltaDay(3, '7.00')]
      await load(store, 'all', days.flat())
      await load(store, 'more', [kalshiDelta(at(0, 500), '0.4800', '100.00')])
      const closes = await Promise.all([0, 1, 2, 3].map((day) => closeOf(store, day)))
      const [changed, unchanged] = [
        ['snapshot: 0.48 x 106', 'opening_book: 0.48 x 108'],
        ['snapshot: 0.48 x 51', 'opening_book: 0.48 x 58'],
      ]
      expect(closes).toEqual([...changed, ...unchanged])
    }))

  test('end with a gap, and return when a snapshot follows the gap', () =>
    withStore(async (store) => {
      await load(store, 'all', [...snapshotDay(0, '5.00'), ...deltaDay(1, '2.00')])
      await load(store, 'gap', [kalshiGap(at(0, 700))])
      expect(await closeOf(store, 1)).toStartWith('neither')
      await load(store, 'snapshot', [{ recv_ms: NOON + at(0, 900), event: kalshiSnapshot([['0.4800', '9.00']]) }])
      expect(await closeOf(store, 1)).toBe('opening_book: 0.48 x 11')
    }))

  test('open a day, even if a gap of the market ends them before their first record of the day', () =>
    withStore(async (store) => {
      const gap = { type: 'gap', venue: 'polymarket', market: CONDITION, msg: { reason: 'r', from: NOON, to: NOON } }
      await load(store, 'book', [book(0, [['0.48', '5']], [['0.52', '5']])])
      await load(store, 'gap', [{ recv_ms: NOON + at(1), event: gap }])
      const hours = async (day: number, fill: 'observed' | 'range') =>
        ((await store.summary({ ...dateRequest('polymarket', CONDITION, 'A', dateOf(day), 3_600), fill })) as Bucket[])
          .length
      expect([await hours(0, 'observed'), await hours(1, 'range')]).toEqual([12, 24])
    }))

  test('give no bucket to a window that ends before the first quote, while they are only observed', () =>
    withStore(async (store) => {
      const change = { price: '0.40', size: '5', best_bid: '0.47', best_ask: '0.52' }
      await load(store, 'days', [priceChange(at(0), change), priceChange(at(2, 1_800_000), change)])
      const bidsUntil = async (ms: number, fill: 'observed' | 'none' | 'range') => {
        const range = { fromMs: NOON + at(2), toMs: NOON + at(2, ms), fill, timestampUnit: 'ms' } as const
        const asked = { ...dateRequest('polymarket', CONDITION, 'A', dateOf(2), 3_600), ...range }
        return ((await store.summary(asked)) as Bucket[]).map(({ best_bid }) => best_bid)
      }
      for (const fill of ['observed', 'none', 'range'] as const) {
        expect(await bidsUntil(1_799_999, fill)).toEqual([])
        expect(await bidsUntil(1_800_000, fill)).toEqual([0.47])
      }
    }))

  test('are correct in the states before a snapshot when an earlier day changes', () =>
    withStore(async (store) => {
      const levels: [string, string][] = [['0.40', '1']]
      await load(store, 'day-0', [book(at(0), levels, [], 'A'), book(at(0, 1), levels, [], 'B')])
      // The state between these two loads has book B as the day before left it.
      await load(store, 'day-1', [priceChange(at(1), { price: '0.41', size: '2' })])
      await load(store, 'day-1-later', [book(at(1, 60_000), levels, [], 'B')])
      await load(store, 'day-0-later', [priceChange(at(0, 60_000), { asset_id: 'B', price: '0.33', size: '7' })])
      const { damage } = await verifyStore(store.store, () => {})
      expect(damage).toEqual([])
    }))

  test('leave cursors valid when they change a day', () =>
    withStore(async (store) => {
      await load(store, 'later', [...deltaDay(1, '2.00'), kalshiDelta(at(1, 5), '0.4800', '2.00')])
      const page = { venue: 'kalshi', market: TICKER, book: null, limit: 1 } as const
      const range = { fromMs: NOON + DAY_MS, toMs: NOON + 2 * DAY_MS }
      const { next } = await store.page({ ...page, scope: { ...range, after: null } })
      await load(store, 'earlier', snapshotDay(0, '5.00'))
      expect((await store.page({ ...page, scope: { ...range, after: next } })).data.length).toBe(1)
    }))

  test.each(seeds(1, 2, 16))('are the model’s when days come in any order, seed %d', (seed) => {
    const random = new Random(seed, 'days')
    const days = Array.from({ length: 6 }, (_, day) => {
      const deltas = Array.from({ length: 4 }, (_, index) =>
        kalshiDelta(at(day, 10 * index + 2), random.pick(['0.4800', '0.4700']), `${random.between(-4, 9)}.00`),
      )
      const kind = random.below(4)
      if (kind === 0) return [...snapshotDay(day, '5.00'), ...deltas]
      return kind === 1 ? [...deltas, kalshiGap(at(day, 60)), ...(random.chance(0.5) ? deltas : [])] : deltas
    })
    const order = days.toSorted(() => random.fraction() - 0.5).map((lines) => lines.map((line) => JSON.stringify(line)))
    return withStore(async (store) => {
      for (const [index, lines] of order.entries()) await store.loadLines(`day-${index}`, lines)
      const model = loadTexts(
        order.map((lines) => lines.join('\n')),
        Date.now(),
      )
      const books = await expectSameRecords(store, model)
      for (let i = 0; i < 20; i++) await expectSameSummary(store, model, books, random)
    })
  })
})

test('a snapshot without a time, followed by a record of the next day, keeps its own time', () =>
  withStore(async (store) => {
    const snapshot = { recv_ms: NOON, event: kalshiSnapshot([['0.4800', '5.00']]) }
    const later = [at(1), 200_000, 100_000].map((ms) => kalshiDelta(ms, '0.4800', '1.00'))
    await load(store, 'steps-back', [snapshot, ...later])
    const times = (await store.records('kalshi', TICKER, dateOf(0))).map(
      ({ type, timestamp }) => `${type} ${timestamp - NOON}`,
    )
    expect(times).toEqual(['snapshot 0', 'delta 100000', 'delta 200000'])
  }))
