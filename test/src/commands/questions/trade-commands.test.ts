// Runs `trades` and `trade-summary` on one store.

import { afterAll, expect, test } from 'bun:test'
import { DAY, NOON, TICKER } from '../../../model/lines.ts'
import { runBackbook } from '../../../support/programs/program.ts'
import { TestStore } from '../../../support/store.ts'

const store = new TestStore()
const lines = [0, 1, 70].map((second) => ({
  type: 'trade',
  sid: 2,
  seq: second,
  msg: {
    ...{ market_ticker: TICKER, trade_id: `t${second}`, taker_side: 'no', ts_ms: NOON + second * 1_000 },
    ...{ yes_price_dollars: '0.4000', count_fp: '2.50' },
  },
}))
await store.loadLines(
  'trades.ndjson',
  lines.map((line) => JSON.stringify(line)),
)
await store.store.flushed()
afterAll(() => store.close())

const run = (words: string) =>
  runBackbook(`${words} --venue kalshi --market ${TICKER} --date ${DAY} --data ${store.folder}`.split(' '), {})

test('trades continue with the cursor that is printed on stderr', async () => {
  const first = await run('trades --limit 2')
  const cursor = /^there are more trades: continue with --cursor (\S+)\n$/.exec(first.err)?.[1]
  const rest = await run(`trades --limit 2 --cursor ${cursor}`)
  expect(`${first.out}${rest.out}`.split('\n')).toEqual([
    'market,timestamp,ticker,price,size,side,trade_id,record',
    `${TICKER},${NOON},${TICKER},0.4,2.5,sell,t0,0`,
    `${TICKER},${NOON + 1_000},${TICKER},0.4,2.5,sell,t1,1`,
    'market,timestamp,ticker,price,size,side,trade_id,record',
    `${TICKER},${NOON + 70_000},${TICKER},0.4,2.5,sell,t70,2`,
    '',
  ])
  expect(rest.err).toBe('')
})

test('both print tables on a terminal', async () => {
  expect((await run('trades --limit 1 --format table')).out.split('\n').slice(0, 2)).toEqual([
    'TIME (UTC)              PRICE          SIZE  SIDE    RECORD                                TRADE',
    '2026-08-10 12:00:00       0.4           2.5  sell         0                                   t0',
  ])
  expect((await run('trade-summary --format table')).out.split('\n').slice(1, 3)).toEqual([
    '2026-08-10 12:00:00       2       0.4       0.4       0.4       0.4             5             0             5               2',
    '2026-08-10 12:01:00       1       0.4       0.4       0.4       0.4           2.5             0           2.5               1',
  ])
})
