// Memory that is let go in large pieces (buffers, columns) is given back late: the runtime looks at how many objects
// there are before it looks at their size. So who lets go of much asks for a collection when the process is large.

import { setTimeout as sleep } from 'node:timers/promises'

export type MemoryLimit = {
  /** What the process may be resident with before a thread of it collects. */
  residentBytes: number
  /** Collecting takes as long as there is to look through: it may take one part in so many of the time. */
  timeShare: number
  /** By how much the process has to have grown since the collection before, or since it was smaller. Time does not
   *  count where it has grown by several times that. */
  growthBytes?: number
}

/** Of the threads that answer requests. */
export const ANSWERING: MemoryLimit = { residentBytes: 144 * 2 ** 20, timeShare: 3 }

/** Of those after each long answer: below it, it is enough to collect after some of them. A collection takes as long as
 *  a day at 1 s. */
export const PRESSED: MemoryLimit = { residentBytes: 288 * 2 ** 20, timeShare: 3 }

/** Of what loads: its garbage is mostly spent columns. */
export const LOADING: MemoryLimit = { residentBytes: 256 << 20, timeShare: 4, growthBytes: 32 << 20 }

/** Asking for the resident memory takes about half a millisecond. */
const LOOK_EVERY_MS = 25

/** A collection takes long where others have the processors, but memory does not wait. */
const GROWTHS = 3

let nextMs = 0
let nextLookMs = 0
/** Resident bytes after the collection before, or fewer. */
let settledBytes = 0
let isAskedLater = false
let undisturbed = 0

/** Letting go of as much is worth a collection. */
const LET_GO_BYTES = 32 * 2 ** 20
let letGoBytes = 0

/** Adds up what this thread lets go of in pieces that are too small to collect after each. */
export function letGo(bytes: number, limit: MemoryLimit): void {
  letGoBytes += bytes
  if (letGoBytes < LET_GO_BYTES) return
  letGoBytes = 0
  collectGarbage(limit)
}

/** Of this thread's heap, if the process is beyond the limit: now, or, when that was done a moment ago, as soon as it
 *  may be again. */
export function collectGarbage(limit: MemoryLimit): void {
  const startMs = performance.now()
  const isEarly = startMs < nextMs
  const { growthBytes } = limit
  if (isEarly && !isAskedLater) {
    setTimeout(collectLater, nextMs - startMs, limit).unref()
    isAskedLater = true
  }
  if (startMs < nextLookMs || (isEarly && growthBytes === undefined)) return
  nextLookMs = startMs + LOOK_EVERY_MS
  nextMs = Math.max(nextMs, nextLookMs)
  const residentBytes = process.memoryUsage.rss()
  settledBytes = Math.min(settledBytes, residentBytes)
  const grownMin = (growthBytes ?? 0) * (isEarly ? GROWTHS : 1)
  if (residentBytes <= limit.residentBytes || residentBytes - settledBytes < grownMin) return
  Bun.gc(true)
  settledBytes = process.memoryUsage.rss()
  const endMs = performance.now()
  nextMs = endMs + limit.timeShare * (endMs - startMs)
}

const PAUSE_EVERY_MS = 100
const PAUSE_MS = 2
let nextPauseMs = 0

/** Some of what is collected is freed only when the event loop waits for something, which it never does while one step
 *  of a long work follows the other. To be awaited between the steps: it waits for a moment a few times a second. */
export async function pause(): Promise<void> {
  if (performance.now() < nextPauseMs) return
  await sleep(PAUSE_MS)
  nextPauseMs = performance.now() + PAUSE_EVERY_MS
}

/** Until the work ends, nothing is collected between its steps: others may wait for it. */
export async function withoutCollecting<T>(work: () => Promise<T>): Promise<T> {
  undisturbed++
  try {
    return await work()
  } finally {
    undisturbed--
  }
}

// Who let go of memory last may have nothing to do for a long time.
function collectLater(limit: MemoryLimit): void {
  if (undisturbed > 0) {
    setTimeout(collectLater, LOOK_EVERY_MS, limit).unref()
    return
  }
  isAskedLater = false
  collectGarbage(limit)
}
