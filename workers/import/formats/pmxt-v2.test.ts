// Goal: an import of an hour of pmxt v2 gives what a slow reader of its rows gives, for any row groups and pages, and
// wherever an import was stopped.

import { describe, expect, test } from 'bun:test'
import { loadArchive } from '../../../test/model/model.ts'
import { imported, LOADED_AT, Stopped } from '../../../test/support/archives/imported.ts'
import { MemoryFile, type ParquetOptions } from '../../../test/support/archives/parquet-bytes.ts'
import {
  marketNamed,
  PMXT_SCHEMA,
  type PmxtRow,
  pmxtBytes,
  pmxtLine,
  randomRows,
} from '../../../test/support/archives/pmxt-rows.ts'
import { withStore } from '../../../test/support/store.ts'
import { expectSameRecords } from '../../../test/workers/load/model-comparison.ts'
import { Random } from '../../synthetic/random.ts'
import { pmxtV2 } from './pmxt-v2.ts'

/** Sorts by market, then by time of receipt; rows with equal times keep their order. */
const inOrder = (rows: readonly PmxtRow[]): PmxtRow[] =>
  [...Map.groupBy(rows, ({ market }) => market).values()].flatMap((of) =>
    [...of].sort((one, other) => one.received - other.received),
  )

const modelOf = (rows: readonly PmxtRow[]) => loadArchive(pmxtV2.source, inOrder(rows).map(pmxtLine), LOADED_AT)

function inGroups(rows: readonly PmxtRow[], sizes: readonly number[]): PmxtRow[][] {
  const groups: PmxtRow[][] = []
  for (let from = 0, i = 0; from < rows.length; i++) {
    const to = from + sizes[i % sizes.length]!
    groups.push(rows.slice(from, to))
    from = to
  }
  return groups
}

const file = (rows: readonly PmxtRow[], sizes: readonly number[], options?: ParquetOptions) =>
  new MemoryFile(pmxtBytes(inGroups(rows, sizes), options))

/** Three markets of 2 × 70 rows: row groups of 50 split each of them twice and more. */
const rowsOf = (seed: number) => randomRows(new Random(seed, 'pmxt'), 3, 70)

describe('all rows', () => {
  test.each([
    ['in one row group', 1, [1_000], {}],
    ['in row groups of 50', 2, [50], {}],
    ['in row groups of 140, where markets end', 3, [140], {}],
    ['in row groups of 1 and 97', 4, [1, 97], {}],
    ['in small pages', 5, [210], { pageSize: 100 }],
    ['without compression', 6, [90], { codec: 'UNCOMPRESSED' as const }],
    ['with Snappy', 7, [90], { codec: 'SNAPPY' as const }],
    ['with gzip', 8, [90], { codec: 'GZIP' as const }],
    [
      'in other encodings',
      9,
      [300],
      {
        encodings: {
          timestamp_received: 'DELTA_BINARY_PACKED' as const,
          timestamp: 'DELTA_BINARY_PACKED' as const,
          price: 'DELTA_BINARY_PACKED' as const,
          size: 'BYTE_STREAM_SPLIT' as const,
          asset_id: 'DELTA_LENGTH_BYTE_ARRAY' as const,
          event_type: 'DELTA_BYTE_ARRAY' as const,
          market: 'PLAIN' as const,
          side: 'PLAIN' as const,
        },
      },
    ],
  ])('%s', (_, seed, sizes, options) =>
    withStore(async (store) => {
      const rows = rowsOf(seed)
      const { report } = await imported(store, pmxtV2, file(rows, sizes, options))
      expect(report).toMatchObject({ rows: rows.length, messages: rows.length, rejected: 0 })
      await expectSameRecords(store, modelOf(rows))
    }),
  )
})

test.each([10, 11, 12])('an import that is stopped after any part and resumed equals one import, seed %d', (seed) =>
  withStore((whole) =>
    withStore(async (stopped) => {
      const rows = rowsOf(seed)
      const hour = file(rows, [61])
      const { places } = await imported(whole, pmxtV2, hour)
      expect(places.length).toBeGreaterThan(2)
      let after: string | null = null
      for (const next of places) {
        const stop = await imported(stopped, pmxtV2, hour, { after, stopAfter: 1 }).catch((error) => error)
        if (!(stop instanceof Stopped)) throw stop
        expect(stop.places).toEqual([next])
        after = next
      }
      stopped.store.refresh()
      await expectSameRecords(stopped, modelOf(rows))
      await expectSameRecords(whole, modelOf(rows))
    }),
  ),
)

test('one market: only the row groups that it is in are read', () =>
  withStore(async (store) => {
    const rows = randomRows(new Random(20, 'pmxt'), 40, 50)
    const hour = file(rows, [130])
    const market = marketNamed(17)
    const { report } = await imported(store, pmxtV2, hour, { markets: [market] })
    const wanted = rows.filter((row) => row.market === market)
    expect(report.rows).toBe(wanted.length)
    await expectSameRecords(store, modelOf(wanted))
    const ofColumns = hour.ranges.filter(([, end]) => end < hour.byteLength)
    expect(ofColumns.reduce((sum, [start, end]) => sum + end - start, 0)).toBeLessThan(hour.byteLength / 8)
  }))

test('a market that the file does not have gives nothing', () =>
  withStore(async (store) => {
    const { report } = await imported(store, pmxtV2, file(rowsOf(21), [50]), { markets: [marketNamed(99)] })
    expect(report).toMatchObject({ rows: 0, messages: 0 })
  }))

const MARKET = marketNamed(1)
const AT = Date.UTC(2026, 4, 22, 17)
const change: PmxtRow = {
  ...{ received: AT, venue: AT - 5, market: MARKET, type: 'price_change', token: '7' },
  ...{ price: '0.49', size: '5', side: 'BUY', bestBid: '0.49', bestAsk: null },
}

test('rows that say too little are rejected, and counted', () =>
  withStore(async (store) => {
    const rows: PmxtRow[] = [
      { ...change, price: null },
      { ...change, size: null },
      { ...change, side: null },
      { ...change, side: 'HOLD' },
      { ...change, type: 'last_trade_price', price: null },
      { ...change, type: 'tick_size_change', oldTick: '0.01', newTick: null },
      { ...change, type: 'book', bids: '[["0.4"]]', asks: null },
      { ...change, type: 'book', bids: 'none', asks: null },
      { ...change, type: 'book', bids: '[["0.00001","5"]]', asks: null },
      { ...change, type: 'best_bid_ask' },
      { ...change, token: '' },
      change,
    ]
    const { report } = await imported(store, pmxtV2, file(rows, [4]))
    expect(report).toMatchObject({ rows: 12, messages: 1, rejected: 11, recordsAdded: 1 })
    expect(report.rejects.map(({ line }) => line)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11])
    await expectSameRecords(store, modelOf([change]))
  }))

test('a size that no double holds is refused, with its column', () =>
  withStore(async (store) => {
    const hour = file([{ ...change, size: '9007199254.740993' }], [1])
    await expect(imported(store, pmxtV2, hour)).rejects.toThrow(/hour.parquet cannot be read: column size.*exactly/)
  }))

test('a row without a venue time gives a record without one', () =>
  withStore(async (store) => {
    await imported(store, pmxtV2, file([{ ...change, venue: null }, change], [2]))
    const [first] = await store.records('polymarket', MARKET, '2026-05-22')
    expect(first).toMatchObject({ type: 'delta', received_at: AT })
    expect(first!.msg).not.toHaveProperty('timestamp')
  }))

test('rows without a time that a venue could have are rejected', () =>
  withStore(async (store) => {
    const nullable = PMXT_SCHEMA.map((column) => ({ ...column, repetition_type: 'OPTIONAL' as const }))
    const rows = [
      { ...change, received: Number.NaN, venue: null },
      { ...change, received: -5 },
    ]
    const hour = new MemoryFile(pmxtBytes([rows], {}, nullable))
    const { report } = await imported(store, pmxtV2, hour)
    expect(report).toMatchObject({ rows: 2, rejected: 2, recordsAdded: 0 })
    expect(report.rejects.map(({ line, reason }) => [line, reason])).toEqual([
      [1, `the message has no time, and no record of ${MARKET} near it has one`],
      [2, 'the envelope has no time between 2000 and 2100'],
    ])
  }))

test.each([
  ['no Parquet', new Uint8Array(1_000), /hour.parquet is not a Parquet file/],
  ['with an empty footer', Buffer.from(`PAR1${'\0'.repeat(8)}\x08\0\0\0PAR1`), /file: its footer is damaged$/],
  ['of another market form', pmxtBytes([[{ ...change, market: 'x'.repeat(66) }]]), /which is not a condition id/],
])('a file that is %s is refused', (_, bytes, why) =>
  withStore(async (store) => {
    await expect(imported(store, pmxtV2, new MemoryFile(bytes))).rejects.toThrow(why)
  }),
)
