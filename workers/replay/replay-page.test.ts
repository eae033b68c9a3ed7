// Compares pages of a replay, of any size and from anywhere, with the raw records of the same days.

import { afterAll, beforeAll, expect, test } from 'bun:test'
import { RECORD_KINDS } from '../../storage/format/shape.ts'
import { DAY_MS, dateStartMs } from '../../storage/units.ts'
import { type StoredRecord, TestStore } from '../../test/support/store.ts'
import type { Position } from '../requests.ts'
import { Random } from '../synthetic/random.ts'
import { syntheticDay } from '../synthetic/synthetic-day.ts'
import { framesIn, RecordFrame, WHOLE } from './record-frames.ts'
import { type ReplayPageRequest, replayPage } from './replay-page.ts'

const DATES = ['2026-07-19', '2026-07-20', '2026-07-23']

type Read = Pick<StoredRecord, 'type' | 'timestamp' | 'received_at' | 'msg'> & { book: string | null; place: string }

let store: TestStore
/** All stored records, by venue and market. */
const stored = new Map<string, Read[]>()

beforeAll(async () => {
  store = new TestStore()
  for (const date of DATES) {
    const day = syntheticDay({ date, kalshiRecords: 6_000, polymarketRecords: 2_000 })
    await store.loadLines(`kalshi-${date}.ndjson`, [...day.kalshiLines])
    await store.loadLines(`polymarket-${date}.ndjson`, [...day.polymarketLines])
  }
  for (const venue of ['kalshi', 'polymarket'] as const) {
    const { markets } = await store.store.catalogue.markets(venue, { prefix: '', offset: 0, limit: 100 })
    for (const market of markets) {
      const days = await Promise.all(DATES.map(async (date) => placed(date, await store.records(venue, market, date))))
      stored.set(`${venue} ${market}`, days.flat())
    }
  }
})
afterAll(() => store.close())

const placed = (date: string, records: StoredRecord[]): Read[] =>
  records.map(({ type, timestamp, received_at: received, msg, ticker, asset_id: asset }, record) => ({
    ...{ type, timestamp, received_at: received, msg },
    ...{ book: (ticker ?? asset ?? null) as string | null, place: `${date} ${record}` },
  }))

async function readAll(request: Omit<ReplayPageRequest, 'after' | 'limit'>, limitOf: () => number): Promise<Read[]> {
  const read: Read[] = []
  let after: Position | null = null
  do {
    const limit = limitOf()
    const { head, frames } = await replayPage(store.store, { ...request, after, limit })
    const page = Buffer.concat(frames)
    const before = read.length
    for (const packed of framesIn(page)) {
      const frame = new RecordFrame(packed)
      for (let i = 0; i < frame.count; i++) read.push(recordIn(frame, i, head.books))
    }
    expect(read.length - before).toBeLessThanOrEqual(limit)
    after = head.next
  } while (after !== null)
  return read
}

const recordIn = (frame: RecordFrame, i: number, books: string[]): Read => ({
  type: RECORD_KINDS[frame.kinds[i]! & ~WHOLE]!,
  timestamp: frame.times[i]!,
  received_at: frame.received[i]! < 0 ? null : frame.received[i]!,
  book: frame.books[i] === 0 ? null : books[frame.books[i]! - 1]!,
  msg: JSON.parse(frame.text(i)) as object,
  place: `${frame.date} ${frame.records[i]}`,
})

test.each(['kalshi', 'polymarket'] as const)('%s: all records of a window once, whatever the pages', async (venue) => {
  const random = new Random(3, venue)
  const startMs = dateStartMs(DATES[0]!)
  for (const [name, records] of stored) {
    if (!name.startsWith(venue)) continue
    const market = name.split(' ')[1]!
    for (const limitOf of [() => 16_384, () => 1 + random.below(700)]) {
      const bounds = [random.below(6 * DAY_MS), random.below(6 * DAY_MS)].sort((a, b) => a - b)
      const [fromMs, toMs] = limitOf() === 16_384 ? [startMs, startMs + 6 * DAY_MS] : bounds.map((ms) => startMs + ms)
      const window = { venue, market, fromMs: fromMs!, toMs: toMs!, text: 'message' } as const
      const expected = records.filter(({ timestamp }) => timestamp >= fromMs! && timestamp <= toMs!)
      expect(await readAll(window, limitOf)).toEqual(expected)
    }
  }
})

test('a market that is not stored has an empty page', async () => {
  const window = { venue: 'kalshi', market: 'KXNONE', fromMs: 0, toMs: 2e12, text: 'message' } as const
  expect(await readAll(window, () => 100)).toEqual([])
})

test('a position before which the data has changed is refused', async () => {
  const made = new TestStore()
  const day = syntheticDay({ date: DATES[0]!, kalshiRecords: 3_000, polymarketRecords: 100 })
  const lines = [...day.kalshiLines].filter((line) => line.includes(day.kalshiTicker))
  await made.loadLines(
    'second.ndjson',
    lines.filter((_, i) => i < 5 || i > lines.length / 2),
  )
  const window = { venue: 'kalshi', market: day.kalshiTicker, fromMs: 0, toMs: 2e12, text: 'message' } as const
  const { head } = await replayPage(made.store, { ...window, after: null, limit: 500 })
  await made.loadLines('whole.ndjson', lines)
  const again = replayPage(made.store, { ...window, after: head.next, limit: 500 })
  await expect(again).rejects.toThrow('has changed since')
  await made.close()
})
