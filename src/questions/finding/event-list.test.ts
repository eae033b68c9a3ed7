// Tests the list of a venue's events, of a series or a category, page by page.

import { expect, test } from 'bun:test'
import type { EventCard } from '../../../storage/finding/metadata.ts'
import { askIndex } from '../../../test/support/finding/index-question.ts'
import { eventList } from './event-list.ts'

const card = (series: string | null, category: string | null): EventCard => ({
  title: 'T',
  subtitle: null,
  series,
  category,
})
const catalogue = {
  events: async () => [
    { event: 'A', card: card('S', 'Sports') },
    { event: 'B', card: card('S', null) },
    { event: 'C', card: card('S', 'Sports') },
    // Metadata of earlier versions has neither a series nor a category.
    { event: 'D', card: { title: null, subtitle: 'sub' } as EventCard },
  ],
}
type Body = { data: { event: string }[] }
const ask = async (query: Record<string, string>) => (await askIndex(eventList, { query, catalogue })).body as Body
const eventsOf = async (query: Record<string, string>) => (await ask(query)).data.map(({ event }) => event).join('')

test('series and category both limit the list', async () => {
  expect(await Promise.all([{}, { series: 'S' }, { category: 'Sports' }, { series: 's' }].map(eventsOf))).toEqual([
    ...['ABCD', 'ABC', 'AC', ''],
  ])
  expect(await eventsOf({ series: 'S', category: 'Sports' })).toBe('AC')
})

test('a page counts all events that match, not only its own', async () => {
  expect(await ask({ series: 'S', offset: '1', limit: '1' })).toEqual({
    ...{ data_count: 1, offset: 1, limit: 1, total_count: 3, has_more: true },
    data: [{ event: 'B', title: 'T', subtitle: null, category: null, series: 'S' }],
  } as never)
  expect(await ask({ offset: '3' })).toMatchObject({
    ...{ data_count: 1, limit: 100, has_more: false },
    data: [{ event: 'D', title: null, subtitle: 'sub', category: null, series: null }],
  })
})
