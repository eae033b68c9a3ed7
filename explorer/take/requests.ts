// The API requests that return what is shown; anyone can repeat them.

import { bookQuery, marketPath, marketQuery } from '../data/book-query.ts'
import type { Detail } from '../state/detail.ts'
import { hiddenFrom, horizonOf } from '../state/horizon.ts'
import { DAY_MS, dayStartMs, type Span } from '../state/shown.ts'
import { lengthText } from '../state/time-text.ts'
import type { BookId, Stretch } from '../state/view.ts'

export const FORMATS = ['csv', 'ndjson', 'parquet', 'arrow', 'json'] as const
export type Format = (typeof FORMATS)[number]

export type TakeName = 'prices' | 'depth' | 'trades' | 'volume' | 'changes' | 'messages' | 'book'

export type Take = {
  name: TakeName
  label: string
  /** One line about the content of the answer. */
  about: string
  /** The path below `/api/v1`. */
  path: string
  /** The parameters without the format. */
  query: Readonly<Record<string, string | number>>
  formats: readonly Format[]
  /** End of the answer, Unix ms. Set if the answer ends before the end of the visible span, because a longer answer
   *  would have too many cells. */
  cutMs?: number
}

export type Shown = {
  book: BookId
  span: Span
  stretch: Pick<Stretch, 'atMs' | 'record' | 'aggregate' | 'hidesFuture'>
  detail: Detail
}

/** Greatest number of rows of one answer. */
export const ROWS_MAX = 100_000
/** Greatest number of cells of one depth map: columns times prices. */
export const CELLS_MAX = 4_000_000
const MS_PER_SECOND = 1_000

/** Returns the requests in the order in which they are offered. */
export function takesOf(shown: Shown): Take[] {
  const { book, detail, stretch } = shown
  const path = (name: string) => marketPath(book, name)
  const seconds = Math.max(1, detail.bucketMs / MS_PER_SECOND)
  const endMs = hiddenFrom(horizonOf(stretch))
  const buckets = { ...queryOf(bookQuery(book)), ...aligned(shown.span, detail.bucketMs, endMs), resolution: seconds }
  const exact = boundsOf({ ...shown.span, toMs: Math.min(shown.span.toMs, endMs) })
  const takes: Take[] = [
    {
      ...{ name: 'prices', label: 'Prices', path: path('orderbook-summary'), query: buckets, formats: FORMATS },
      about: `Best bid and ask, mid, spread and quotes in buckets of ${lengthText(seconds * MS_PER_SECOND)}`,
    },
    {
      ...{ name: 'depth', label: 'Depth map', path: path('depth-map'), ...depthQuery(shown) },
      formats: ['ndjson', 'arrow', 'json'],
      about: `What rested at each ${stepText(detail.priceStep)} in buckets of ${lengthText(detail.resolutionMs)}`,
    },
    {
      ...{ name: 'trades', label: 'Trades', path: path('trades'), formats: FORMATS },
      query: { ...queryOf(bookQuery(book)), ...exact, limit: ROWS_MAX },
      about: 'Every trade, with its price, size and side',
    },
    {
      ...{ name: 'volume', label: 'Trade candles', path: path('trade-summary'), query: buckets, formats: FORMATS },
      about: `Open, high, low and close, and what was bought and sold, in buckets of ${lengthText(seconds * MS_PER_SECOND)}`,
    },
    {
      ...{ name: 'changes', label: 'Changes of levels', path: path('book/changes'), formats: FORMATS },
      query: { ...queryOf(bookQuery(book)), ...exact },
      about: 'Every level that a message changed, with its size before and after',
    },
    {
      ...{ name: 'messages', label: 'Messages', path: path('data/range'), formats: ['ndjson', 'json'] },
      query: { ...queryOf(marketQuery(book)), ...exact, limit: ROWS_MAX },
      about: 'The records of the market, as the venue sent them',
    },
  ]
  if (stretch.atMs !== null) takes.push(bookTake(book, stretch.atMs, stretch.record))
  return takes
}

const bookTake = (book: BookId, ms: number, record: number | null): Take => ({
  name: 'book',
  label: 'Book at the cursor',
  about: 'Every level at this instant, with its trust and the last trade',
  path: marketPath(book, 'book'),
  query: {
    ...queryOf(bookQuery(book)),
    ...(record === null ? { timestamp: ms } : { date: new Date(ms).toISOString().slice(0, 10), record }),
  },
  formats: ['json'],
})

/** Extends a span to whole UTC days. */
export function wholeDays({ fromMs, toMs }: Span): Span {
  return { fromMs: dayStartMs(fromMs), toMs: Math.ceil(toMs / DAY_MS) * DAY_MS }
}

/** Returns bounds from the start of the first bucket to the end of the last bucket that is not hidden. A bucket must
 *  not be cut, because a cut bucket would have other values. */
function aligned({ fromMs, toMs }: Span, stepMs: number, endMs: number) {
  const last = Math.min(Math.ceil(toMs / stepMs), Math.floor(endMs / stepMs))
  return boundsOf({ fromMs: Math.floor(fromMs / stepMs) * stepMs, toMs: last * stepMs })
}

/** Returns the bounds of a request. Both bounds are inclusive. */
const boundsOf = ({ fromMs, toMs }: Span) => ({ start_timestamp: fromMs, end_timestamp: toMs - 1 })

/** Limits the number of columns of the map: the API refuses a map with too many cells. */
function depthQuery({ book, span, detail, stretch }: Shown): Pick<Take, 'query' | 'cutMs'> {
  const { resolutionMs, priceStep } = detail
  const columnsMax = Math.floor(CELLS_MAX / (Math.ceil(1 / priceStep) + 1))
  const fromMs = Math.floor(span.fromMs / resolutionMs) * resolutionMs
  const endMs = hiddenFrom(horizonOf(stretch))
  const mostMs = fromMs + columnsMax * resolutionMs
  const query = {
    ...queryOf(bookQuery(book)),
    ...aligned({ fromMs, toMs: Math.min(span.toMs, mostMs) }, resolutionMs, endMs),
    resolution_ms: resolutionMs,
    price_step: priceStep,
    aggregate: stretch.aggregate,
  }
  return { query, ...(mostMs < Math.min(span.toMs, endMs) && { cutMs: mostMs }) }
}

const queryOf = (query: ReturnType<typeof bookQuery>) => query as Record<string, string>

const stepText = (dollars: number): string => `${Number((dollars * 100).toFixed(4))}¢`

/** Returns the cursor's time to the millisecond, and its record if one is chosen, so that each position of the cursor
 *  gets its own file name. */
function placeText({ atMs, record }: Shown['stretch']): string {
  const instant = new Date(atMs!).toISOString().replaceAll(':', '')
  return record === null ? instant : `${instant}_record-${record}`
}

/** Returns a name such as `backbook_kalshi_KX…_2026-07-20T120000Z_prices-60s.csv`. */
export function fileName({ book, span, stretch, detail }: Shown, { name }: Take, format: Format): string {
  const begin = new Date(span.fromMs).toISOString()
  const isDay = span.fromMs % DAY_MS === 0
  const start = isDay ? begin.slice(0, 10) : begin.slice(0, 19).replaceAll(':', '').concat('Z')
  const when = name === 'book' ? placeText(stretch) : start
  const kinds: Partial<Record<TakeName, string>> = {
    prices: `-${detail.bucketMs / MS_PER_SECOND}s`,
    volume: `-${detail.bucketMs / MS_PER_SECOND}s`,
    depth: `-${detail.resolutionMs}ms`,
  }
  const words = [
    'backbook',
    book.venue,
    book.market.replace(/^(0x[0-9a-f]{8})[0-9a-f]{56}$/, '$1'),
    ...(book.asset === null ? [] : [book.asset.slice(0, 8)]),
    when,
  ]
  return `${[...words, name + (kinds[name] ?? '')].join('_').replace(/[^\w.-]+/g, '-')}.${format}`
}
