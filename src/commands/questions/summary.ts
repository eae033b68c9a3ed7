// `summary`: the top of one book over a day or window in buckets, as a server would answer.

import { orderbookSummary } from '../../questions/orderbook-summary.ts'
import { rowCommand } from './row-command.ts'
import type { TerminalColumn } from './terminal-rows.ts'

const SUMMARY_ON_TERMINAL: readonly TerminalColumn[] = [
  ['quote_count', 'QUOTES', 7],
  ['best_bid', 'BID', 9],
  ['best_bid_size', 'SIZE', 13],
  ['best_ask', 'ASK', 9],
  ['best_ask_size', 'SIZE', 13],
  ['mid_price', 'MID', 10],
  ['spread', 'SPREAD', 9],
  ['trust', 'TRUST', 12],
]

export const addSummaryCommand = rowCommand({
  name: 'summary',
  question: orderbookSummary,
  description: 'print the top of a book in buckets with candles, like the endpoint orderbook-summary',
  unit: 'buckets',
  isOfMany: true,
  terminal: SUMMARY_ON_TERMINAL,
  examples: [
    'backbook summary --venue kalshi --market KXDEMODAY-26JUL20-T50 --date 2026-07-20',
    'backbook summary --venue kalshi --market KXDEMODAY-26JUL20-T50 --resolution 1 \\',
    '  --start 2026-07-20T12:00:00Z --end 2026-07-20T12:59:59Z --format csv > noon.csv',
  ],
})
