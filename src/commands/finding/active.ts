// `active`: the busiest markets of a date.

import { activeMarkets } from '../../questions/finding/active-markets.ts'
import { type Answer, indexCommand, rowTable } from './index-command.ts'

const rowOf = (entry: Answer) => entry as Record<string, string | number | null>
const entries = (answer: Answer) => answer['data'] as Answer[]

export const addActiveCommand = indexCommand({
  name: 'active',
  question: activeMarkets,
  description: 'list the busiest markets of a date',
  entries,
  row: rowOf,
  print: (answer) =>
    rowTable(entries(answer).map(rowOf), [
      ...([
        ['market', 'MARKET'],
        ['records', 'RECORDS'],
        ['trades', 'TRADES'],
        ['volume', 'VOLUME'],
      ] as const),
      ...([
        ['gaps', 'GAPS'],
        ['title', 'TITLE'],
      ] as const),
    ]),
  nothing: 'nothing is stored of this date',
  examples: [
    'backbook active --venue kalshi --date 2026-07-20',
    'backbook active --venue polymarket --date 2026-07-20 --by volume --limit 5 --json',
  ],
})
