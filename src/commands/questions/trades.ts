// `trades` and `trade-summary`: the trades of a market, one by one or in buckets, as a server would answer.

import { tradeSummary } from '../../questions/trade-summary.ts'
import { trades } from '../../questions/trades.ts'
import { rowCommand } from './row-command.ts'

export const addTradesCommand = rowCommand({
  name: 'trades',
  question: trades,
  description: 'print the trades of a market, like the endpoint trades',
  unit: 'trades',
  terminal: [
    ['price', 'PRICE', 9],
    ['size', 'SIZE', 13],
    ['side', 'SIDE', 5],
    ['record', 'RECORD', 9],
    ['trade_id', 'TRADE', 36],
  ],
  examples: [
    'backbook trades --venue kalshi --market KXDEMODAY-26JUL20-T50 --date 2026-07-20 --limit 10',
    'backbook trades --venue kalshi --market KXDEMODAY-26JUL20-T50 --date 2026-07-20 --limit 100000 -o trades.parquet',
  ],
})

export const addTradeSummaryCommand = rowCommand({
  name: 'trade-summary',
  question: tradeSummary,
  description: 'print the trades of a book in buckets with candles and volumes, like the endpoint trade-summary',
  unit: 'buckets',
  isOfMany: true,
  terminal: [
    ['trade_count', 'TRADES', 7],
    ['open', 'OPEN', 9],
    ['high', 'HIGH', 9],
    ['low', 'LOW', 9],
    ['close', 'CLOSE', 9],
    ['volume', 'VOLUME', 13],
    ['buy_volume', 'BOUGHT', 13],
    ['sell_volume', 'SOLD', 13],
    ['notional', 'DOLLARS', 15],
  ],
  examples: [
    'backbook trade-summary --venue kalshi --market KXDEMODAY-26JUL20-T50 --date 2026-07-20',
    'backbook trade-summary --venue kalshi --market KXDEMODAY-26JUL20-T50 --date 2026-07-20 --resolution 3600 \\',
    '  --format csv > hours.csv',
  ],
})
