// Kalshi: a snapshot, a delta and a trade in their present form, a lifecycle message, and a second snapshot.

import { NOON, type Sample, sentMs } from './sample.ts'

const market = 'KXCONTRACT-26AUG10-T50'

const envelope = (type: string, seq: number, msg: object, sid = 1) =>
  JSON.stringify({ type, sid, seq, msg: { market_ticker: market, ...msg } })
const snapshot = (seq: number, yes: object, no: object) =>
  envelope('orderbook_snapshot', seq, { yes_dollars_fp: yes, no_dollars_fp: no })

export const KALSHI: Sample = {
  market,
  spellings: [market.toLowerCase()],
  invalid: 'no ticker',
  book: market,
  messages: [
    { kind: 'snapshot', timeMs: NOON, text: snapshot(1, [['0.4100', '10.00']], [['0.5500', '5.00']]) },
    {
      kind: 'delta',
      timeMs: sentMs(1),
      text: envelope('orderbook_delta', 2, {
        ...{ price_dollars: '0.4200', delta_fp: '3.00', side: 'yes', ts_ms: sentMs(1) },
      }),
    },
    {
      kind: 'trade',
      timeMs: sentMs(2),
      text: envelope(
        'trade',
        1,
        { trade_id: 'a-1', yes_price_dollars: '0.4300', count_fp: '2.00', taker_side: 'yes', ts_ms: sentMs(2) },
        2,
      ),
    },
    {
      kind: 'other',
      timeMs: sentMs(3),
      text: JSON.stringify({ type: 'market_lifecycle_v2', sid: 3, msg: { market_ticker: market, ts_ms: sentMs(3) } }),
    },
    { kind: 'snapshot', timeMs: sentMs(4), text: snapshot(3, [['0.4000', '7.00']], [['0.5400', '2.50']]) },
  ],
  skipped: ['{"type":"subscribed","id":1,"msg":{"channel":"trade","sid":2}}'],
  bids: [[0.4, 7]],
  asks: [[0.46, 2.5]],
  document: { ticker: market, event_ticker: 'KXCONTRACT-26AUG10', title: 'Will the contract hold?', status: 'active' },
  word: 'contract',
  event: 'KXCONTRACT-26AUG10',
  section: { tickers: [market] },
  answer(command) {
    const { id, cmd, params } = JSON.parse(command) as { id: number; cmd: string; params: { channels: string[] } }
    if (cmd !== 'subscribe') return null
    return params.channels.map((channel, index) =>
      JSON.stringify({ id, type: 'subscribed', msg: { channel, sid: index + 1 } }),
    )
  },
}
