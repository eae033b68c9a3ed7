// Answers requests from the model in the form of the endpoints: takes a path and a query, returns JSON.

import { activeMarkets, calendar } from '../finding/calendar.ts'
import { marketInfo } from '../finding/market-info.ts'
import { search } from '../finding/search.ts'
import type { ModelStore, Venue } from '../model.ts'
import type { Partition } from '../quotes.ts'
import { type RangeRequest, summarize } from '../summary.ts'
import { bookAt } from './book-at.ts'
import { bookChanges } from './book-changes.ts'
import { depthMap } from './depth-map.ts'
import { depthSummary } from './depth-summary.ts'
import { rowInFormat } from './flat-rows.ts'
import type { Until } from './place.ts'
import { summarizeTrades } from './trade-summary.ts'
import { tradesIn } from './trades.ts'

/** The parameters of a request. The path that goes with them is `/{venue}/…` or `/search`, without a prefix. */
export type Query = Record<string, string>
export type Answer = Record<string, unknown>
export type Ask = (path: string, query: Query) => Promise<Answer>

const SECONDS_BELOW = 1e11
const CHANGES_LIMIT = 16_384
const TRADES_LIMIT = 10_000
const SEARCH_LIMIT = 20
const BANDS = '0.01,0.02,0.05,0.1'
const LEVELS = '10'

type QuestionInput = { model: ModelStore; venue: Venue; query: Query; nowMs: number }
type Question = (input: QuestionInput) => Answer

const QUESTIONS: Record<string, Question> = {
  calendar: ({ model, venue, query: { from, to } }) => ({ data: calendar(model, venue, from, to) }),
  'markets/active': ({ model, venue, query }) => {
    const { by = 'records', offset = '0', limit = '20' } = query
    const page = { offset: Number(offset), limit: Number(limit) }
    const input = { date: required(query, 'date'), by: by as 'records', ...page }
    return { data: activeMarkets(model, venue, input) }
  },
  'market/info': (input) => {
    const { model, venue } = input
    const market = marketOf(input)
    const info = marketInfo(venue, model.metadata.of(venue, market), model.partitions(venue, market))
    if (info === undefined) throw new Error(`nothing is known of ${market}`)
    return { ...idsOf(input), ...info }
  },
  'market/book': (input) => {
    const depth = input.query['depth'] === undefined ? undefined : Number(input.query['depth'])
    const request = { until: untilOf(input), depth, inferredGaps: gapsOf(input) }
    return { ...idsOf(input), ...bookAt(partitionsOf(input), bookOf(input), request) }
  },
  'market/book/changes': (input) => {
    const { date, record = '0', limit = String(CHANGES_LIMIT) } = input.query
    const places = { record: Number(record), limit: Number(limit) }
    const request = date === undefined ? rangeIn(input.query) : { date, ...places }
    const data = bookChanges(partitionsOf(input), bookOf(input), {
      ...request,
      inferredGaps: gapsOf(input),
      trust: trustIn(input.query),
    })
    return { ...idsOf(input), data }
  },
  'market/trades': (input) => {
    const { limit = String(TRADES_LIMIT), cursor = '0' } = input.query
    const book = input.venue === 'kalshi' ? marketOf(input) : (input.query['asset_id'] ?? null)
    const trades = tradesIn(partitionsOf(input), book, rangeIn(input.query))
    const [from, to] = [Number(cursor), Number(cursor) + Number(limit)]
    const data = trades.slice(from, to)
    const isMore = to < trades.length
    return { ...idsOf(input), data_count: data.length, has_more: isMore, next_cursor: isMore ? String(to) : null, data }
  },
  'market/depth-summary': (input) => {
    const { resolution = '60', fill = 'observed', levels = LEVELS, bands = BANDS, sizes = '' } = input.query
    const data = depthSummary(partitionsOf(input), bookOf(input), {
      ...rangeIn(input.query),
      resolution: Number(resolution),
      fill: fill as 'observed',
      nowMs: input.nowMs,
      levels: Number(levels),
      bands: listIn(bands),
      sizes: listIn(sizes),
      inferredGaps: gapsOf(input),
      trust: trustIn(input.query),
    })
    return { ...idsOf(input), data_points: data.length, data }
  },
  'market/depth-map': (input) => {
    const { resolution_ms: resolutionMs, price_step: priceStep, aggregate = 'max' } = input.query
    const { rows, runs, ...metadata } = depthMap(partitionsOf(input), bookOf(input), {
      ...rangeIn(input.query),
      resolutionMs: Number(resolutionMs),
      priceStep: String(priceStep),
      aggregate: aggregate as 'max',
      nowMs: input.nowMs,
    })
    return input.query['format'] === 'arrow' ? { ...metadata, data: rows } : { data: runs }
  },
  'market/orderbook-summary': (input) => {
    const { resolution = '60', fill = 'observed' } = input.query
    const data = summarize(partitionsOf(input), bookOf(input), {
      ...rangeIn(input.query),
      resolution: Number(resolution),
      fill: fill as 'observed',
      nowMs: input.nowMs,
      inferredGaps: gapsOf(input),
      trust: trustIn(input.query),
    })
    return { ...idsOf(input), data_points: data.length, data }
  },
  'market/trade-summary': (input) => {
    const { resolution = '60', fill = 'none' } = input.query
    const request = {
      ...rangeIn(input.query),
      resolution: Number(resolution),
      fill: fill as 'none',
      nowMs: input.nowMs,
    }
    const data = summarizeTrades(partitionsOf(input), bookOf(input), request)
    return { ...idsOf(input), data_points: data.length, data }
  },
}

/** Returns a function that answers requests. `nowMs` is the time of the requests, Unix ms. */
export function modelAsk(model: ModelStore, nowMs: number): Ask {
  return async (path, query) => {
    if (path === '/search') return searchAnswer(model, query)
    const [, venue, ...question] = path.split('/')
    const answer = QUESTIONS[question.join('/')]
    if (answer === undefined || (venue !== 'polymarket' && venue !== 'kalshi')) throw new Error(`no such path: ${path}`)
    const given = answer({ model, venue, query, nowMs })
    return question.join('/') === 'market/depth-map' ? given : inFormat(given, query, query['format'])
  }
}

function searchAnswer(model: ModelStore, query: Query): Answer {
  const { venue, limit = String(SEARCH_LIMIT) } = query
  const found = search(model, required(query, 'q'), venue as Venue | undefined)
  return { data: found.slice(0, Number(limit)).map(({ row }) => row) }
}

/** Converts a JSON answer to the rows of another format. */
export function inFormat(answer: Answer, query: Query, format: string | undefined): Answer {
  const { bands = BANDS, sizes = '', levels = LEVELS } = query
  const { data } = answer
  if (!Array.isArray(data)) return answer
  const values = { _within: listIn(bands), buy_: listIn(sizes), sell_: listIn(sizes) }
  const lists = { values, levels: Number(levels) }
  return { ...answer, data: data.map((row) => rowInFormat(row, format, lists)) }
}

const marketOf = ({ venue, query }: QuestionInput): string =>
  required(query, venue === 'kalshi' ? 'ticker' : 'condition_id')
const bookOf = (input: QuestionInput): string =>
  input.venue === 'kalshi' ? marketOf(input) : required(input.query, 'asset_id')
/** Returns a function that returns the inferred gaps of the requested book on a date. */
const gapsOf = (input: QuestionInput) => (date: string) => {
  const isStored = input.model.dates(input.venue, marketOf(input)).includes(date)
  return isStored ? input.model.quality(input.venue, marketOf(input), date, bookOf(input)).inferredGaps : []
}

const partitionsOf = (input: QuestionInput): Partition[] => input.model.partitions(input.venue, marketOf(input))

function required(query: Query, name: string): string {
  const value = query[name]
  if (value === undefined) throw new Error(`${name} is not given`)
  return value
}

function idsOf(input: QuestionInput): Answer {
  if (input.venue === 'kalshi') return { market_ticker: marketOf(input) }
  const { asset_id: asset } = input.query
  return { market_condition_id: marketOf(input), ...(asset === undefined ? {} : { asset_id: asset }) }
}

const trustIn = ({ trust }: Query) => trust?.split(',')

const listIn = (text: string): string[] => (text === '' ? [] : text.split(','))

function rangeIn({ date, start_timestamp: start, end_timestamp: end }: Query): RangeRequest {
  if (date !== undefined) return { date }
  if (start === undefined || end === undefined) throw new Error('Neither a date nor both bounds')
  const [startTimestamp, endTimestamp] = [Number(start), Number(end)]
  if (startTimestamp < SECONDS_BELOW && endTimestamp < SECONDS_BELOW) return { startTimestamp, endTimestamp }
  const [first, last] = [instantOf(start), instantOf(end)]
  return { startTimestamp: first.ms, endTimestamp: last.ms + last.restMs }
}

/** Parses a time. `restMs` is the number of further ms that the text covers: the rest of a second, or of a day. */
function instantOf(text: string): { ms: number; restMs: number } {
  const value = Number(text)
  if (Number.isNaN(value)) {
    const restMs = text.includes('T') ? (text.includes('.') ? 0 : 999) : 86_399_999
    return { ms: new Date(text).getTime(), restMs }
  }
  if (value < SECONDS_BELOW) return { ms: value * 1_000, restMs: 999 }
  return { ms: value < 1e14 ? value : Number(BigInt(text) / 1_000n), restMs: 0 }
}

function untilOf({ query: { date, record, timestamp }, nowMs }: QuestionInput): Until {
  if (date !== undefined) return { date, place: Number(record) }
  if (timestamp === undefined) return { ms: nowMs }
  return { ms: instantOf(timestamp).ms }
}
