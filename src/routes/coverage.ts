// GET …/market/coverage: what is stored of a market, date by date, and how far it can be relied upon. Heads only.

import { Elysia } from 'elysia'
import type { Catalogue } from '../../storage/catalogue.ts'
import type { BookEntry, PartitionHead } from '../../storage/format/partition-head.ts'
import { coverageAnswer, coverageExample } from '../answers/coverage.ts'
import { tagsOf } from '../http/answers/entity-tag.ts'
import { indexAnswer } from '../http/answers/index-answer.ts'
import { MOUNTS, marketOf, querySchema, type VenueParameters } from '../http/parameters/venue-parameters.ts'
import { incidentsOn, KNOWN_INCIDENTS } from '../known-incidents.ts'
import { COMPRESSED, operation } from '../openapi/operation.ts'

const about = (parameters: VenueParameters) =>
  operation({
    id: `${parameters.venue}Coverage`,
    summary: 'What is stored of a market, date by date, and how far it can be relied upon',
    description: 'Does not count as a call.',
    tag: parameters.venue,
    access: 'key',
    answer: () => ({
      description: 'The dates, none where nothing is stored of the market',
      schema: coverageAnswer(parameters),
      example: coverageExample(parameters),
      headers: COMPRESSED,
    }),
    failures: ['block_corrupt'],
  })

const ALL_DATES = { from: '', to: '9999-12-31' }

export function coverageRoutes({ catalogue }: { catalogue: Pick<Catalogue, 'heads' | 'stamp' | 'cursorSecret'> }) {
  const tagOf = tagsOf(catalogue)
  const routes = new Elysia()
  for (const { path, parameters } of MOUNTS) {
    routes.get(
      `${path}/market/coverage`,
      ({ query, request }) => {
        const market = marketOf(parameters, query)
        const stamp = catalogue.stamp(parameters.venue, market, ALL_DATES)
        const etag = tagOf([stamp, KNOWN_INCIDENTS])
        const response = indexAnswer(request, etag, coverage(catalogue, parameters, market))
        if (response instanceof Response) response.headers.set('etag', etag)
        return response
      },
      {
        query: querySchema(parameters, { required: ['market'], optional: [] }),
        detail: about(parameters),
      },
    )
  }
  return routes
}

const coverage = (catalogue: Pick<Catalogue, 'heads'>, parameters: VenueParameters, market: string) => () => {
  const days = catalogue.heads(parameters.venue, market)
  return {
    [parameters.idField]: market,
    has_data: days.length > 0,
    ...(parameters.hasAssets ? { asset_ids: assetIds(days.map(({ head }) => head)) } : {}),
    dates: days.map(({ date, head }) => dateCoverage(parameters, date, head)),
  }
}

export function dateCoverage({ venue, bookField }: VenueParameters, date: string, head: PartitionHead) {
  return {
    date,
    record_count: head.recordCount,
    quote_count: head.books.reduce((count, book) => count + book.quoteCount, 0),
    first_timestamp: head.firstMs,
    last_timestamp: head.lastMs,
    starts_from: leastCertainStart(head.books),
    books: head.books.map((book) => ({
      [bookField]: book.id,
      record_count: book.recordCount,
      quote_count: book.quoteCount,
      first_quote_timestamp: book.firstQuoteMs,
      last_quote_timestamp: book.lastQuoteMs,
      starts_from: book.startsFrom,
      snapshot_count: book.snapshotCount,
    })),
    gaps: head.gaps.map(({ book, reason, fromMs, toMs, atMs }) => ({
      [bookField]: book,
      reason,
      from: fromMs,
      to: toMs,
      timestamp: atMs,
    })),
    incidents: incidentsOn(venue, date),
  }
}

/** A date is as sure as the least sure of its books. */
function leastCertainStart(books: readonly BookEntry[]): BookEntry['startsFrom'] {
  const starts = new Set(books.map(({ startsFrom }) => startsFrom))
  if (starts.size === 0 || starts.has('neither')) return 'neither'
  return starts.has('opening_book') ? 'opening_book' : 'snapshot'
}

const assetIds = (heads: readonly PartitionHead[]) =>
  [...new Set(heads.flatMap(({ books }) => books.map(({ id }) => id)))].sort()
