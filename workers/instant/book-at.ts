// Finds one book at an instant, or after a record: starts from the nearest stored state and replays at most one block.

import type { StoredDay } from '../../storage/catalogue.ts'
import { PartGone } from '../../storage/damage.ts'
import type { PartitionHead } from '../../storage/format/partition-head.ts'
import type { Store } from '../../storage/open-store.ts'
import type { PartitionKey } from '../../storage/partition-key.ts'
import { dateStartMs, MICROS, utcDate } from '../../storage/units.ts'
import type { Venue } from '../../storage/venue.ts'
import { recordsUpTo } from '../block/records-up-to.ts'
import { type BookMark, hasRecord, markAfter, markAfterSwitch, type RecordPlace } from '../book/book-mark.ts'
import { ASK, BID, type Side } from '../book/ladder.ts'
import type { OrderBook } from '../book/order-book.ts'
import { type QuoteSink, SILENT } from '../book/replay.ts'
import { tradeSizes } from '../book/trade-amounts.ts'
import type { Trust } from '../evidence/trust-table.ts'
import type { BookWindow } from '../read/plan-replay.ts'
import { type ReadBlock, replayWindow, type WindowReplay } from '../read/window-replay.ts'
import { shownTrust, trustAt, trustSteps } from '../trust/trust-steps.ts'
import { MEANINGS } from '../venues.ts'
import { DayBlocks } from './day-blocks.ts'
import { lastTrade, type TradeRow } from './last-trade.ts'
import { verifyBook } from './verify-book.ts'

/** A point in a market: after all records up to `ms` (Unix ms), or after record `record` of a date. Plain data, since
 *  it crosses threads. */
export type Instant = { ms: number } | { date: string; record: number }

export type BookAtRequest = {
  venue: Venue
  market: string
  /** Asset id on Polymarket, the ticker on Kalshi. */
  book: string
  at: Instant
  /** Maximum number of levels per side. */
  depth: number
}

/** Prices in dollars, sizes in contracts. */
type Level = [price: number, size: number]
export type BookAt = {
  timestamp: number
  as_of: number | null
  date: string | null
  record: number | null
  trust: Trust
  bids: Level[]
  asks: Level[]
  last_trade: TradeRow | null
  tick_size: number | null
  verified: boolean | null
}

/** A book at an instant, its mark, and the days in which to look up the mark's records. */
export type FoundBook = { book: OrderBook; mark: BookMark; days: Pick<Days, 'at' | 'lastUntil' | 'before'> }

/** Passes the book to `answer` and returns the result of `answer`. May call `answer` again if a commit came in between.
 *  Rejects with DataError: market_not_stored, block_corrupt. */
export function findBook<T>(
  store: Store,
  request: Omit<BookAtRequest, 'depth'>,
  answer: (found: FoundBook) => Promise<T>,
): Promise<T> {
  return replayWindow(store, windowOf(request), async (replay) => {
    const days = new Days(store, request)
    const mark = await inShownPlaces(store, request, { mark: advance(replay, request, days), days }, replay.firstDate)
    const result = await answer({ book: replay.book, mark, days })
    replay.release()
    return result
  })
}

/** Returns the mark with record numbers as the dates show them. In the given mark, a place before the first replayed
 *  date has its record number within one layer. If the date shows several layers, the shown number differs. */
async function inShownPlaces(
  store: Store,
  request: BookQuery,
  { mark, days }: Pick<FoundBook, 'mark' | 'days'>,
  firstDate: string | undefined,
): Promise<BookMark> {
  const startMs = firstDate === undefined ? Number.NEGATIVE_INFINITY : dateStartMs(firstDate)
  const isEarlier = (place: RecordPlace | null): place is RecordPlace => place !== null && place.timeMs < startMs
  const dates = [mark.last, mark.change].filter(isEarlier).map(({ timeMs }) => utcDate(timeMs))
  const found = await Promise.all([...new Set(dates)].map((date) => days.lastUntil(date)))
  if (found.every((day) => day?.head.layers === undefined)) return mark
  const before = await findBook(store, { ...request, at: { ms: startMs - 1 } }, async (earlier) => earlier.mark)
  return {
    ...mark,
    last: isEarlier(mark.last) ? before.last : mark.last,
    change: isEarlier(mark.change) ? before.change : mark.change,
  }
}

/** Returns the book. Rejects with DataError: market_not_stored, block_corrupt. */
export function bookAt(store: Store, request: BookAtRequest): Promise<BookAt> {
  const { venue, book: id, at, depth } = request
  return findBook(store, request, async ({ book, mark, days }) => {
    const { last, change, trade, tickSize } = mark
    const timestamp = 'ms' in at ? at.ms : await timeOf(days, at)
    const isHashed = MEANINGS[venue].hasHashes && hasRecord(change) && book.trust === 'established'
    return {
      timestamp,
      as_of: last?.timeMs ?? null,
      date: last === null ? null : utcDate(last.timeMs),
      record: hasRecord(last) ? last.record : null,
      trust: last === null ? 'unknown' : await trustAtMs(days, id, { book, mark }, timestamp),
      bids: levelsOf(book, BID, depth),
      asks: levelsOf(book, ASK, depth),
      last_trade: await lastTrade(store, days, request, trade, timestamp),
      tick_size: tickSize === null || !MEANINGS[venue].hasHashes ? null : tickSize.micros / MICROS,
      verified: isHashed ? await verifyBook({ id, book, mark }, change, await days.at(utcDate(change.timeMs))) : null,
    }
  })
}

type BookQuery = Omit<BookAtRequest, 'depth'>

/** Returns an empty window just after the instant: the book before that window is the book at the instant. */
function windowOf({ venue, market, book, at }: BookQuery): BookWindow {
  if ('ms' in at) return { venue, market, book, fromMs: at.ms + 1, toMs: at.ms }
  const dayMs = dateStartMs(at.date)
  return { venue, market, book, fromMs: dayMs, toMs: dayMs, fromRecord: at.record + 1, toRecord: at.record }
}

/** Replays up to the instant, and returns the mark there. */
function advance(replay: WindowReplay, { at }: BookQuery, days: Days): BookMark {
  let { mark } = replay.start
  const block = ({ day, index, firstRecord, block: content, columns }: ReadBlock) => {
    const blocks = days.add(day.key.date, day.head)
    const { fields } = blocks.add(index, content, columns, replay.start.progress)
    const end = 'ms' in at ? recordsUpTo(columns, at.ms) : at.record + 1 - firstRecord
    const marked = { columns, firstRecord, fields, tradeSizes: tradeSizes(content) }
    mark = markAfter(mark, marked, day.bookIndex + 1, Math.min(end, columns.recordCount))
  }
  const switched: QuoteSink['switched'] = (_before, _after, atMs, found) => {
    mark = markAfterSwitch(mark, found.last === null ? null : found, atMs)
  }
  const sink = { ...SILENT, block, switched }
  if ('ms' in at) replay.advanceTo(at.ms, sink)
  else replay.advanceToRecord(at.date, at.record, sink)
  return mark
}

/** The days of a market from which single records are read. */
export class Days {
  readonly #store: Store
  readonly #market: Pick<PartitionKey, 'venue' | 'market'>
  readonly #days = new Map<string, DayBlocks>()

  constructor(store: Store, { venue, market }: Pick<PartitionKey, 'venue' | 'market'>) {
    this.#store = store
    this.#market = { venue, market }
  }

  add(date: string, head: PartitionHead): DayBlocks {
    const day = new DayBlocks(this.#store, { ...this.#market, date }, head)
    this.#days.set(date, day)
    return day
  }

  /** Returns the last stored day on or before a date. */
  async lastUntil(date: string): Promise<StoredDay | undefined> {
    const key = { ...this.#market, date }
    const head = this.#days.get(date)?.head ?? (await this.#store.catalogue.head(key))
    return head === undefined ? this.before(date) : { date, head }
  }

  /** Returns the last stored day before a date. */
  before(date: string): Promise<StoredDay | undefined> {
    return this.#store.catalogue.neighbour({ ...this.#market, date }, 'before')
  }

  /** Returns a day. Rejects with DataError('block_corrupt') if it is not stored. */
  async at(date: string): Promise<DayBlocks> {
    const known = this.#days.get(date)
    if (known !== undefined) return known
    const key = { ...this.#market, date }
    const head = await this.#store.catalogue.head(key)
    if (head === undefined) throw new PartGone(key, 'head')
    return this.add(date, head)
  }
}

/** Returns the trust of the book, or `doubtful` if evidence is against it. Takes the evidence of the last stored date
 *  and, if that date has none before the instant, of the stored date before it. If neither has any, takes the evidence
 *  of the date of the book's last change. */
async function trustAtMs(
  days: FoundBook['days'],
  id: string,
  { book, mark: { change } }: Pick<FoundBook, 'book' | 'mark'>,
  timeMs: number,
): Promise<BookAt['trust']> {
  if (change === null || book.trust === 'lost') return book.trust
  const last = await days.lastUntil(utcDate(timeMs))
  const stored = last === undefined ? [] : [last]
  let steps = trustSteps(stored, id)
  if (trustAt(steps, timeMs) !== undefined) return shownTrust(book.trust, steps, timeMs)
  const before = last && (await days.before(last.date))
  if (before !== undefined) steps = trustSteps([before, ...stored], id)
  if (trustAt(steps, timeMs) !== undefined) return shownTrust(book.trust, steps, timeMs)
  const date = utcDate(change.timeMs)
  const { head } = await days.at(date)
  return shownTrust(book.trust, trustSteps([{ date, head }], id), timeMs)
}

/** Returns the event time of the record at a place. The record may be of any book. */
async function timeOf(days: FoundBook['days'], { date, record }: { date: string; record: number }): Promise<number> {
  const day = await days.at(date)
  const { records, firstRecord } = await day.block(day.indexOf(record))
  return records.timesMs[Math.min(record - firstRecord, records.recordCount - 1)]!
}

/** Returns the best levels of a side, including the venue's best price with size 0 if no size was observed there. */
function levelsOf(book: OrderBook, side: Side, depth: number): Level[] {
  const levels = book.levels(side)
  const unobserved = book.unobservedBest(side)
  if (unobserved >= 0) levels.unshift([unobserved, 0])
  return levels
    .slice(0, depth)
    .map(([height, size]) => [(side === BID ? height : MICROS - height) / MICROS, size / MICROS])
}
