// A record that a recorder receives after a gap never equals a record before the gap. The tests load several captures
// twice.

import { afterAll, expect, test } from 'bun:test'
import { openStore } from '../../../storage/open-store.ts'
import { commitPartitions } from '../../../workers/dates/commit-partitions.ts'
import { loadTexts } from '../../model/model.ts'
import { collectLines } from '../../support/collected.ts'
import { TemporaryFolders } from '../../support/disk/temporary-folders.ts'
import { TestStore } from '../../support/store.ts'

const MARKET = 'KXA-26-B'
const DATE = '2026-07-20'
const START_MS = Date.parse(`${DATE}T12:00:00Z`)
const LOADING_MS = START_MS + 3_600_000

const folders = new TemporaryFolders()
afterAll(() => folders.remove())

const frame = (receivedMs: number, message: object) =>
  JSON.stringify({ recv_ms: START_MS + receivedMs, raw: JSON.stringify({ sid: 1, ...message }) })

const snapshot = (receivedMs: number) =>
  frame(receivedMs, {
    type: 'orderbook_snapshot',
    seq: 1,
    msg: { market_ticker: MARKET, yes_dollars_fp: [['0.4000', '10.00']], no_dollars_fp: [] },
  })

function delta(receivedMs: number, sentMs: number): string {
  const ts = START_MS + sentMs
  const msg = { market_ticker: MARKET, price_dollars: '0.4100', delta_fp: '5.00', side: 'yes', ts_ms: ts }
  return frame(receivedMs, { type: 'orderbook_delta', seq: 2, msg })
}

function gap(from: number, to: number): string {
  const msg = { reason: 'restart', from: START_MS + from, to: START_MS + to }
  return JSON.stringify({ type: 'gap', venue: 'kalshi', market: MARKET, msg })
}

const timesOf = (records: readonly object[]) =>
  (records as { type: string; timestamp: number }[]).map(({ type, timestamp }) => `${type}@${timestamp - START_MS}`)

test.each([
  [
    'the same change',
    [snapshot(0), delta(10, 9)],
    [gap(50_000, 50_500), snapshot(50_500), delta(50_510, 9)],
    ['snapshot@0', 'delta@9', 'gap@50000', 'snapshot@50000', 'delta@50000'],
  ],
  [
    'an old day that is replayed twice',
    [snapshot(0), delta(10, -9e8)],
    [gap(20, 15_000), snapshot(15_000), delta(15_010, -9e8)],
    ['snapshot@0', 'delta@10', 'gap@20', 'snapshot@15000', 'delta@15010'],
  ],
])('%s is there before a gap and behind it', async (_, first, second, expected) => {
  const store = new TestStore(() => openStore(folders.make()))
  const captures = [first, second, first, second]
  for (const lines of captures) await commitPartitions(store.store, collectLines(lines, LOADING_MS))
  expect(timesOf(await store.records('kalshi', MARKET, DATE))).toEqual(expected)
  const model = loadTexts(
    captures.map((lines) => lines.join('\n')),
    LOADING_MS,
  )
  expect(timesOf(model.records('kalshi', MARKET, DATE))).toEqual(expected)
  await store.close()
})

test('a change that another recorder received before the gap of this one is stored once', async () => {
  const header = (recorder: string) => JSON.stringify({ backbook: 'segment', recorder })
  const one = [header('one'), snapshot(0), delta(10, 9), delta(40_020, 40_019)]
  // This recorder's clock is ahead, so its gap ends after the time of the change.
  const other = [
    header('other'),
    snapshot(5),
    gap(20, 40_100),
    gap(40_100, 40_100),
    snapshot(40_100),
    delta(40_120, 40_019),
  ]
  const captures = [one, other, other, one]
  for (const order of [captures, captures.toReversed().slice(1)]) {
    const store = new TestStore(() => openStore(folders.make()))
    for (const lines of order) await commitPartitions(store.store, collectLines(lines, LOADING_MS))
    const times = timesOf(await store.records('kalshi', MARKET, DATE))
    const model = loadTexts(
      order.map((lines) => lines.join('\n')),
      LOADING_MS,
    )
    expect(times.filter((time) => time.startsWith('delta'))).toHaveLength(2)
    expect(timesOf(model.records('kalshi', MARKET, DATE))).toEqual(times)
    await store.close()
  }
})
