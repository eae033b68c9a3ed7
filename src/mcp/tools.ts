// The tools. Each sends one question to the server, and says how to get what its answer leaves out.

import { type Static, type TObject, Type } from '@sinclair/typebox'
import { IDENTITIES } from '../../storage/venue.ts'
import {
  BOOK,
  checked,
  datesBetween,
  INSTANT,
  instantOf,
  limit,
  MARKET,
  marketQuery,
  VENUE,
  WINDOW,
  windowOf,
} from './arguments.ts'
import { type Losses, lossesIn } from './losses.ts'
import type { ServerClient } from './server-client.ts'
import { type Shown, shownRows, withTimes } from './shown-rows.ts'

export type Tool = {
  name: string
  description: string
  schema: TObject
  /** Rejects with WrongArguments, Refusal or MirrorError. */
  answer(server: ServerClient, given: unknown): Promise<string>
}

function tool<Schema extends TObject>(
  name: string,
  description: string,
  schema: Schema,
  answer: (server: ServerClient, given: Static<Schema>) => Promise<Shown | string>,
): Tool {
  return {
    name,
    description,
    schema,
    async answer(server, given) {
      const shown = await answer(server, checked(schema, given))
      return typeof shown === 'string' ? shown : shownRows(shown)
    },
  }
}

const closed = { additionalProperties: false }
const FOUND = { max: 50, usual: 10 }
const DATES = { max: 366, usual: 31 }
const BUCKETS = { max: 500, usual: 200 }
const TRADES = { max: 500, usual: 100 }
const LEVELS = { max: 100, usual: 10 }

const search = tool(
  'search',
  'Finds stored markets of Polymarket and Kalshi by words of their id, title, event or outcomes. Lists the ids that ' +
    'the other tools take, and which dates are stored.',
  Type.Object(
    {
      q: Type.String({ description: 'Words; every one must begin a word of the market' }),
      venue: Type.Optional(VENUE),
      limit: limit({ ...FOUND, words: 'Markets' }),
    },
    closed,
  ),
  async (server, { q, venue, limit: most = FOUND.usual }) => {
    type Found = Record<string, unknown> & { outcomes: { outcome: string; asset_id?: string }[] }
    // Requests one market more than is shown, to find out whether there are more.
    const { data } = await server.json<{ data: Found[] }>('search', { q, venue, limit: most + 1 })
    const shown = data.slice(0, most).map(({ slug: _, event, outcomes, ...market }) => ({
      ...market,
      event: (event as { title?: string }).title,
      outcomes: outcomes.map(({ outcome, asset_id }) => (asset_id === undefined ? outcome : { outcome, asset_id })),
    }))
    const more = data.length > most ? `More markets match than these ${most}: use more words, or a higher limit.\n` : ''
    return `${more}${JSON.stringify(shown)}`
  },
)

const coverage = tool(
  'coverage',
  'Shows which dates are stored of a market and how far they can be trusted: records, where each book starts from, ' +
    'gaps, losses that no recorder reported, known incidents. Use it before you conclude anything from missing data.',
  Type.Object(
    {
      ...MARKET,
      from: Type.Optional(Type.String({ description: 'The first date, YYYY-MM-DD' })),
      to: Type.Optional(Type.String({ description: 'The last date, YYYY-MM-DD' })),
      limit: limit({ ...DATES, words: 'Dates, the newest' }),
    },
    closed,
  ),
  async (server, { from, to, limit: most = DATES.usual, ...market }) => {
    const isInRange = datesBetween(from, to)
    type Lists = Record<'gaps' | 'inferred_gaps' | 'books', unknown[]> & { covered_gaps?: unknown[] }
    type Day = Record<string, unknown> & Lists & { date: string }
    type Coverage = { has_data: boolean; asset_ids?: string[]; dates?: Day[] }
    const path = `${market.venue}/market/coverage`
    const { has_data, asset_ids, dates = [] } = await server.json<Coverage>(path, marketQuery(market))
    const inRange = dates.filter(({ date }) => isInRange(date))
    const days = inRange.slice(-most).map(({ books, gaps, covered_gaps, inferred_gaps, ...day }) => ({
      ...day,
      books: books.length,
      ...firstOf('gaps', gaps),
      ...(covered_gaps && firstOf('covered_gaps', covered_gaps)),
      ...firstOf('inferred_gaps', inferred_gaps),
    }))
    const more =
      inRange.length > most ? `${inRange.length} dates are stored, these are the last ${most}: give from and to.\n` : ''
    return `${more}${withTimes({ has_data, asset_ids, dates: days })}`
  },
)

const GAPS_MAX = 10
const firstOf = (name: string, gaps: unknown[]) => ({
  [name]: gaps.slice(0, GAPS_MAX),
  ...(gaps.length > GAPS_MAX ? { [`${name}_in_all`]: gaps.length } : {}),
})

const NICE_SECONDS = [1, 5, 15, 60, 300, 900, 3600]
const CANDLE_COLUMNS =
  'timestamp,quote_count,is_forward_filled,best_bid,best_bid_size,best_ask,best_ask_size,spread,' +
  'mid_price_open,mid_price_high,mid_price_low,mid_price_close,trust'

const candles = tool(
  'candles',
  'The top of one order book over time, in buckets that are named by their start: best prices and sizes at the end ' +
    'of the bucket, and open, high, low and close of the middle. trust is the worst that the book was in the bucket: ' +
    'doubtful if changes were lost and no recorder reported it. An empty value means that a side was empty, ' +
    'but it means nothing if trust is lost. is_forward_filled: no message in the ' +
    'bucket, the state before it is carried. The first line has the known losses in this time.',
  Type.Object(
    {
      ...BOOK,
      ...WINDOW,
      resolution: Type.Optional(
        Type.Integer({
          minimum: 1,
          maximum: 3600,
          description: 'Seconds of a bucket; unless given, some hundred buckets',
        }),
      ),
      limit: limit({ ...BUCKETS, words: 'Buckets' }),
    },
    closed,
  ),
  async (server, { date, start, end, resolution, limit: most = BUCKETS.usual, ...book }) => {
    const { query, seconds } = windowOf({ date, start, end })
    const used = resolution ?? NICE_SECONDS.find((each) => seconds / each <= BUCKETS.usual) ?? NICE_SECONDS.at(-1)!
    const parameters = { ...marketQuery(book), ...query, resolution: used }
    const path = `${book.venue}/market`
    const [rows, coverage] = await Promise.all([
      server.rows(`${path}/orderbook-summary`, { ...parameters, columns: CANDLE_COLUMNS }, most),
      server.json<Losses>(`${path}/coverage`, marketQuery({ ...book, asset_id: undefined })),
    ])
    const note = lossesIn(coverage, { lines: rows.lines, bucketMs: used * 1_000, book: book.asset_id ?? null })
    const narrower = 'Ask for the time from the last bucket on (start, end), or for a higher resolution.'
    return { what: `Buckets of ${used} s`, rows, narrower, note }
  },
)

const book = tool(
  'book',
  'One order book at an instant: its best levels as [price in dollars, contracts]. trust says whether to believe it ' +
    '(established, observed, doubtful in an inferred gap, lost after a gap, unknown), as_of how old it is.',
  Type.Object({ ...BOOK, at: INSTANT, depth: limit({ ...LEVELS, words: 'Levels of each side' }) }, closed),
  async (server, { at, depth = LEVELS.usual, ...market }) => {
    type Book = Record<string, unknown> & { bids: unknown[]; asks: unknown[] }
    const parameters = { ...marketQuery(market), timestamp: instantOf('at', at), depth: depth + 1 }
    const { bids, asks, ...others } = await server.json<Book>(`${market.venue}/market/book`, parameters)
    const hasMore = bids.length > depth || asks.length > depth
    const more = hasMore ? `There are more levels than these ${depth} of a side: ask with a higher depth.\n` : ''
    return `${more}${withTimes({ ...others, bids: bids.slice(0, depth), asks: asks.slice(0, depth) })}`
  },
)

const trades = tool(
  'trades',
  'Trades of a market, one by one, in the order of their time: price in dollars, contracts, and what the taker did ' +
    '(empty if the venue does not state it).',
  Type.Object(
    {
      ...BOOK,
      asset_id: Type.Optional(Type.String({ description: 'Polymarket only: one token; all tokens unless given' })),
      ...WINDOW,
      cursor: Type.Optional(Type.String({ description: 'Where to continue: the cursor of the previous answer' })),
      limit: limit({ ...TRADES, words: 'Trades' }),
    },
    closed,
  ),
  async (server, { date, start, end, cursor, limit: most = TRADES.usual, ...market }) => {
    const { hasAssets, bookField } = IDENTITIES[market.venue]
    const columns = `timestamp,${hasAssets ? `${bookField},` : ''}price,size,side,trade_id`
    const parameters = { ...marketQuery(market), ...windowOf({ date, start, end }).query, cursor, limit: most, columns }
    const rows = await server.rows(`${market.venue}/market/trades`, parameters, most)
    const narrower = `Ask the same with cursor "${rows.nextCursor}", or about less time.`
    return { what: 'Trades', rows: { ...rows, total: null }, narrower }
  },
)

export const TOOLS: readonly Tool[] = [search, coverage, candles, book, trades]
