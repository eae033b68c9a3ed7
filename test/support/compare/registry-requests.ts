// Makes requests for everything stored, from the registry: every endpoint in all of its formats, with each way to give
// a time, and with each optional parameter. A new endpoint needs no code here, only its declaration.

import assert from 'node:assert/strict'
import type { Parameter } from '../../../src/http/parameters/parameter.ts'
import { SHARED_PARAMETERS } from '../../../src/http/parameters/venue-parameters.ts'
import { formatsOf, parametersOf } from '../../../src/questions/format-parameters.ts'
import type { MarketEndpoint } from '../../../src/questions/routes/market-endpoint.ts'
import type { Store } from '../../../storage/open-store.ts'
import { VENUES, type Venue } from '../../../storage/venue.ts'

export type StoredDay = {
  venue: Venue
  market: string
  date: string
  books: readonly string[]
  firstMs: number
  lastMs: number
}

/** The first and the last day of each market. */
export async function storedDays({ catalogue }: Pick<Store, 'catalogue'>): Promise<StoredDay[]> {
  const found: StoredDay[] = []
  for (const venue of VENUES) {
    const { markets } = await catalogue.markets(venue, { prefix: '', offset: 0, limit: 1_000 })
    for (const market of markets) {
      const days = await catalogue.heads(venue, market)
      for (const { date, head } of new Set([days[0]!, days.at(-1)!])) {
        const { firstMs, lastMs } = head
        found.push({ venue, market, date, books: head.books.map(({ id }) => id), firstMs, lastMs })
      }
    }
  }
  return found
}

type Query = Record<string, string>

/** Values of optional parameters that accept more than a few fixed values. */
const OPTIONAL: Record<string, (day: StoredDay) => Query | null> = {
  asset_id: ({ books }) => ({ asset_id: books[0] ?? '1' }),
  market: ({ venue, market }) => nameOf(venue, market),
  prefix: ({ market }) => ({ prefix: market.slice(0, 5) }),
  resolution: () => ({ resolution: '7' }),
  resolution_ms: () => ({ resolution_ms: '60000' }),
  price_step: () => ({ price_step: '0.02' }),
  limit: () => ({ limit: '3' }),
  offset: () => ({ offset: '2' }),
  record: () => ({ record: '1' }),
  depth: () => ({ depth: '1' }),
  levels: () => ({ levels: '2' }),
  trust: () => ({ trust: 'established,observed' }),
  source: () => ({ source: 'own' }),
  bands: () => ({ bands: '0.01,0.05' }),
  sizes: () => ({ sizes: '10,250' }),
  from: ({ date }) => ({ from: date, to: date }),
  q: ({ market }) => ({ q: market.slice(0, 5) }),
  series: ({ market }) => ({ series: market.split('-')[0]! }),
  category: () => ({ category: 'Climate and Weather' }),
  event: ({ market }) => ({ event: market.replace(/-[^-]*$/, '') }),
  // Excluded: `to` is sent with `from`, a cursor comes from an answer, and the names of columns depend on the query.
  to: () => null,
  cursor: () => null,
  columns: () => null,
}
const TIMES = new Set(['date', 'timestamp', 'start_timestamp', 'end_timestamp'])
const BOOKS = new Set(['books', 'tickers'])
const WINDOW_MS = 300_000
/** Maximum number of markets in one request. */
const MANY = 6

/** Returns paths with queries, without duplicates. */
export function requestsAbout(endpoint: MarketEndpoint, days: readonly StoredDay[]): string[] {
  const { isOfAllVenues, parameters, question } = endpoint
  const about = days.filter(({ venue }) => isOfAllVenues || venue === parameters.venue)
  const { required } = parametersOf(question, parameters)
  const isOfMarket = required.some((name) => name === 'market' || name === 'q') || question.inPath !== undefined
  const chosen = isOfMarket ? about : [...new Map(about.map((day) => [day.date, day])).values()]
  const all = chosen.flatMap((day) => {
    const others = about.filter(({ date }) => date === day.date)
    return requestsOf(endpoint, day, others.slice(0, MANY))
  })
  return [...new Set(all)]
}

function requestsOf(endpoint: MarketEndpoint, day: StoredDay, others: readonly StoredDay[]): string[] {
  const { question, parameters } = endpoint
  const { required, optional, own = {} } = parametersOf(question, parameters)
  const names: readonly string[] = [...required, ...optional]
  const [usual = {}, ...times] = timesOf(names, required, day)
  const formats = formatsOf(question).map((format): Query => (format === 'json' ? {} : { format }))
  const choices = optional.flatMap((name) => choicesOf(endpoint, name, declaredAs(own, name), day))
  const whens = [
    ...[...formats, ...choices].map((choice) => ({ ...usual, ...choice })),
    ...times.flatMap((time) => formats.map((format) => ({ ...time, ...format }))),
  ]
  const subjects = subjectsOf(names, required, day, others)
  const queries = subjects.flatMap((subject) => whens.map((when): Query => ({ ...subject, ...when })))
  return filledPaths(endpoint, day).flatMap((path) => queries.map((query) => withQuery(path, query)))
}

/** Returns the values of an optional parameter to try. */
function choicesOf({ route }: MarketEndpoint, name: string, declared: Parameter | undefined, day: StoredDay): Query[] {
  if (name === 'format' || TIMES.has(name) || BOOKS.has(name)) return []
  const values = declared?.['enum'] as readonly string[] | undefined
  if (values !== undefined) return values.map((value) => ({ [name]: value }))
  assert(OPTIONAL[name] !== undefined, `${route} takes ${name}: give it a value in ${import.meta.file}`)
  const query = OPTIONAL[name](day)
  return query === null ? [] : [query]
}

const declaredAs = (own: Readonly<Record<string, Parameter | undefined>>, name: string): Parameter | undefined =>
  own[name] ?? (SHARED_PARAMETERS as Readonly<Record<string, Parameter>>)[name]

const withQuery = (path: string, query: Query): string =>
  Object.keys(query).length === 0 ? path : `${path}?${new URLSearchParams(query)}`

const nameOf = (venue: Venue, market: string): Query =>
  venue === 'kalshi' ? { ticker: market } : { condition_id: market }

/** Returns each way to give a time that the endpoint accepts. */
function timesOf(names: readonly string[], required: readonly string[], { date, firstMs, lastMs }: StoredDay): Query[] {
  const middleMs = Math.floor((firstMs + lastMs) / 2)
  const window = { start_timestamp: `${middleMs}`, end_timestamp: `${middleMs + WINDOW_MS - 1}` }
  if (required.includes('date')) return [{ date }]
  if (required.includes('start_timestamp')) return [window]
  const known: [name: string, query: Query][] = [
    ['date', { date }],
    ['timestamp', { timestamp: `${middleMs}` }],
    ['start_timestamp', window],
  ]
  return known.filter(([name]) => names.includes(name)).map(([, query]) => query)
}

/** Returns the subjects of a request: a book, a market, many books, or words. */
function subjectsOf(
  names: readonly string[],
  required: readonly string[],
  { venue, market, books }: StoredDay,
  others: readonly StoredDay[],
): Query[] {
  if (names.includes('tickers')) return [{ tickers: others.map((other) => other.market).join(',') }]
  if (names.includes('books')) {
    return [{ books: others.flatMap((other) => other.books.map((book) => `${other.market}:${book}`)).join(',') }]
  }
  if (required.includes('q')) return [{ q: market.slice(0, 8) }, { q: 'gold' }]
  if (required.includes('asset_id')) return books.map((book) => ({ ...nameOf(venue, market), asset_id: book }))
  return [required.includes('market') ? nameOf(venue, market) : {}]
}

function filledPaths({ question, parameters, route }: MarketEndpoint, { date, market }: StoredDay): string[] {
  if (question.inPath === undefined) return [route]
  const filled = route.replace(':date', date).replace(':market', market)
  const files = question.inPath(parameters)['name']!['enum'] as readonly string[]
  return files.map((file) => filled.replace(':name', file))
}
