// Steps the cursor to the next or previous message, best-price change or trade.

import { signal } from '@preact/signals'
import { type Coverage, coverage } from '../data/answers.ts'
import { countTradesAt, tradeAt } from '../data/columns/trade-columns.ts'
import { changeBlock } from '../data/replay/change-blocks.ts'
import { dayTrades } from '../data/replay/day-trades.ts'
import { hasRaw, isOf, PAGE_RECORDS, type RawRecord, rawPage } from '../data/replay/raw-pages.ts'
import { settled } from '../data/replay/settled.ts'
import { adjust, view } from '../state/address.ts'
import type { Span } from '../state/shown.ts'
import { dateText } from '../state/time-text.ts'
import type { BookId, MarketView } from '../state/view.ts'
import { following, isWaiting, pause } from './player.ts'
import { factsAt, neighbourId, neighbourOf, replayed, targetOf } from './replayed.ts'
import { restingMs } from './resting-place.ts'

export type StepBy = 'message' | 'quote' | 'trade'
type Direction = 1 | -1
/** A record number and its instant. */
type Place = { ms: number; record: number }
/** `record` is null for a trade borrowed from an archive, whose records the date does not show. */
type Found = { ms: number; record: number | null }
type From = { book: BookId; atMs: number; record: number | null; dates: Coverage['dates'] }

/** Text for the reader if a step found nothing. */
export const notice = signal('')

/** True during a step, so that a key held down does not queue up more steps. */
let isStepping = false

/** Moves the cursor to the next or previous record of the given kind. Shows a notice if there is none. */
export async function step(by: StepBy, direction: Direction, span: Span): Promise<void> {
  const shown = view.peek()
  if (shown.page !== 'market' || isStepping) return
  pause()
  const dates = coverage(shown.book).value?.dates
  if (dates === undefined) return
  isStepping = true
  notice.value = ''
  // The ladder shows the last trade at each place, so load the date's trades.
  dayTrades(shown.book, dateText(shown.atMs ?? span.fromMs, 'UTC'))
  const late = setTimeout(() => {
    isWaiting.value = true
  }, LATE_MS)
  try {
    const start = direction === 1 ? span.fromMs : (restingMs.peek() ?? span.toMs)
    const from = { book: shown.book, atMs: shown.atMs ?? start, record: shown.record, dates }
    const found = await FINDERS[by](from, direction)
    if (found === null) say(`no ${by} ${direction === 1 ? 'after' : 'before'} this`)
    else if (isStill(shown)) {
      adjust({ atMs: found.ms, record: found.record, ...following(shown, found.ms) })
    }
  } finally {
    isStepping = false
    clearTimeout(late)
    isWaiting.value = false
  }
}

const LATE_MS = 100
const NOTICE_MS = 4_000

function say(text: string): void {
  notice.value = text
  setTimeout(() => {
    if (notice.peek() === text) notice.value = ''
  }, NOTICE_MS)
}

/** Returns whether the view is unchanged since the step began. If the view has changed, the step must not move the
 *  cursor. */
function isStill(shown: MarketView): boolean {
  const now = view.peek()
  return now.page === 'market' && now.book === shown.book && now.atMs === shown.atMs && now.record === shown.record
}

const FINDERS: Record<StepBy, (from: From, direction: Direction) => Promise<Found | null>> = {
  quote: (from, direction) => nextChange(from, 'quote', direction),
  message: nextMessage,
  trade: nextTrade,
}

async function nextChange(from: From, what: 'quote' | 'change', direction: Direction): Promise<Place | null> {
  const { book, atMs, record, dates } = from
  const replay = await settled(() => {
    const { replay: value, failure } = replayed(book, targetOf(from)!)
    return { value, failure, isOld: value !== null && changeBlock(book, value.block).isOld === true }
  })
  if (replay === null) return null
  const last = replay.lastChanges()
  const here = record ?? (last?.ms === atMs ? last.record : null)
  const current = here === null ? null : { date: dateText(atMs, 'UTC'), record: here }
  for (;;) {
    const found = replay.step(direction, what, current, neighbourOf(book, dates))
    if (typeof found !== 'string') return found
    const id = found === 'none' ? undefined : neighbourId(dates, replay.block, direction)
    if (id === undefined || (await settled(() => changeBlock(book, id))) === null) return null
  }
}

/** Resolves to the last record of the book at or before the cursor, with its time and date; null if there is none. */
async function hereOf(from: From): Promise<(Place & { date: string }) | null> {
  const { book, atMs, record } = from
  if (record !== null) return { ms: atMs, record, date: dateText(atMs, 'UTC') }
  const there = await settled(() => factsAt(book, targetOf(from)!))
  if (there === null || there.record === null || there.date === null || there.as_of === null) return null
  return { ms: there.as_of, record: there.record, date: there.date }
}

async function nextMessage(from: From, direction: Direction): Promise<Place | null> {
  const { book, atMs, dates } = from
  const here = await hereOf(from)
  // Backwards from between two records, the previous record is the last one before the cursor.
  if (direction === -1 && here !== null && from.record === null && here.ms < atMs) return here
  let date = here?.date ?? dates[0]?.date
  let index = Math.floor((here?.record ?? 0) / PAGE_RECORDS)
  const isNext = (each: RawRecord) =>
    isOf(book, each) && (here === null || date !== here.date || direction * (each.record - here.record) > 0)
  while (date !== undefined) {
    const count = dates.find((each) => each.date === date)?.record_count ?? 0
    if (index >= 0 && index * PAGE_RECORDS < count) {
      const [theDate, theIndex] = [date, index]
      // Where raw records are unavailable, step to the next record that changes a level.
      const page = hasRaw(book, date) ? await settled(() => rawPage(book, theDate, theIndex)) : null
      if (page === null) return nextChange(from, 'change', direction)
      const found = direction === 1 ? page.records.find(isNext) : page.records.findLast(isNext)
      if (found !== undefined) return found
      index += direction
    } else {
      date = neighbourDate(dates, date, direction)
      index =
        direction === 1
          ? 0
          : Math.ceil((dates.find((each) => each.date === date)?.record_count ?? 0) / PAGE_RECORDS) - 1
    }
  }
  return null
}

async function nextTrade({ book, atMs, record, dates }: From, direction: Direction): Promise<Found | null> {
  const today = dateText(atMs, 'UTC')
  const stored = dates.some(({ date }) => date === today)
  for (let date = stored ? today : neighbourDate(dates, today, direction); date !== undefined; ) {
    const theDate = date
    const trades = await settled(() => dayTrades(book, theDate))
    if (trades === null) return null
    let row = direction === 1 ? 0 : trades.record.length - 1
    if (date === today) {
      // Count the trades up to the previous record; if the cursor has no record, up to the previous millisecond.
      const before = record === null ? { atMs: atMs - 1, record } : { atMs, record: record - 1 }
      row = direction === 1 ? countTradesAt(trades, { atMs, record }) : countTradesAt(trades, before) - 1
    }
    if (row >= 0 && row < trades.record.length) return tradeAt(trades, row)
    date = neighbourDate(dates, date, direction)!
  }
  return null
}

const neighbourDate = (dates: Coverage['dates'], date: string, direction: Direction): string | undefined =>
  direction === 1 ? dates.find((each) => each.date > date)?.date : dates.findLast((each) => each.date < date)?.date
