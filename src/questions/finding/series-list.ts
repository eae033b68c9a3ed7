// GET …/series: the series of a venue, each with its category and the number of its events in the stored metadata.

import { Type } from '@sinclair/typebox'
import { count, named } from '../../openapi/field.ts'
import type { IndexQuestion } from '../question.ts'
import { categoryField, seriesField } from './event-list.ts'

const counted = named('CountedSeries', 'A series of a category', {
  series: seriesField,
  category: categoryField,
  events: count('Number of its events that the venue describes', 12),
})

export const seriesList: IndexQuestion = {
  kind: 'index',
  path: '/series',
  parameters: () => ({ required: [], optional: [] }),
  about: ({ venue }) => ({
    id: `${venue}Series`,
    summary: 'Categories and series of the venue, with their numbers of events',
    description:
      'Counted from stored metadata. On Kalshi, an event that names no series belongs to the series that its ticker ' +
      'begins with, up to the first dash. On Polymarket, an event without a category has its first tag as the ' +
      'category. Does not count as a call.',
    answer: () => ({
      description: 'All of them; none if no metadata was loaded',
      schema: named('SeriesList', 'The series of a venue', {
        data_count: count('Rows', 1),
        data: Type.Array(counted, { description: 'Ordered by category, then by series; null is last' }),
      }),
    }),
  }),
  async read(catalogue, { parameters: { venue } }) {
    const rows = new Map<string, { series: string | null; category: string | null; events: number }>()
    for (const { card } of await catalogue.events(venue)) {
      const { series = null, category = null } = card
      const name = JSON.stringify([category, series])
      const row = rows.get(name) ?? { series, category, events: 0 }
      row.events++
      rows.set(name, row)
    }
    const data = [...rows.values()].sort((a, b) => ordered(a.category, b.category) || ordered(a.series, b.series))
    return { identity: ['series', data], make: () => ({ data_count: data.length, data }) }
  },
}

function ordered(a: string | null, b: string | null): number {
  if (a === null || b === null) return Number(a === null) - Number(b === null)
  return Number(a > b) - Number(a < b)
}
