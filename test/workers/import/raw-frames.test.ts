// Loads raw recordings of others as `ingest` does, but only the requested markets. Books from REST keep the venue's
// hash, and records that overlapping pages share are loaded once.

import { expect, test } from 'bun:test'
import { VENUES } from '../../../storage/venue.ts'
import { entitymlPages } from '../../../workers/import/formats/entityml-pages.ts'
import { rawFrames } from '../../../workers/import/formats/raw-frames.ts'
import { restBooks } from '../../../workers/import/formats/rest-books.ts'
import { bookAt } from '../../../workers/instant/book-at.ts'
import { book, CONDITION, DAY, kalshiSnapshot, NOW, priceChange, received } from '../../model/lines.ts'
import { capture, hasCaptures } from '../../support/captures.ts'
import { checkFile, importFile, importText } from '../../support/import/import-text.ts'
import { type AnyStore, type StoredRecord, withStore } from '../../support/store.ts'

const FRAMES = capture('archives/kalshi-frames/2026-04-18.jsonl')
const REST = {
  kalshi: 'archives/rest-books-2026-07-23/kalshi.ndjson',
  polymarket: 'archives/rest-books-2026-07-23/polymarket.ndjson',
}
const OTHER = `0x${'cd'.repeat(32)}`
const AT = { loadingMs: NOW }
const text = (...lines: object[]) => lines.map((line) => `${JSON.stringify(line)}\n`).join('')

type RecordsByDate = Record<string, StoredRecord[]>

async function everything(tested: AnyStore): Promise<RecordsByDate> {
  const found: RecordsByDate = {}
  for (const venue of VENUES) {
    const { markets } = await tested.store.catalogue.markets(venue, { prefix: '', offset: 0, limit: 1_000 })
    for (const market of markets) {
      for (const { date } of await tested.store.catalogue.heads(venue, market)) {
        found[`${market} ${date}`] = await tested.records(venue, market, date)
      }
    }
  }
  return found
}

const named = (source: string, records: StoredRecord[]) => records.map((record) => ({ ...record, source }))

test.skipIf(!hasCaptures)('real frames of Kalshi give the records that ingest makes of them', () =>
  withStore(async (store) => {
    const report = await importFile(store, rawFrames, FRAMES)
    expect(report).toMatchObject({ rows: 74, messages: 69, recordsAdded: 69, rejected: 0 })
    await withStore(async (own) => {
      expect(await own.load(FRAMES)).toMatchObject([{ messages: 69 }])
      const ownRecords = await everything(own)
      const asOfArchive = Object.entries(ownRecords).map(([date, records]) => [date, named(rawFrames.source, records)])
      expect(await everything(store)).toEqual(Object.fromEntries(asOfArchive))
      // In a store with own records, the import is a separate layer.
      expect(await importFile(own, rawFrames, FRAMES)).toMatchObject({ rows: 74, messages: 69, recordsAdded: 69 })
      expect(await everything(own.ofSource(null))).toEqual(ownRecords)
      expect(await everything(own.ofSource(rawFrames.source))).toEqual(await everything(store))
    })
    expect(await checkFile(rawFrames, FRAMES)).toMatchObject({ rows: 74, messages: 69, rejected: 0 })
  }),
)

test.skipIf(!hasCaptures)(
  'real books of REST: every hash of Polymarket agrees, every ladder of Kalshi is a snapshot',
  () =>
    withStore(async (store) => {
      const polymarket = await importFile(store, restBooks, capture(REST.polymarket))
      expect(polymarket).toMatchObject({ rows: 100, messages: 100, recordsAdded: 100, rejected: 0 })
      const kalshi = await importFile(store, restBooks, capture(REST.kalshi))
      expect(kalshi).toMatchObject({ rows: 60, messages: 60, recordsAdded: 60, rejected: 0 })
      const counts = { checked: 0, agreed: 0, books: 0 }
      for (const [name, records] of Object.entries(await everything(store))) {
        const [market, date] = name.split(' ')
        const venue = market!.startsWith('0x') ? 'polymarket' : 'kalshi'
        const head = await store.store.catalogue.head({ venue, market: market!, date: date! })
        for (const each of head!.books) {
          counts.checked += each.quality.hashesChecked
          counts.agreed += each.quality.hashesAgreed
        }
        counts.books += (records as { type: string }[]).filter(({ type }) => type === 'snapshot').length
      }
      expect(counts).toEqual({ checked: 100, agreed: 100, books: 160 })
      expect(await importFile(store, restBooks, capture(REST.kalshi))).toMatchObject({ recordsAdded: 0 })
    }),
)

const of = (market: string, message: object) => ({ ...message, market })

test('loads only the requested markets of a frame with several markets', () =>
  withStore(async (store) => {
    const frames = text(
      {
        recv_ts_ns: 1_786_363_200_123_000_000,
        raw: JSON.stringify([book(0, [['0.4', '1']], []), of(OTHER, book(1, [], []))]),
      },
      received(20, of(OTHER, priceChange(19, { price: '0.3', size: '1' }))),
      received(30, priceChange(29, { price: '0.3', size: '1.50' }, { asset_id: 'B', price: '0.7', size: '2' })),
      received(40, kalshiSnapshot([['0.10', '1']])),
    )
    const report = await importText(store, rawFrames, 'frames.jsonl.gz', frames, { ...AT, markets: [CONDITION] })
    expect(report).toMatchObject({ rows: 4, rejected: 0, recordsAdded: 3 })
    expect(Object.keys(await everything(store))).toEqual([`${CONDITION} ${DAY}`])
    const [first, ...others] = await store.records('polymarket', CONDITION, DAY)
    expect(first).toMatchObject({ type: 'snapshot', received_at: 1_786_363_200_123, msg: book(0, [['0.4', '1']], []) })
    expect(others.map(({ asset_id }) => asset_id)).toEqual(['A', 'B'])
  }))

test('a line that is not a message is rejected, with its line number', () =>
  withStore(async (store) => {
    const frames = `PONG\n\n{"hello":1}\n${text(received(5, book(0, [], [])))}not json\n`
    const report = await importText(store, rawFrames, 'frames.jsonl', frames, AT)
    expect(report).toMatchObject({ rows: 4, messages: 1, rejected: 2 })
    expect(report.rejects.map(({ line }) => line)).toEqual([3, 5])
  }))

test('pages give their records, and a record on the border of two pages is loaded once', () =>
  withStore(async (store) => {
    const twice = priceChange(50, { price: '0.45', size: '3' })
    const gap = {
      type: 'gap',
      venue: 'polymarket',
      market: CONDITION,
      msg: { reason: 'x', from: 1_786_363_200_100, to: 1_786_363_200_200 },
    }
    const lines = [
      book(0, [['0.4', '1']], []),
      twice,
      twice,
      gap,
      ...[300, 400, 500].map((ms) => priceChange(ms, { price: '0.3', size: `${ms}` })),
    ]
    await store.loadLines(
      'own.ndjson',
      lines.map((line) => JSON.stringify(received(0, line))),
    )
    const records = await store.records('polymarket', CONDITION, DAY)
    expect(records).toHaveLength(7)
    const page = (from: number, to: number) => ({
      ...{ market_condition_id: CONDITION, date: DAY, data_count: to - from, has_more: to < 7 },
      data: records.slice(from, to),
    })
    const pages = [page(0, 3), page(2, 5), page(3, 7)]
    for (const [name, saved] of Object.entries({
      'pages.ndjson': text(...pages),
      'pages.json': JSON.stringify(pages, null, 1),
    })) {
      await withStore(async (other) => {
        const report = await importText(other, entitymlPages, name, saved, AT)
        expect(report).toMatchObject({ rows: 7, recordsAdded: 7, rejected: 0 })
        expect(await other.records('polymarket', CONDITION, DAY)).toEqual(named(entitymlPages.source, records))
        expect(await importText(other, entitymlPages, name, saved, AT)).toMatchObject({ recordsAdded: 0 })
      })
    }
    const wrong = await importText(store, entitymlPages, 'wrong.json', '{"data":[]}', AT)
    expect(wrong).toMatchObject({ rows: 1, rejected: 1 })
  }))

test("each book of Kalshi's batch is a snapshot of the market that it names", () =>
  withStore(async (store) => {
    const sides = { yes_dollars: [['0.4000', '10.00']], no_dollars: [] }
    const orderbooks = ['KXBAT-A', 'KXBAT-B'].map((ticker) => ({ ticker, orderbook_fp: sides }))
    const line = { received_at: Date.parse(`${DAY}T12:00:00Z`), body: { orderbooks } }
    expect(await importText(store, restBooks, 'books.jsonl', text(line), AT)).toMatchObject({
      recordsAdded: 2,
      rejected: 0,
    })
    const [record] = await store.records('kalshi', 'KXBAT-B', DAY)
    expect(record).toMatchObject({ type: 'snapshot', received_at: line.received_at, msg: { orderbook_fp: sides } })
  }))

test('a REST book in the old and the new form is read in the new one, and stored whole', () =>
  withStore(async (store) => {
    const body = {
      orderbook: { yes: [[40, 5]], no: null },
      orderbook_fp: { yes_dollars: [['0.4010', '5.25']], no_dollars: [] },
    }
    const line = { ticker: 'KXBOTH', received_at: Date.parse(`${DAY}T12:00:00Z`), body }
    expect(await importText(store, restBooks, 'both.jsonl', text(line), AT)).toMatchObject({
      recordsAdded: 1,
      rejected: 0,
    })
    expect(await store.records('kalshi', 'KXBOTH', DAY)).toMatchObject([{ type: 'snapshot', msg: body }])
    const { bids } = await bookAt(store.store, {
      venue: 'kalshi',
      market: 'KXBOTH',
      book: 'KXBOTH',
      at: { ms: line.received_at },
      depth: 9,
    })
    expect(bids).toEqual([[0.401, 5.25]])
  }))
