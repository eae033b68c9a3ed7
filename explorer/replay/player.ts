// The player. Its clock is the view's instant; playing moves it by the elapsed time multiplied by the speed.

import { signal } from '@preact/signals'
import { type Coverage, coverage } from '../data/answers.ts'
import { BLOCK_RECORDS } from '../data/replay/change-block.ts'
import { changeBlock } from '../data/replay/change-blocks.ts'
import { dayTrades } from '../data/replay/day-trades.ts'
import { adjust, pass, view } from '../state/address.ts'
import type { Span } from '../state/shown.ts'
import { dateText } from '../state/time-text.ts'
import type { BookId, Stretch } from '../state/view.ts'
import type { Replay } from './replay.ts'
import { neighbourId, neighbourOf, prefetch, replayed, targetOf } from './replayed.ts'

export const SPEEDS = [0.25, 0.5, 1, 2, 5, 10, 25, 50, 100, 250, 500, 1_000] as const

export const isPlaying = signal(false)
export const speed = signal<number>(1)
export const skipsSilence = signal(false)
/** The direction in which the clock runs. */
export const direction = signal<1 | -1>(1)
/** Whether the clock waits for the next block to load. */
export const isWaiting = signal(false)

const SILENCE_MS = 2_000
/** Longest step of the clock in one frame. Limits the step after the page was in the background. */
const FRAME_MAX_MS = 250
/** Limits playback to a block per second. */
const ROWS_PER_MS = BLOCK_RECORDS / 1_000

/** The clock's position, more precise than the view's whole milliseconds. */
let clock: { ms: number; viewMs: number | null } = { ms: 0, viewMs: null }
let frame = 0

/** Plays from the cursor, or from the start of the visible span. */
export function play(span: Span): void {
  const shown = view.peek()
  if (shown.page !== 'market' || isPlaying.peek()) return
  const [way, dates] = [direction.peek(), coverage(shown.book).value?.dates ?? []]
  const endMs = endOf(dates, way) ?? span.toMs
  // At the end, start again.
  if (shown.atMs === null || (shown.atMs - endMs) * way >= 0) {
    // Backwards, start from the end of the visible span, unless it is hidden.
    adjust({ atMs: way === 1 || shown.hidesFuture ? span.fromMs : span.toMs, record: null })
  }
  isPlaying.value = true
  let last = performance.now()
  const tick = (now: number) => {
    const passedMs = Math.min(FRAME_MAX_MS, Math.max(0, now - last))
    last = now
    frame = requestAnimationFrame(tick)
    advance(passedMs)
  }
  frame = requestAnimationFrame(tick)
}

export function pause(): void {
  if (!isPlaying.peek()) return
  cancelAnimationFrame(frame)
  isPlaying.value = false
  isWaiting.value = false
  const shown = view.peek()
  // Write the address now, because playing does not write it.
  if (shown.page === 'market') adjust({ atMs: shown.atMs })
}

function advance(passedMs: number): void {
  const shown = view.peek()
  if (shown.page !== 'market' || shown.atMs === null) return pause()
  const dates = coverage(shown.book).value?.dates
  const { replay, failure } = replayed(shown.book, targetOf(shown)!)
  if (failure !== null) return pause()
  isWaiting.value = replay === null
  if (replay === null || dates === undefined) return
  if (clock.viewMs !== shown.atMs) clock = { ms: shown.atMs, viewMs: shown.atMs }
  const way = direction.peek()
  const endMs = endOf(dates, way) ?? clock.ms
  const isOver = (ms: number) => (ms - endMs) * way >= 0
  const next = nextClock(shown.book, replay, dates, passedMs)
  const ms = isOver(clock.ms) ? clock.ms : isOver(next) ? endMs : next
  const viewMs = Math.floor(ms)
  if (viewMs !== shown.atMs && !isThere(shown.book, replay, dates, viewMs)) {
    isWaiting.value = isPlaying.peek()
    return
  }
  clock = { ms, viewMs }
  prefetch(shown.book, dates, replay, way)
  dayTrades(shown.book, dateText(viewMs, 'UTC'))
  if (viewMs !== shown.atMs) pass({ atMs: viewMs, record: null, ...following(shown, viewMs) })
  if (isOver(ms)) pause()
}

/** Returns the instant at which playing ends; undefined if nothing is stored. */
const endOf = (dates: Coverage['dates'], way: 1 | -1): number | undefined =>
  way === 1 ? dates.at(-1)?.last_timestamp : dates[0] && dates[0].first_timestamp - 1

function nextClock(book: BookId, replay: Replay, dates: Coverage['dates'], passedMs: number): number {
  const way = direction.peek()
  const ms = clock.ms + way * passedMs * speed.peek()
  const nextMs = replay.nextMs(way, neighbourOf(book, dates))
  const later = (a: number, b: number) => (way === 1 ? Math.max(a, b) : Math.min(a, b))
  const sooner = (a: number, b: number) => (way === 1 ? Math.min(a, b) : Math.max(a, b))
  if (skipsSilence.peek() && typeof nextMs === 'number' && (nextMs - clock.ms) * way > SILENCE_MS) {
    // Backwards, stop just before the instant of the last change, so that the change is undone.
    return later(ms, way === 1 ? nextMs : nextMs - 1)
  }
  const most = replay.msAfter(way * Math.ceil(passedMs * ROWS_PER_MS))
  return most === undefined ? ms : sooner(ms, later(clock.ms + way, most))
}

/** Moves the replay and returns true. If a block is missing, requests the block and returns false. */
function isThere(book: BookId, replay: Replay, dates: Coverage['dates'], ms: number): boolean {
  if (replay.moveTo({ ms }, neighbourOf(book, dates)) === 'there') return true
  const id = neighbourId(dates, replay.block, direction.peek())
  if (id !== undefined && changeBlock(book, id).failure !== null) pause()
  return false
}

/** The cursor's position in the visible span after the span has moved, as a share of the span's length. */
const PLACE = 0.15

/** Returns a moved span if the clock has left the visible one, otherwise an empty object. */
export function following({ fromMs, toMs }: Stretch, atMs: number): Partial<Stretch> {
  if (fromMs === null || toMs === null || (atMs >= fromMs && atMs <= toMs)) return {}
  const spanMs = toMs - fromMs
  const start = Math.round(atMs - spanMs * (atMs > toMs ? PLACE : 1 - PLACE))
  return { fromMs: start, toMs: start + spanMs }
}
