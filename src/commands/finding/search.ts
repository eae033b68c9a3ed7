// `search`: finds markets of both venues by words.

import { search } from '../../questions/finding/search.ts'
import { indexCommand } from './index-command.ts'
import type { Answer, Row } from './index-output.ts'
import { ofQuestion } from './index-question.ts'

type Found = Answer & { event: { id: string; title: string | null } | null; outcomes: { outcome: string }[] }

/** Formats a market as a CSV row. */
export function foundRow(entry: Answer): Row {
  const { event, outcomes, ...flat } = entry as Found
  const names = outcomes.map(({ outcome }) => outcome).join(' ')
  return { ...(flat as Row), event: event?.id ?? null, event_title: event?.title ?? null, outcomes: names }
}

export const addSearchCommand = indexCommand({
  ...ofQuestion(search, { parameter: 'q', description: 'each must begin a word of the market' }),
  name: 'search',
  description: 'find markets of both venues by words of their id, title, event or outcomes',
  row: foundRow,
  table: [
    ['venue', 'VENUE'],
    ['market', 'MARKET'],
    ['end_date', 'LAST'],
    ['record_count', 'RECORDS'],
    ['title', 'TITLE'],
  ],
  nothing: 'no market has all these words',
  examples: ['backbook search springfield 80', 'backbook search KXDEMO --venue kalshi --format csv'],
})
