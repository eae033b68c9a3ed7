// Replays a book of a date that shows one source after another, as a slow and obvious list of its events.

import type { Entry, Levels, MadeSource } from '../../support/switched/made-source.ts'

export type Trust = 'unknown' | 'observed' | 'established' | 'doubtful' | 'lost'
export type ModelBook = { trust: Exclude<Trust, 'doubtful'>; isDoubtful: boolean; bids: Levels; asks: Levels }
export type Span = { source: MadeSource; fromMs: number; from: number; to: number; doubted: readonly string[] }

/** An event. `record` is the record's number in the date, or null for a switch. `place` of a switch is the number of
 *  the next record. `opensQuote` says whether the record begins a quote. */
export type Event = {
  ms: number
  record: number | null
  place: number
  kind: 'snapshot' | 'delta' | 'trade' | 'gap' | 'switch'
  opensQuote: boolean
  entry: Entry | null
  before: ModelBook
  after: ModelBook
}

export type InferredGap = { reason: string; fromMs: number; toMs: number | null; levels: number | null }

const unknownBook = (): ModelBook => ({ trust: 'unknown', isDoubtful: false, bids: new Map(), asks: new Map() })

const copyOf = ({ trust, isDoubtful, bids, asks }: ModelBook): ModelBook => ({
  trust,
  isDoubtful,
  bids: new Map(bids),
  asks: new Map(asks),
})

function apply(book: ModelBook, entry: Entry): ModelBook {
  const after = copyOf(book)
  if (entry.kind === 'gap') return { ...unknownBook(), trust: 'lost' }
  if (entry.kind === 'snapshot')
    return { trust: 'established', isDoubtful: false, bids: new Map(entry.bids), asks: new Map(entry.asks) }
  if (entry.kind === 'trade' || book.trust === 'lost') return after
  if (after.trust === 'unknown') after.trust = 'observed'
  const side = entry.isAsk ? after.asks : after.bids
  const size = entry.isSigned ? (side.get(entry.price) ?? 0) + entry.change : entry.size
  if (size > 0) side.set(entry.price, size)
  else side.delete(entry.price)
  return after
}

const isOf = (entry: Entry, id: string): boolean => entry.book === id || (entry.kind === 'gap' && entry.book === null)

function bookBefore(source: MadeSource, record: number, id: string, isDoubted: boolean): ModelBook {
  let book = unknownBook()
  for (const entry of source.entries.slice(0, record)) if (isOf(entry, id)) book = apply(book, entry)
  return { ...book, isDoubtful: isDoubted && book.trust !== 'unknown' && book.trust !== 'lost' }
}

/** Returns all events of a book in the order in which they are shown. */
export function eventsOf(spans: readonly Span[], id: string): Event[] {
  const events: Event[] = []
  let book = unknownBook()
  let place = 0
  /** Time of the open quote, Unix ms. Deltas with the same time continue the quote. */
  let quoteMs: number | null = null
  const add = (event: Omit<Event, 'before' | 'after'>, after: ModelBook) => {
    events.push({ ...event, before: book, after })
    book = after
  }
  spans.forEach(({ source, fromMs, from, to, doubted }, i) => {
    if (i > 0) {
      const shown = bookBefore(source, from, id, doubted.includes(id))
      add({ ms: fromMs, record: null, place, kind: 'switch', opensQuote: false, entry: null }, shown)
      quoteMs = null
    }
    for (const entry of source.entries.slice(from, to)) {
      const record = place++
      if (!isOf(entry, id)) continue
      const { kind, ms } = entry
      const opensQuote = kind === 'snapshot' || (kind === 'delta' && quoteMs !== ms)
      if (kind === 'delta') quoteMs = ms
      if (kind === 'snapshot' || kind === 'gap') quoteMs = null
      add({ ms, record, place: record, kind, opensQuote, entry }, apply(book, entry))
    }
  })
  return events
}

/** The trust of the book from a time on, Unix ms. */
export type Step = { ms: number; trust: Trust }

export function stepsOf(events: readonly Event[], gaps: readonly InferredGap[]): (ms: number) => Trust {
  return (ms) => {
    let [low, high] = [0, events.length]
    while (low < high) {
      const middle = (low + high) >>> 1
      if (events[middle]!.ms <= ms) low = middle + 1
      else high = middle
    }
    const after = events[low - 1]?.after ?? unknownBook()
    if (after.trust === 'unknown' || after.trust === 'lost') return after.trust
    const isInGap = gaps.some(({ fromMs, toMs }) => fromMs <= ms && ms < (toMs ?? Number.POSITIVE_INFINITY))
    return isInGap || after.isDoubtful ? 'doubtful' : after.trust
  }
}

/** The book after each quote, gap and switch. A quote is complete when another one begins. */
export type Change = { ms: number; book: ModelBook; isQuote: boolean }

export function changesOf(events: readonly Event[]): Change[] {
  const changes: Change[] = []
  let open: Event | null = null
  const end = () => {
    if (open !== null) changes.push({ ms: open.ms, book: open.after, isQuote: true })
    open = null
  }
  for (const event of events) {
    const { kind, ms, after, opensQuote } = event
    if (kind === 'trade') continue
    if (opensQuote || kind === 'gap' || kind === 'switch') end()
    if (kind === 'gap' || kind === 'switch') changes.push({ ms, book: after, isQuote: false })
    else open = event
  }
  end()
  return changes
}

/** Returns the spans in which the book is known, both ends inclusive. The first span begins, and the last one ends,
 *  at a quote or at a change to a source that knows the book. */
export function knownSpans(events: readonly Event[]): [number, number][] {
  const bounds = changesOf(events).flatMap(({ ms, book, isQuote }) =>
    isQuote || (book.trust !== 'unknown' && book.trust !== 'lost') ? [ms] : [],
  )
  if (bounds.length === 0) return []
  const spans: [number, number][] = []
  let fromMs: number | null = bounds[0]!
  const lastMs = bounds.at(-1)!
  const all = changesOf(events)
  all.forEach(({ ms, book }, i) => {
    if (i + 1 < all.length && all[i + 1]!.ms === ms) return
    if (book.trust === 'unknown' && fromMs !== null && ms > bounds[0]!) {
      if (ms > fromMs) spans.push([fromMs, Math.min(ms - 1, lastMs)])
      fromMs = null
    } else if (book.trust !== 'unknown' && ms >= bounds[0]!) fromMs ??= ms
  })
  if (fromMs !== null && fromMs <= lastMs) spans.push([fromMs, lastMs])
  return spans
}
