// `depth`: the levels of one book over a day or window in buckets, as a server would answer.

import { depthSummary } from '../../questions/depth-summary.ts'
import { rowCommand } from './row-command.ts'
import type { TerminalColumn } from './terminal-rows.ts'

const DEPTH_ON_TERMINAL: readonly TerminalColumn[] = [
  ['trust', 'TRUST', 12],
  ['bid_price_1', 'BID', 9],
  ['bid_size_1', 'SIZE', 13],
  ['ask_price_1', 'ASK', 9],
  ['ask_size_1', 'SIZE', 13],
  ['bid_level_count', 'BIDS', 6],
  ['bid_depth', 'DEPTH', 15],
  ['ask_level_count', 'ASKS', 6],
  ['ask_depth', 'DEPTH', 15],
]

export const addDepthCommand = rowCommand({
  name: 'depth',
  question: depthSummary,
  description: 'print the levels and the depth of a book in buckets, like the endpoint depth-summary',
  unit: 'buckets',
  isOfMany: true,
  terminal: DEPTH_ON_TERMINAL,
  examples: ['backbook depth --venue kalshi --market KXDEMODAY-26JUL20-T50 --date 2026-07-20 --sizes 500 --format csv'],
})
