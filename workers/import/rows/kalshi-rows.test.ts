// Rows of a Kalshi archive are printed as messages of its order-book channel.

import { expect, test } from 'bun:test'
import { CollectedLines } from '../../../test/support/import/collected-lines.ts'
import type { ArchiveOptions } from '../archive.ts'
import { KalshiRows } from './kalshi-rows.ts'

const NONE = new Uint8Array(0)
const US = Date.parse('2026-08-10T12:00:00Z') * 1_000

function printed(run: (rows: KalshiRows) => void, scales = { price: 6, size: 6 }) {
  const lines = new CollectedLines()
  const markets: string[] = []
  const rows = new KalshiRows(lines, { onMarket: (market) => void markets.push(market) } as ArchiveOptions, scales)
  rows.begin('KX-1')
  run(rows)
  return {
    lines: lines.all.map((line) => line.replace(/^\d+: /, '')),
    rejects: lines.rejects,
    markets,
    rows: rows.rows,
  }
}

test('changes: at least as many digits as the venue prints, and the time to the microsecond', () => {
  const { lines, markets, rows } = printed((of) => {
    of.delta({ row: 1, receivedMs: 17, venueUs: US + 120_000 }, Buffer.from('m'), 'yes', 480_000, -1_500_000)
    of.delta({ row: 2, receivedMs: 18, venueUs: US + 1 }, NONE, 'no', 485_010, 1)
    of.delta({ row: 3, receivedMs: 19, venueUs: Number.NaN }, NONE, 'no', 0, 0)
    of.delta({ row: 4, receivedMs: 20, venueUs: US + 1_000_000 }, NONE, 'no', 0, 0)
  })
  expect([markets, rows]).toEqual([['KX-1'], 4])
  const head = '"msg":{"type":"orderbook_delta","msg":{"market_ticker":"KX-1"'
  expect(lines).toEqual([
    `{"recv_ms":17,${head},"market_id":"m","price_dollars":"0.4800","delta_fp":"-1.50","side":"yes","ts":"2026-08-10T12:00:00.12Z","ts_ms":${US / 1_000 + 120}}}}`,
    `{"recv_ms":18,${head},"price_dollars":"0.48501","delta_fp":"0.000001","side":"no","ts":"2026-08-10T12:00:00.000001Z","ts_ms":${US / 1_000}}}}`,
    `{"recv_ms":19,${head},"price_dollars":"0.0000","delta_fp":"0.00","side":"no"}}}`,
    `{"recv_ms":20,${head},"price_dollars":"0.0000","delta_fp":"0.00","side":"no","ts":"2026-08-10T12:00:01Z","ts_ms":${US / 1_000 + 1_000}}}}`,
  ])
})

test('a snapshot leaves out an empty side', () => {
  const { lines } = printed(
    (of) => {
      of.snapshot(
        { row: 1, receivedMs: 17, venueUs: Number.NaN },
        NONE,
        { prices: [4_800, 4_900], sizes: [1, 250] },
        { prices: [], sizes: [] },
      )
    },
    { price: 4, size: 2 },
  )
  expect(lines).toEqual([
    '{"recv_ms":17,"msg":{"type":"orderbook_snapshot","msg":{"market_ticker":"KX-1","yes_dollars_fp":[["0.4800","0.01"],["0.4900","2.50"]]}}}',
  ])
})

test('a rejected row reports its place', () => {
  const { rejects, rows } = printed((of) => of.reject({ row: 9, receivedMs: 17, venueUs: 1 }, 'why', { side: 'x' }))
  expect([rejects, rows]).toEqual([
    [{ row: 9, reason: 'why', source: '{"market":"KX-1","row":9,"receivedMs":17,"venueUs":1,"side":"x"}' }],
    1,
  ])
})
