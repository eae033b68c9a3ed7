// `calendar`: what is stored of a venue, date by date.

import { calendar } from '../../questions/finding/calendar.ts'
import { type Answer, indexCommand, rowTable } from './index-command.ts'

const rowOf = ({ incidents, ...flat }: Answer) => ({
  ...(flat as Record<string, string | number | null>),
  incidents: (incidents as string[]).join(' ') || null,
})
const entries = (answer: Answer) => answer['data'] as Answer[]

export const addCalendarCommand = indexCommand({
  name: 'calendar',
  question: calendar,
  description: 'show what is stored of a venue, date by date, and whether something is missing',
  entries,
  row: rowOf,
  print: (answer) =>
    rowTable(entries(answer).map(rowOf), [
      ...([
        ['date', 'DATE'],
        ['condition', 'CONDITION'],
        ['markets', 'MARKETS'],
        ['records', 'RECORDS'],
      ] as const),
      ...([
        ['trades', 'TRADES'],
        ['volume', 'VOLUME'],
        ['gaps', 'GAPS'],
        ['gap_ms', 'GAP MS'],
      ] as const),
      ['incidents', 'INCIDENTS'],
    ]),
  nothing: 'nothing is stored of this venue',
  examples: [
    'backbook calendar --venue kalshi',
    'backbook calendar --venue polymarket --from 2026-07-01 --to 2026-07-31 --format csv',
  ],
})
