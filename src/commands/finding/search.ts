// `search`: markets of both venues by their words.

import { search } from '../../questions/finding/search.ts'
import { type Answer, indexCommand, rowTable } from './index-command.ts'

type Found = Answer & { event: { id: string; title: string | null } | null; outcomes: { outcome: string }[] }

const rowOf = (entry: Answer) => {
  const { event, outcomes, ...flat } = entry as Found
  const names = outcomes.map(({ outcome }) => outcome).join(' ')
  const named = { event: event?.id ?? null, event_title: event?.title ?? null, outcomes: names }
  return { ...(flat as Record<string, string | number | boolean | null>), ...named }
}
const entries = (answer: Answer) => answer['data'] as Answer[]

export const addSearchCommand = indexCommand({
  name: 'search',
  question: search,
  description: 'find markets of both venues by words of their id, title, event or outcomes',
  words: { parameter: 'q', description: 'each must begin a word of the market' },
  entries,
  row: rowOf,
  print: (answer) =>
    rowTable(entries(answer).map(rowOf), [
      ...([
        ['venue', 'VENUE'],
        ['market', 'MARKET'],
        ['end_date', 'LAST'],
        ['record_count', 'RECORDS'],
      ] as const),
      ['title', 'TITLE'],
    ]),
  nothing: 'no market has all these words',
  examples: ['backbook search springfield 80', 'backbook search KXDEMO --venue kalshi --format csv'],
})
