// `active`: the busiest markets of a date.

import { activeMarkets } from '../../questions/finding/active-markets.ts'
import { indexCommand } from './index-command.ts'
import { ofQuestion } from './index-question.ts'
import { foundRow } from './search.ts'

export const addActiveCommand = indexCommand({
  ...ofQuestion(activeMarkets),
  name: 'active',
  description: 'list the busiest markets of a date',
  row: foundRow,
  table: [
    ['market', 'MARKET'],
    ['records', 'RECORDS'],
    ['trades', 'TRADES'],
    ['volume', 'VOLUME'],
    ['gaps', 'GAPS'],
    ['title', 'TITLE'],
  ],
  notStored: 'no such market is stored on this date',
  examples: [
    'backbook active --venue kalshi --date 2026-07-20',
    'backbook active --venue polymarket --date 2026-07-20 --by volume --limit 5 --json',
    'backbook active --venue kalshi --date 2026-07-20 --q gold --offset 20',
  ],
})
