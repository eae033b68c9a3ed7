// Polymarket: the four kinds of messages of its market channel, about one token.

import { NOON, type Sample, sentMs } from './sample.ts'

const market = `0x${'c0'.repeat(32)}`
const token = '7001'

const message = (event_type: string, index: number, values: object) =>
  JSON.stringify({ event_type, market, timestamp: String(sentMs(index)), ...values })
const level = (price: string, size: string) => ({ price, size })

export const POLYMARKET: Sample = {
  market,
  spellings: [market.slice(2), market.toUpperCase().replace('0X', '0x')],
  invalid: '0xyz',
  book: token,
  messages: [
    {
      kind: 'snapshot',
      timeMs: NOON,
      text: message('book', 0, { asset_id: token, bids: [level('0.41', '10')], asks: [level('0.45', '5.5')] }),
    },
    {
      kind: 'delta',
      timeMs: sentMs(1),
      text: message('price_change', 1, { price_changes: [{ asset_id: token, ...level('0.42', '3'), side: 'BUY' }] }),
    },
    {
      kind: 'trade',
      timeMs: sentMs(2),
      text: message('last_trade_price', 2, { asset_id: token, ...level('0.43', '2'), side: 'BUY' }),
    },
    {
      kind: 'tick_size',
      timeMs: sentMs(3),
      text: message('tick_size_change', 3, { asset_id: token, old_tick_size: '0.01', new_tick_size: '0.001' }),
    },
    {
      kind: 'snapshot',
      timeMs: sentMs(4),
      text: message('book', 4, { asset_id: token, bids: [level('0.4', '7')], asks: [level('0.46', '2.5')] }),
    },
  ],
  skipped: ['{"topic":"activity","type":"trades","payload":{}}'],
  bids: [[0.4, 7]],
  asks: [[0.46, 2.5]],
  document: {
    slug: 'contract',
    title: 'Contracts',
    markets: [
      {
        ...{ conditionId: market, question: 'Will the contract hold?', slug: 'will-the-contract-hold' },
        ...{ outcomes: '["Yes", "No"]', clobTokenIds: `["${token}", "7002"]`, active: true },
      },
    ],
  },
  word: 'contract',
  event: 'contract',
  section: { asset_ids: [token] },
  answer: (command) => (command.includes('assets_ids') ? [] : null),
}
