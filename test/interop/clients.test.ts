// Runs third-party clients of the venues on replays. Only the address of the client is replaced. The clients emit the
// stored records, in any form of the messages, and report no unknown message.
//
// Leaves out `@polymarket/real-time-data-client`: its server has other commands and other messages.

import { afterAll, describe, expect, test } from 'bun:test'
import { existsSync } from 'node:fs'
import { KALSHI_PATH } from '../../src/replay/venues/kalshi/protocol.ts'
import { POLYMARKET_PATH } from '../../src/replay/venues/polymarket/protocol.ts'
import { VENUES, type Venue } from '../../storage/venue.ts'
import { pmxtV2 } from '../../workers/import/formats/pmxt-v2.ts'
import { restBooks } from '../../workers/import/formats/rest-books.ts'
import { bookAt } from '../../workers/instant/book-at.ts'
import { amount } from '../model/exact.ts'
import type { JsonObject } from '../model/json.ts'
import { changesOf } from '../model/polymarket-message.ts'
import { IS_LONG } from '../run/effort.ts'
import { isPresent } from '../run/missing.ts'
import { allCaptures, capture, hasCaptures } from '../support/captures.ts'
import { importFile, importText } from '../support/import/import-text.ts'
import { serveReplay } from '../support/replay/replay-server.ts'
import { type StoredRecord, TestStore } from '../support/store.ts'
import { KALSHI_LINES, POLYMARKET_LINES, REST_LINES } from './made-captures.ts'

const path = (name: string) => new URL(name, import.meta.url).pathname
const isHere = isPresent(existsSync(path('clients/node_modules')), 'clients of others (bun run interop:clients)')

type Printed = { kind: string; value: unknown }
type Case = [name: string, load: (store: TestStore) => Promise<unknown>]

const CASES: Case[] = [
  ['every form of Polymarket', (store) => store.loadLines('polymarket.ndjson', POLYMARKET_LINES)],
  ['every form of Kalshi', (store) => store.loadLines('kalshi.ndjson', KALSHI_LINES)],
  ['books of the REST APIs', (store) => importText(store, restBooks, 'books.ndjson', REST_LINES.join('\n'))],
]
const REAL: Case[] = [
  ...(['kalshi', 'polymarket'] as const).map((venue): Case => {
    const file = `archives/rest-books-2026-07-23/${venue}.ndjson`
    return [file, (store) => importFile(store, restBooks, capture(file))]
  }),
  ['a slice of pmxt', (store) => importFile(store, pmxtV2, capture('archives/pmxt/slice-2026-05-22.parquet'))],
  ...['archives/kalshi-frames/2026-04-18.jsonl', 'polymarket/books-2024-12-22.ndjson'].map(
    (file): Case => [file, (store) => store.load(capture(file))],
  ),
  ...(IS_LONG ? allCaptures() : []).map((file): Case => [file, (store) => store.load(file)]),
]

const stores: TestStore[] = []
afterAll(async () => {
  for (const store of stores) await store.close()
})

describe.skipIf(!isHere)('third-party clients', () => {
  test.each(CASES)('%s', tryWith, 60_000)
  test.skipIf(!hasCaptures).each(REAL)('%s', tryWith, 600_000)
})

/** Maximum number of markets of a case in a usual run. */
const MARKETS_MAX = 20

async function tryWith(_: string, load: Case[1]): Promise<void> {
  const store = new TestStore()
  stores.push(store)
  await load(store)
  using server = serveReplay(store.store)
  let count = 0
  for (const venue of VENUES) {
    const page = { prefix: '', offset: 0, limit: IS_LONG ? 1_000 : MARKETS_MAX }
    const { markets } = await store.store.catalogue.markets(venue, page)
    if (markets.length === 0) continue
    const days = await Promise.all(markets.map((market) => store.store.catalogue.heads(venue, market)))
    const dates = days.flat().map(({ date }) => date)
    const records = await Promise.all(
      days.flatMap((heads, i) => heads.map(({ date }) => store.records(venue, markets[i]!, date, 100_000))),
    )
    const window = `from=${dates.sort()[0]}&to=${dates.at(-1)}&speed=0&key=secret`
    const tried = { store, markets, records: records.flat().sort(byTime), window, url: server.url }
    await (venue === 'kalshi' ? tryPmxt(tried) : tryPolyWebsockets(tried))
    count += markets.length
  }
  expect(count).toBeGreaterThan(0)
}

const byTime = (one: StoredRecord, other: StoredRecord) => one.timestamp - other.timestamp

type Tried = { store: TestStore; markets: string[]; records: StoredRecord[]; window: string; url: string }

async function printedBy(program: string, args: string[]): Promise<(kind: string) => unknown[]> {
  const run = Bun.spawn(['bun', path(program), ...args], { stdout: 'pipe', stderr: 'pipe' })
  const [out, failure] = await Promise.all([new Response(run.stdout).text(), new Response(run.stderr).text()])
  expect([await run.exited, failure]).toEqual([0, ''])
  const lines = out
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Printed)
  return (kind) => lines.filter((line) => line.kind === kind).map(({ value }) => value)
}

type Book = { bids: Levels; asks: Levels }
type Levels = { price: number | string; size: number | string }[]

const micros = (value: unknown) => Math.round(Number(value) * 1e6)
const sorted = (levels: Levels) =>
  levels.map(({ price, size }) => [micros(price), micros(size)]).sort(([a], [b]) => a! - b!)

async function storedBook(store: TestStore, venue: Venue, market: string, book: string) {
  const { bids, asks } = await bookAt(store.store, { venue, market, book, at: { ms: Date.now() }, depth: 10_000 })
  const levels = (side: [number, number][]) => sorted(side.map(([price, size]) => ({ price, size })))
  return { bids: levels(bids), asks: levels(asks) }
}

/** Poly-websockets emits every book, change, trade and tick as an event, and maintains the books. */
async function tryPolyWebsockets({ store, records, window, url }: Tried): Promise<void> {
  const marketOf = new Map(records.map(({ asset_id: asset, msg }) => [asset, (msg as JsonObject)['market']] as const))
  marketOf.delete(null)
  const tokens = [...marketOf.keys()] as string[]
  const printed = await printedBy('run-poly-websockets.ts', [`${url}${POLYMARKET_PATH}?${window}`, ...tokens])
  expect(printed('error')).toEqual([])
  expect(printed('closed')).toEqual([1000])
  const stored = (type: string) => records.filter((record) => record.type === type).map(({ msg }) => msg as JsonObject)
  expect(printed('book')).toHaveLength(stored('snapshot').length)
  expect(printed('tick_size_change')).toEqual(stored('tick_size'))
  expect(printed('last_trade_price')).toEqual(stored('trade'))
  const changes = (messages: JsonObject[]) =>
    messages.flatMap((msg) =>
      changesOf(msg).map(({ asset_id: asset, price, size, side }) => {
        return [asset ?? msg['asset_id'], amount(price), amount(size), side, msg['timestamp']]
      }),
    )
  expect(changes(printed('price_change') as JsonObject[])).toEqual(changes(stored('delta')))
  for (const { token, book } of printed('held') as { token: string; book: Book | null }[]) {
    const { bids, asks } = book ?? { bids: [], asks: [] }
    const cached = { token, bids: sorted(bids), asks: sorted(asks) }
    expect(cached).toEqual({ token, ...(await storedBook(store, 'polymarket', String(marketOf.get(token)), token)) })
  }
}

/** Pmxt emits a book with every book message, but applies no delta, because it looks for `price_dollars_fp` or cents.
 *  So the test compares only the books at the start of a replay. */
async function tryPmxt({ store, markets, records, window, url }: Tried): Promise<void> {
  const printed = await printedBy('run-pmxt-kalshi.ts', [`${url}${KALSHI_PATH}?${window}`, ...markets])
  expect(printed('error')).toEqual([])
  const ids = records.filter(({ type }) => type === 'trade').map(({ msg }) => ({ id: (msg as JsonObject)['trade_id'] }))
  expect(printed('trade')).toMatchObject(ids)
  const emitted = printed('book') as { ticker: string }[]
  for (const market of markets) {
    const types = records.filter(({ ticker }) => ticker === market).map(({ type }) => type)
    const ofBook = types.slice(types.indexOf('snapshot')).filter((type) => type === 'snapshot' || type === 'delta')
    expect(emitted.filter(({ ticker }) => ticker === market)).toHaveLength(ofBook.length)
  }
  const endMs = records.at(-1)!.timestamp
  const end = `from=${endMs}&to=${endMs + 1}&speed=0&key=secret`
  const atEnd = await printedBy('run-pmxt-kalshi.ts', [`${url}${KALSHI_PATH}?${end}`, ...markets])
  const found = (atEnd('book') as { ticker: string; book: Book }[]).map(({ ticker, book }) => {
    return [ticker, { bids: sorted(book.bids), asks: sorted(book.asks) }]
  })
  const stored = await Promise.all(markets.map((market) => storedBook(store, 'kalshi', market, market)))
  expect(Object.fromEntries(found)).toEqual(Object.fromEntries(markets.map((market, i) => [market, stored[i]])))
}
