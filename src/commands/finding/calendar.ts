// `calendar`: what is stored for a venue, date by date.

import { calendar } from '../../questions/finding/calendar.ts'
import { indexCommand } from './index-command.ts'
import type { Row } from './index-output.ts'
import { ofQuestion } from './index-question.ts'

export const addCalendarCommand = indexCommand({
  ...ofQuestion(calendar),
  name: 'calendar',
  description: 'show what is stored of a venue, date by date, and whether something is missing',
  row: ({ incidents, ...flat }) => ({ ...(flat as Row), incidents: (incidents as string[]).join(' ') || null }),
  table: [
    ['date', 'DATE'],
    ['condition', 'CONDITION'],
    ['markets', 'MARKETS'],
    ['records', 'RECORDS'],
    ['trades', 'TRADES'],
    ['volume', 'VOLUME'],
    ['gaps', 'GAPS'],
    ['gap_ms', 'GAP MS'],
    ['incidents', 'INCIDENTS'],
  ],
  notStored: 'nothing is stored of this venue',
  examples: [
    'backbook calendar --venue kalshi',
    'backbook calendar --venue polymarket --from 2026-07-01 --to 2026-07-31 --format csv',
  ],
})
