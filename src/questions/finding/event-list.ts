// GET …/events: the events that a venue describes, of a series or a category, page by page.

import { Type } from '@sinclair/typebox'
import { parameter, wholeNumber } from '../../http/parameters/parameter.ts'
import { LIST_LIMIT } from '../../http/parameters/venue-parameters.ts'
import { count, named, orNull, text } from '../../openapi/field.ts'
import { offsetPaging } from '../market-fields.ts'
import type { IndexQuestion } from '../question.ts'

const CHARACTERS_MAX = 200

const name = (description: string, example: string) =>
  parameter({
    accepts: `1 to ${CHARACTERS_MAX} characters`,
    matches: (given) => given.length > 0 && given.length <= CHARACTERS_MAX,
    description,
    example,
  })

export const categoryField = orNull(text("The category, in the venue's words", 'Climate and Weather'))
export const seriesField = orNull(text("The series, by the venue's own id", 'KXHIGHNY'))

const listed = named('ListedEvent', 'An event, as its venue describes it', {
  event: text('Its ticker, or its slug on Polymarket', 'KXHIGHNY-26JUL20'),
  title: orNull(text('Its title', 'Highest temperature in NYC on Jul 20, 2026?')),
  subtitle: orNull(text('What distinguishes it within its series', 'On Jul 20, 2026')),
  category: categoryField,
  series: seriesField,
})

export const eventList: IndexQuestion<'series' | 'category'> = {
  kind: 'index',
  path: '/events',
  parameters: () => ({
    required: [],
    optional: ['series', 'category', 'offset', 'limit'],
    own: {
      series: name('Only events of this series, by its id', 'KXHIGHNY'),
      category: name('Only events of this category', 'Climate and Weather'),
      limit: wholeNumber(
        { min: 1, max: LIST_LIMIT.max },
        { unlessGiven: LIST_LIMIT.default, description: 'Events in the answer, at most' },
      ),
    },
  }),
  about: ({ venue }) => ({
    id: `${venue}Events`,
    summary: 'Events that the venue describes, of a series or a category',
    description:
      'Ascending by id. The parameter `event` of requests about many books names one. Does not count as a call.',
    answer: () => ({
      description: 'A page; empty if no metadata names such an event',
      schema: named('EventList', 'A page of events', {
        data_count: count('Events in this page', 1),
        data: Type.Array(listed, { description: 'The events, ascending by id' }),
        ...offsetPaging('Events'),
      }),
    }),
  }),
  async read(catalogue, { parameters: { venue }, query }) {
    const { series, category } = query
    const [offset, limit] = [Number(query.offset ?? 0), Number(query.limit ?? LIST_LIMIT.default)]
    const all = (await catalogue.events(venue)).filter(({ card }) => {
      return (series === undefined || card.series === series) && (category === undefined || card.category === category)
    })
    const data = all.slice(offset, offset + limit).map(({ event, card }) => {
      const { title, subtitle, category: ofCategory = null, series: ofSeries = null } = card
      return { event, title, subtitle, category: ofCategory, series: ofSeries }
    })
    const page = { offset, limit, total_count: all.length, has_more: offset + data.length < all.length }
    const answer = { data_count: data.length, data, ...page }
    return { identity: ['events', answer], make: () => answer }
  },
}
