// GET /search: markets of both venues, found by words in their id, slug, title, event and outcomes.

import { Type } from '@sinclair/typebox'
import { queryWords } from '../../../storage/finding/search-words.ts'
import { VENUES, type Venue } from '../../../storage/venue.ts'
import { oneOf, parameter, wholeNumber } from '../../http/parameters/parameter.ts'
import { choice, count, named, text } from '../../openapi/field.ts'
import { EXAMPLE_MARKET } from '../market-fields.ts'
import type { IndexQuestion } from '../question.ts'
import { cardFields, cardOf, storedFields, storedOf } from './found-market.ts'

const LIMIT = { default: 20, max: 100 }
const CHARACTERS_MAX = 200

const found = named('FoundMarket', 'A market that has all words', {
  venue: choice(VENUES, 'Its venue'),
  market: text('Its condition id, or its ticker', EXAMPLE_MARKET),
  ...cardFields,
  ...storedFields,
})

export const words = parameter({
  accepts: `up to ${CHARACTERS_MAX} characters with a letter or digit among them`,
  matches: (given) => given.length <= CHARACTERS_MAX && queryWords(given).length > 0,
  description: 'Words: each must begin a word of the market. In any order and case, with or without accents',
  example: 'demo temperature',
})

const own = {
  q: words,
  venue: oneOf(VENUES, { description: 'Only markets of this venue' }),
  limit: wholeNumber(
    { min: 1, max: LIMIT.max },
    { unlessGiven: LIMIT.default, description: 'Markets in the answer, at most' },
  ),
}

export const search: IndexQuestion<keyof typeof own> = {
  kind: 'index',
  path: '/search',
  isOfAllVenues: true,
  parameters: () => ({ required: ['q'], optional: ['venue', 'limit'], own }),
  about: () => ({
    id: 'search',
    summary: 'Markets of both venues by their words',
    description:
      'Every word must begin a word of id, slug, title, event or outcome. First the market with this id, then those ' +
      'whose id begins with the text, then by the newest stored date. Without metadata, markets are found only by ' +
      'their ids. Does not count as a call.',
    answer: () => ({
      description: 'The markets; none if no market has all words',
      schema: named('Search', 'Markets that have all words', {
        q: text('As given', 'demo temperature'),
        data_count: count('Markets in the answer', 1),
        data: Type.Array(found, { description: 'The markets, the best first' }),
      }),
    }),
  }),
  async read(catalogue, { query }) {
    const { q = '', venue } = query
    const limit = Number(query.limit ?? LIMIT.default)
    const markets = await catalogue.search({ text: q, venue: venue as Venue | undefined, limit })
    const data = markets.map(({ venue, market, card, event, entry }) => {
      return { venue, market, ...cardOf(card, event), ...storedOf(entry) }
    })
    return { identity: ['search', q, data], make: () => ({ q, data_count: data.length, data }) }
  },
}
