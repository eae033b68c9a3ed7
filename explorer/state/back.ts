// Undo for gestures: restores the time and prices shown before a zoom, drag or move. One continuous gesture is one
// step.

import { signal } from '@preact/signals'
import { adjust, view } from './address.ts'
import { printBook, type Stretch } from './view.ts'

type Shown = Pick<Stretch, 'fromMs' | 'toMs' | 'prices'>
/** `of` names the market or pair. */
type Step = Shown & { of: string }

const STEPS_MAX = 50
/** Changes less than this apart belong to one gesture. */
const GESTURE_MS = 700
/** A second click within this time makes a double click. */
const DOUBLE_MS = 500

const steps = signal<readonly Step[]>([])
let changedMs = -Infinity

/** Returns a name for the visible market or pair; null on a page without a chart. */
function nameNow(): string | null {
  const now = view.value
  if (now.page === 'market') return printBook(now.book)
  return now.page === 'compare' ? JSON.stringify([now.first, now.second]) : null
}

/** Changes the visible time and prices, and stores the previous ones for undo. */
export function reshape(change: Partial<Stretch>): void {
  const [now, of] = [view.peek(), nameNow()]
  const isNew = performance.now() - changedMs > GESTURE_MS
  changedMs = performance.now()
  if (isNew && of !== null && (now.page === 'market' || now.page === 'compare')) {
    const { fromMs, toMs, prices } = now
    steps.value = [...steps.peek().slice(1 - STEPS_MAX), { of, fromMs, toMs, prices }]
  }
  adjust(change)
}

/** Returns whether there is a step to undo. Reads signals. */
export const canGoBack = (): boolean => steps.value.at(-1)?.of === nameNow()

export function goBack(): void {
  const last = steps.peek().at(-1)
  if (last === undefined || !canGoBack()) return
  const { fromMs, toMs, prices } = last
  steps.value = steps.peek().slice(0, -1)
  changedMs = -Infinity
  adjust({ fromMs, toMs, prices })
}

let clickedMs = -Infinity
let cursor: Pick<Stretch, 'atMs' | 'record'> = { atMs: null, record: null }

export function clickAt(ms: number): void {
  const now = view.peek()
  if (performance.now() - clickedMs > DOUBLE_MS && 'atMs' in now) cursor = { atMs: now.atMs, record: now.record }
  clickedMs = performance.now()
  adjust({ atMs: ms, record: null })
}

/** Shows the day, and moves the cursor back to its position before the first of the two clicks. */
export function doubleClick(): void {
  changedMs = -Infinity
  reshape({ fromMs: null, toMs: null, prices: null, ...cursor })
}
