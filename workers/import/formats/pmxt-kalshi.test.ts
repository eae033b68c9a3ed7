// Batches give Kalshi's books as the venue sent them: deltas by the venue's time, and each snapshot at the place where
// it equals the book.

import { expect, test } from 'bun:test'
import type { SchemaElement } from 'hyparquet'
import { loadArchive } from '../../../test/model/model.ts'
import { imported, LOADED_AT } from '../../../test/support/archives/imported.ts'
import { MemoryFile, parquetBytes, type Row } from '../../../test/support/archives/parquet-bytes.ts'
import { units } from '../../../test/support/archives/pmxt-rows.ts'
import { withStore } from '../../../test/support/store.ts'
import { expectSameRecords } from '../../../test/workers/load/model-comparison.ts'
import { Random } from '../../synthetic/random.ts'
import { pmxtKalshi } from './pmxt-kalshi.ts'

type Level = [price: string, size: string]
type KalshiRow = {
  received: number
  market: string
  venueUs?: number
  side?: 'yes' | 'no'
  price?: string
  delta?: string
} & { yes?: Level[]; no?: Level[] }

const optional = { repetition_type: 'OPTIONAL' } as const
const text = { type: 'BYTE_ARRAY', converted_type: 'UTF8', ...optional } as const
const price = { type: 'INT32', converted_type: 'DECIMAL', precision: 9, scale: 4, ...optional } as const
const size = { type: 'INT64', converted_type: 'DECIMAL', precision: 18, scale: 6, ...optional } as const
const levels = (name: string): [SchemaElement, ...SchemaElement[]] => [
  { name, ...optional, converted_type: 'LIST', num_children: 1 },
  { name: 'list', repetition_type: 'REPEATED', num_children: 1 },
  { name: 'element', ...optional, num_children: 2 },
  { name: '1', ...price },
  { name: '2', ...size },
]
const SCHEMA = [
  { name: 'timestamp_received', type: 'INT64', converted_type: 'TIMESTAMP_MILLIS', ...optional },
  { name: 'timestamp', type: 'INT64', converted_type: 'TIMESTAMP_MICROS', ...optional },
  { name: 'market_ticker', ...text },
  { name: 'market_id', ...text },
  { name: 'event_type', ...text },
  levels('yes_bids'),
  levels('no_bids'),
  { name: 'price', ...price },
  { name: 'delta', ...size },
  { name: 'side', ...text },
] as Parameters<typeof parquetBytes>[0]

const ID = 'fb95fe57-d4f2-4f3f-956c-f7011063d20f'
const START = Date.UTC(2026, 4, 20, 12)

const signed = (decimal: string, places: number) =>
  decimal.startsWith('-') ? -units(decimal.slice(1), places)! : units(decimal, places)!

function cellsOf({ received, market, venueUs, side, price: at, delta, yes, no }: KalshiRow): Row {
  const of = (book: Level[] | undefined) => book?.map(([one, two]) => ({ 1: units(one, 4), 2: units(two, 6) })) ?? null
  return {
    timestamp_received: Number.isNaN(received) ? null : BigInt(received),
    ...{ timestamp: venueUs === undefined ? null : BigInt(venueUs) },
    ...{ market_ticker: market, market_id: ID, event_type: side ? 'orderbook_delta' : 'orderbook_snapshot' },
    ...{ yes_bids: of(yes), no_bids: of(no), side: side ?? null },
    ...{ price: at === undefined ? null : units(at, 4), delta: delta === undefined ? null : signed(delta, 6) },
  }
}

const file = (groups: KalshiRow[][]) =>
  new MemoryFile(
    parquetBytes(
      SCHEMA,
      groups.map((rows) => rows.map(cellsOf)),
    ),
  )

function lineOf({ received, market, venueUs, side, price: at, delta, yes, no }: KalshiRow): string {
  const of = { market_ticker: market, market_id: ID }
  if (side === undefined) {
    const sides = { ...(yes?.length ? { yes_dollars_fp: yes } : {}), ...(no?.length ? { no_dollars_fp: no } : {}) }
    return JSON.stringify({ recv_ms: received, msg: { type: 'orderbook_snapshot', msg: { ...of, ...sides } } })
  }
  const micros = String(venueUs! % 1_000_000)
    .padStart(6, '0')
    .replace(/0+$/, '')
  const ts = `${new Date(Math.floor(venueUs! / 1_000)).toISOString().slice(0, 19)}${micros && `.${micros}`}Z`
  const times = { ts, ts_ms: Math.floor(venueUs! / 1_000) }
  const msg = { ...of, price_dollars: at, delta_fp: delta, side, ...times }
  return JSON.stringify({ recv_ms: received, msg: { type: 'orderbook_delta', msg } })
}

const modelOf = (rows: readonly KalshiRow[]) => loadArchive(pmxtKalshi.source, rows.map(lineOf), LOADED_AT)

/** Returns rows as the venue sent them, in batches with one time of receipt each. Each snapshot equals the book that
 *  the deltas make. */
function sentBatches(random: Random, market: string, batches: number): KalshiRow[][] {
  const book = new Map<string, number>()
  let us = START * 1_000 + random.below(1_000)
  return Array.from({ length: batches }, (_, batch) => {
    const received = START + 1_000 * (batch + 1)
    const snapshot = () => {
      const of = (side: string): Level[] =>
        [...book]
          .filter(([level]) => level.startsWith(side))
          .sort()
          .map(([level, hundredths]) => [level.slice(4), (hundredths / 100).toFixed(2)])
      return { received, market, yes: of('yes '), no: of('no  ') }
    }
    const rows: KalshiRow[] = batch === 0 ? [snapshot()] : []
    // No batch returns to an earlier state of the book, so the place of a snapshot is unambiguous.
    const changed = new Set<string>()
    for (let i = random.between(1, 12); i > 0; i--) {
      us += random.between(1, 70_000)
      const side = random.pick(['yes', 'no'] as const)
      const at = (random.between(1, 99) / 100).toFixed(4)
      const level = `${side.padEnd(4)}${at}`
      const before = book.get(level) ?? 0
      const isRemoved = before > 0 && !changed.has(level) && random.chance(0.5)
      changed.add(level)
      const change = isRemoved ? -before : random.between(1, 90_000)
      book.set(level, before + change)
      if (book.get(level) === 0) book.delete(level)
      rows.push({ received, market, venueUs: us, side, price: at, delta: (change / 100).toFixed(2) })
      if (batch > 0 && random.chance(0.08)) rows.push(snapshot())
    }
    return rows
  })
}

test.each([1, 2, 3, 4])('rows of a batch in any order, seed %d', (seed) =>
  withStore(async (store) => {
    const random = new Random(seed, 'kalshi')
    const markets = ['KXBTC-26MAY-B1', 'KXETH-26MAY-T2'].map((market) => sentBatches(random, market, 30))
    const sent = markets.map((batches) => batches.flat())
    // Mixes the batches of both markets, in the order of receipt. Within a batch, except the first, the order is
    // random.
    const receivedRows = markets[0]!.flatMap((batch, i) => {
      const rows = [...batch, ...markets[1]![i]!]
      return i === 0 ? rows : rows.sort(() => random.fraction() - 0.5)
    })
    const groups = [
      receivedRows.slice(0, 40),
      receivedRows.slice(40, 41),
      receivedRows.slice(41, 150),
      receivedRows.slice(150),
    ]
    const { report } = await imported(store, pmxtKalshi, file(groups))
    expect(report).toMatchObject({ rows: receivedRows.length, messages: receivedRows.length, rejected: 0 })
    await expectSameRecords(store, modelOf(sent.flat()))
  }),
)

test.each([5, 6])('of one market, where row groups within a batch have no row of it, seed %d', (seed) =>
  withStore(async (store) => {
    const random = new Random(seed, 'kalshi')
    const [chosen, other] = ['KXBTC-26MAY-B1', 'KXETH-26MAY-T2']
    const sent = sentBatches(random, chosen!, 20)
    const others = sentBatches(random, other!, 20)
    const receivedRows = sent.flatMap((batch, i) => {
      const rows = [...batch, ...others[i]!]
      return i === 0 ? rows : rows.sort(() => random.fraction() - 0.5)
    })
    const groups = Array.from({ length: Math.ceil(receivedRows.length / 3) }, (_, i) =>
      receivedRows.slice(3 * i, 3 * i + 3),
    )
    const hour = file([...groups, [{ ...receivedRows.at(-1)!, market: other! }]])
    const { report } = await imported(store, pmxtKalshi, hour, { markets: [chosen!] })
    expect(report).toMatchObject({ rows: sent.flat().length, messages: sent.flat().length, absent: [] })
    await expectSameRecords(store, modelOf(sent.flat()))
  }),
)

test('one market: of row groups without it, only the column of markets is read', () =>
  withStore(async (store) => {
    const random = new Random(7, 'kalshi')
    const sent = sentBatches(random, 'KXBTC-26MAY-B1', 10)
    const groups = [...sent, ...sentBatches(random, 'KXETH-26MAY-T2', 40)]
    const [whole, one, none] = [file(groups), file(groups), file(groups)]
    const { report } = await imported(store, pmxtKalshi, one, { markets: ['KXBTC-26MAY-B1'] })
    expect(report).toMatchObject({ rows: sent.flat().length, messages: sent.flat().length, absent: [] })
    await expectSameRecords(store, modelOf(sent.flat()))
    await withStore(async (other) => void (await imported(other, pmxtKalshi, whole)))
    expect(bytesOf(one)).toBeLessThan(0.8 * bytesOf(whole))
    const { report: empty } = await imported(store, pmxtKalshi, none, { markets: ['KXAAA'] })
    expect(empty).toMatchObject({ rows: 0, absent: ['KXAAA'] })
    // The reader requests only the footer, in two pieces if it is long.
    expect(none.ranges.length).toBeLessThanOrEqual(2)
  }))

const bytesOf = ({ ranges }: MemoryFile) => ranges.reduce((sum, [start, end]) => sum + end - start, 0)

test('loaded again it adds nothing', () =>
  withStore(async (store) => {
    const rows = sentBatches(new Random(9, 'kalshi'), 'KXBTC-26MAY-B1', 30).flat()
    const hour = file([rows.slice(0, 30), rows.slice(30, 60), rows.slice(60)])
    expect((await imported(store, pmxtKalshi, hour)).report.recordsAdded).toBe(rows.length)
    expect((await imported(store, pmxtKalshi, hour)).report.recordsAdded).toBe(0)
    await expectSameRecords(store, modelOf(rows))
  }))

test('a snapshot that matches no place goes after the deltas before it in the file', () =>
  withStore(async (store) => {
    const market = 'KXBTC-26MAY-B1'
    const at = { received: START, market }
    const delta = (us: number): KalshiRow => {
      return { ...at, venueUs: START * 1_000 + us, side: 'yes', price: '0.5000', delta: '1.00' }
    }
    const snapshot: KalshiRow = { ...at, yes: [['0.4000', '7.00']], no: [] }
    const rows = [delta(3), snapshot, delta(9), delta(5)]
    await imported(store, pmxtKalshi, file([rows]))
    await expectSameRecords(store, modelOf([delta(3), snapshot, delta(5), delta(9)]))
  }))

test('incomplete rows are rejected, and an hour without rows has no messages', () =>
  withStore(async (store) => {
    const delta: KalshiRow = {
      received: START,
      market: 'KXBTC-26MAY-B1',
      venueUs: START * 1_000,
      side: 'no',
      price: '0.5',
      delta: '-1',
    }
    const { price: _, ...withoutPrice } = delta
    const rows = [withoutPrice, { ...delta, side: 'maybe' as 'no' }, { ...delta, received: Number.NaN }]
    const { report } = await imported(store, pmxtKalshi, file([rows]))
    expect(report).toMatchObject({ rows: 3, rejected: 3, messages: 0 })
    expect((await imported(store, pmxtKalshi, file([]))).report).toMatchObject({ rows: 0, messages: 0 })
  }))
