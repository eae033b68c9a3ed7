// The player: one clock, which is the view's instant. Playing moves it with the time that passes, times a speed.

import { signal } from '@preact/signals'
import { type Coverage, coverage } from '../data/answers.ts'
import { BLOCK_RECORDS } from '../data/change-block.ts'
import { changeBlock } from '../data/change-blocks.ts'
import { dayTrades } from '../data/day-trades.ts'
import { adjust, pass, view } from '../state/address.ts'
import type { Span } from '../state/shown.ts'
import { dateText } from '../state/time-text.ts'
import type { MarketView, Stretch } from '../state/view.ts'
import type { Replay } from './replay.ts'
import { neighbourId, neighbourOf, prefetch, replayed, targetOf } from './replayed.ts'

export const SPEEDS = [0.25, 0.5, 1, 2, 5, 10, 25, 50, 100, 250, 500, 1_000] as const

export const isPlaying = signal(false)
export const speed = signal<number>(1)
export const skipsSilence = signal(false)
/** Whether the clock stands still until what comes next is there. */
export const isWaiting = signal(false)

const SILENCE_MS = 2_000
/** A page that was in the background does not leap. */
const FRAME_MAX_MS = 250
/** At most a block a second. */
const ROWS_PER_MS = BLOCK_RECORDS / 1_000

/** Where the clock is between the milliseconds that the view has. */
let clock: { ms: number; viewMs: number | null } = { ms: 0, viewMs: null }
let frame = 0

/** From where the cursor is, or from the beginning of what is shown. */
export function play(span: Span): void {
  const shown = view.peek()
  if (shown.page !== 'market' || isPlaying.peek()) return
  if (shown.atMs === null) adjust({ atMs: span.fromMs, record: null })
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
  // Nothing is changed but the address, which is not written while the clock runs.
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
  const endMs = dates.at(-1)?.last_timestamp ?? clock.ms
  const ms = Math.min(nextClock(shown, replay, dates, passedMs), Math.max(endMs, clock.ms))
  const viewMs = Math.floor(ms)
  if (viewMs !== shown.atMs && !isThere(shown, replay, dates, viewMs)) {
    isWaiting.value = true
    return
  }
  clock = { ms, viewMs }
  prefetch(shown.book, dates, replay, 1)
  dayTrades(shown.book, dateText(viewMs, 'UTC'))
  if (viewMs !== shown.atMs) pass({ atMs: viewMs, record: null, ...following(shown, viewMs) })
  if (ms >= endMs) pause()
}

function nextClock({ book }: MarketView, replay: Replay, dates: Coverage['dates'], passedMs: number): number {
  const ms = clock.ms + passedMs * speed.peek()
  const nextMs = replay.nextMs(neighbourOf(book, dates))
  if (skipsSilence.peek() && typeof nextMs === 'number' && nextMs - clock.ms > SILENCE_MS) return Math.max(ms, nextMs)
  return Math.min(ms, Math.max(clock.ms, replay.msAfter(Math.ceil(passedMs * ROWS_PER_MS)) ?? ms))
}

/** Moves the replay, or asks for the block that is missing. */
function isThere({ book }: MarketView, replay: Replay, dates: Coverage['dates'], ms: number): boolean {
  if (replay.moveTo({ ms }, neighbourOf(book, dates)) === 'there') return true
  const id = neighbourId(dates, replay.block, 1)
  if (id !== undefined) changeBlock(book, id)
  return false
}

/** Where the cursor comes to when what is shown is moved on, of its length. */
const PLACE = 0.15

/** What is shown is moved on when the clock leaves it. */
export function following({ fromMs, toMs }: Stretch, atMs: number): Partial<Stretch> {
  if (fromMs === null || toMs === null || (atMs >= fromMs && atMs <= toMs)) return {}
  const spanMs = toMs - fromMs
  const start = Math.round(atMs - spanMs * (atMs > toMs ? PLACE : 1 - PLACE))
  return { fromMs: start, toMs: start + spanMs }
}
