// `changes`: the levels that the records of one book change, as a server would answer.

import { bookChanges } from '../../questions/book-changes.ts'
import { rowCommand } from './row-command.ts'

export const addChangesCommand = rowCommand({
  name: 'changes',
  question: bookChanges,
  description: 'print the levels that each record of a book changes, like the endpoint book/changes',
  unit: 'changes',
  terminal: [
    ['record', 'RECORD', 8],
    ['kind', 'KIND', 9],
    ['side', 'SIDE', 5],
    ['price', 'PRICE', 9],
    ['before', 'BEFORE', 13],
    ['after', 'AFTER', 13],
  ],
  examples: [
    'backbook changes --venue kalshi --market KXDEMODAY-26JUL20-T50 --date 2026-07-20 --record 500 --limit 20',
    'backbook changes --venue kalshi --market KXDEMODAY-26JUL20-T50 \\',
    '  --start 2026-07-20T12:00:00Z --end 2026-07-20T12:00:59Z -o noon.parquet',
  ],
})
