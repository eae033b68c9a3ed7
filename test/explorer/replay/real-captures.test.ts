// Replays real captures forwards and backwards: at every thousandth record, the book matches the API.

import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { ASK, BID, BLOCK_RECORDS, type ChangeBlock, changeBlockOf } from '../../../explorer/data/replay/change-block.ts'
import { blockAfter, blockBefore, type DateRecords, firstBlock } from '../../../explorer/replay/block-chain.ts'
import { type Neighbour, Replay, type Target } from '../../../explorer/replay/replay.ts'
import { sortedLevels } from '../../../explorer/replay/replay-book.ts'
import type { Venue } from '../../../storage/venue.ts'
import { capture, hasCaptures } from '../../support/captures.ts'
import { type StoreApp, storeApp } from '../../support/explorer/store-app.ts'
import { TestStore } from '../../support/store.ts'

const EVERY_RECORDS = 1_000

type Book = { record: number; timestamp: number; trust: string; bids: number[][]; asks: number[][] }
type Subject = { venue: Venue; query: Record<string, string> }
type Checked = Target & { date: string; record: number; book: Book }

const CAPTURES = [
  ['kalshi', 'kalshi/KXGOLD15M-26AUG101800-00'],
  ['kalshi', 'kalshi/KXGOLD15M-26AUG102200-00'],
  ['polymarket', 'polymarket/jokic-2025-12-to-2026-01.ndjson.gz'],
  ['polymarket', 'polymarket/fed-no-change-2026-07-20.ndjson'],
] as const

describe.skipIf(!hasCaptures).each(CAPTURES)('%s, %s', (venue, path) => {
  const stored = new TestStore()
  let app: StoreApp
  let subjects: Subject[] = []

  beforeAll(async () => {
    await stored.load(...capturesIn(path))
    app = storeApp(stored.store)
    subjects = await subjectsOf(app, venue)
  }, 60_000)
  afterAll(() => stored.close())

  test('forwards, backwards, and in jumps', async () => {
    expect(subjects.length).toBeGreaterThan(0)
    let [compared, sure] = [0, 0]
    for (const subject of subjects) {
      const { dates, blocks } = await chainOf(app, subject)
      const neighbour: Neighbour = (block, direction) => {
        const id = direction === 1 ? blockAfter(dates, block) : blockBefore(dates, block)
        return id === undefined ? 'none' : blocks.get(`${id.date} ${id.index}`)!
      }
      const { date, index } = firstBlock(dates)!
      const first = blocks.get(`${date} ${index}`)!
      const places = await placesOf(app, subject, dates)
      const replay = new Replay(first, { record: null, bids: [], asks: [], trust: 'unknown' }, places[0]!.ms - 1)
      const jumps = places.map((_, i) => places[(i * 7_919) % places.length]!)
      for (const place of [...places, ...places.toReversed(), ...jumps]) {
        expect(replay.moveTo(place, neighbour)).toBe('there')
        const { bids, asks } = replay.book
        expect(sortedLevels(bids, BID)).toEqual(filled(place.book.bids) as never)
        expect(sortedLevels(asks, ASK)).toEqual(filled(place.book.asks) as never)
        if (replay.book.isSure) {
          expect(replay.book.trust).toBe(place.book.trust as never)
          sure++
        }
        compared++
      }
    }
    expect(compared).toBeGreaterThan(3)
    // Played forwards, the replay knows that an established book is established.
    if (venue === 'kalshi') expect(sure).toBeGreaterThan(compared / 4)
  }, 120_000)
})

/** Returns the levels with a size: the API also lists best prices that the venue stated without a size. */
const filled = (levels: readonly (readonly number[])[]) => levels.filter(([, size]) => size! > 0)

const capturesIn = (path: string): string[] =>
  path.includes('.')
    ? [capture(path)]
    : [...new Bun.Glob('**/*.ndjson*').scanSync({ cwd: capture(path), absolute: true })].sort()

async function subjectsOf(app: StoreApp, venue: Venue): Promise<Subject[]> {
  const { markets } = await app.json<{ markets: string[] }>(`/${venue}/market/list`, {})
  const subjects: Subject[] = []
  for (const market of markets) {
    if (venue === 'kalshi') subjects.push({ venue, query: { ticker: market } })
    else {
      const { dates } = await app.json<Coverage>(`/${venue}/market/coverage`, { condition_id: market })
      const assets = new Set(dates.flatMap(({ books }) => books.map(({ asset_id }) => asset_id)))
      for (const asset_id of assets) subjects.push({ venue, query: { condition_id: market, asset_id } })
    }
  }
  return subjects
}

type Coverage = { dates: (DateRecords & { books: { asset_id: string }[] })[] }

async function chainOf(app: StoreApp, { venue, query }: Subject) {
  const { asset_id: _, ...market } = query
  const { dates } = await app.json<Coverage>(`/${venue}/market/coverage`, market)
  const blocks = new Map<string, ChangeBlock>()
  for (let id = firstBlock(dates); id !== undefined; id = blockAfter(dates, id)) {
    const place = { date: id.date, record: String(id.index * BLOCK_RECORDS), limit: String(BLOCK_RECORDS) }
    const bytes = await app.bytes(`/${venue}/market/book/changes`, { ...query, ...place, format: 'arrow' })
    blocks.set(`${id.date} ${id.index}`, changeBlockOf(bytes, id.date, id.index))
  }
  return { dates, blocks }
}

/** Returns, for each date in order, every thousandth record, the last record, and the time of the last record. */
async function placesOf(app: StoreApp, { venue, query }: Subject, dates: readonly DateRecords[]): Promise<Checked[]> {
  const places: Checked[] = []
  const bookAt = (at: Record<string, string>) => app.json<Book>(`/${venue}/market/book`, { ...query, ...at })
  for (const { date, record_count: count } of dates) {
    const records = Array.from({ length: Math.ceil(count / EVERY_RECORDS) }, (_, i) => i * EVERY_RECORDS)
    for (const record of new Set([...records, count - 1])) {
      const book = await bookAt({ date, record: String(record) })
      places.push({ date, record, ms: book.timestamp, book })
    }
    const { ms } = places.at(-1)! as { ms: number }
    places.push({ ms, book: await bookAt({ timestamp: String(ms) }) } as Checked)
  }
  return places
}
