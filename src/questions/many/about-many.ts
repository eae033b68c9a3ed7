// Documentation of a question about many books, derived from the same question about one book.

import { type TObject, type TSchema, Type } from '@sinclair/typebox'
import type { VenueParameters } from '../../http/parameters/venue-parameters.ts'
import { named, orNull, text } from '../../openapi/field.ts'
import type { Operation } from '../../openapi/operation.ts'
import type { RecordsQuestion } from '../question.ts'
import { BOOKS_MAX } from './named-books.ts'

const OF_ENTRY = ['data_points', 'data_count', 'data']
const NOT_STORED =
  'Nothing is stored of the kalshi market with ticker KXDEMODAY-26JUL20-T60: see market/list for what is'

const failure = named('NotStored', 'Why a book has no data', {
  code: text('`market_not_stored` or `asset_not_stored`', 'market_not_stored'),
  detail: text('The same in a sentence', NOT_STORED),
})

export function aboutMany(one: RecordsQuestion<string>, venue: VenueParameters): Omit<Operation, 'tag' | 'access'> {
  const { id, summary, answer, failures = [] } = one.about(venue)
  return {
    id: `${id}OfMany`,
    summary: `The same of up to ${BOOKS_MAX} books: ${summary.charAt(0).toLowerCase()}${summary.slice(1)}`,
    description:
      `Give ${venue.listParameter} or event. Books are in the requested order, those of an event by market. If nothing is ` +
      'stored of a book, its entry has `error`, other formats have no rows of it, and the header `x-errors` names it; ' +
      '404 if all books are missing. Counts as one call for each book that has data. Long answers are streamed; ' +
      'an error breaks the connection.',
    answer: () => {
      const { description, schema, headers = [], others = [] } = answer()
      return {
        description: `${description}, of each book`,
        schema: schemaOf(schema as TObject, venue),
        headers: [...headers, 'X-Error-Count', 'X-Errors'],
        ...(others.length > 0 && { rowHeaders: ['X-Data-Count'] }),
        others,
      }
    },
    failures: [...failures, 'event_not_found'],
  }
}

const idsOf = ({ idField, hasAssets }: VenueParameters) => [idField, ...(hasAssets ? ['asset_id'] : [])]

/** Returns a predicate for the fields that belong to the entry of a book. If the answer about one book has no `data`,
 *  the whole answer is an entry. */
const isOfEntry = (names: readonly string[]) => (name: string) => !names.includes('data') || OF_ENTRY.includes(name)

function schemaOf({ $id = '', description = '', properties }: TObject, venue: VenueParameters): TSchema {
  const names = Object.keys(properties)
  const ids = idsOf(venue)
  const inEntry = isOfEntry(names)
  const pick = (isPicked: (name: string) => boolean, made: (schema: TSchema) => TSchema = (schema) => schema) =>
    Object.fromEntries(names.filter(isPicked).map((name) => [name, made(properties[name]!)]))
  const entry = named(`${$id}Entry`, 'One of many books: its data, or why it has none', {
    ...pick((name) => name === venue.idField),
    ...pick((name) => ids.includes(name) && name !== venue.idField, orNull),
    ...pick((name) => !ids.includes(name) && inEntry(name), Type.Optional),
    error: Type.Optional(failure),
  })
  return named(`${$id}OfMany`, `${description}, for each of many`, {
    ...pick((name) => !ids.includes(name) && !inEntry(name)),
    markets: Type.Array(entry, { description: 'The books, in the requested order' }),
  })
}
