// Frees large pieces of memory (buffers, columns) in time. The runtime considers the number of objects before their
// size, so it frees large pieces late. Code that releases much memory therefore requests a collection if the process is
// large.

import { setTimeout as sleep } from 'node:timers/promises'

export type MemoryLimit = {
  /** Resident bytes of the process above which a thread collects. */
  residentBytes: number
  /** Pause after a collection, as a multiple of the time that the collection took: the larger the heap, the longer a
   *  collection takes. */
  timeShare: number
  /** Bytes by which the process must have grown above its smallest size since the last collection. If it has grown by
   *  several times as much, `timeShare` does not apply. */
  growthBytes?: number
}

/** For threads that answer requests. */
export const ANSWERING: MemoryLimit = { residentBytes: 144 * 2 ** 20, timeShare: 3 }

/** For threads after each long answer. Below this limit, it is enough to collect after some of the answers, because a
 *  collection takes as long as computing a day in buckets of 1 s. */
export const PRESSED: MemoryLimit = { residentBytes: 288 * 2 ** 20, timeShare: 3 }

/** For loading, whose garbage is mostly used columns. */
export const LOADING: MemoryLimit = { residentBytes: 256 << 20, timeShare: 4, growthBytes: 32 << 20 }

/** Reading the resident memory takes about half a millisecond. */
const CHECK_EVERY_MS = 25

/** Multiple of `growthBytes` that justifies an early collection: memory cannot wait when other processes slow
 *  collections down. */
const GROWTHS = 3

let nextMs = 0
let nextCheckMs = 0
/** The lowest number of resident bytes that was read since the last collection ended. */
let settledBytes = 0
let isScheduled = false
let undisturbed = 0

/** Released bytes that are worth a collection. */
const COLLECT_AFTER_BYTES = 32 * 2 ** 20
let releasedBytes = 0

/** Counts memory that this thread releases in small pieces. Collects when the sum reaches COLLECT_AFTER_BYTES. */
export function countReleased(bytes: number, limit: MemoryLimit): void {
  releasedBytes += bytes
  if (releasedBytes < COLLECT_AFTER_BYTES) return
  releasedBytes = 0
  collectGarbage(limit)
}

/** Collects this thread's heap if the process is above the limit: now, or as soon as the time share allows. */
export function collectGarbage(limit: MemoryLimit): void {
  const startMs = performance.now()
  const isEarly = startMs < nextMs
  const { growthBytes } = limit
  if (isEarly && !isScheduled) {
    setTimeout(collectLater, nextMs - startMs, limit).unref()
    isScheduled = true
  }
  if (startMs < nextCheckMs || (isEarly && growthBytes === undefined)) return
  nextCheckMs = startMs + CHECK_EVERY_MS
  nextMs = Math.max(nextMs, nextCheckMs)
  const residentBytes = process.memoryUsage.rss()
  settledBytes = Math.min(settledBytes, residentBytes)
  const grownMin = (growthBytes ?? 0) * (isEarly ? GROWTHS : 1)
  if (residentBytes <= limit.residentBytes || residentBytes - settledBytes < grownMin) return
  Bun.gc(true)
  settledBytes = process.memoryUsage.rss()
  const endMs = performance.now()
  nextMs = endMs + limit.timeShare * (endMs - startMs)
}

const COLLECT_EVERY_MS = 60_000

/** Collects this thread's heap each minute from now on. For threads that run for days: the runtime alone lets the
 *  memory of a recorder rise by 30 to 80 MB an hour, although its live objects take the same 70 MB. */
export function collectEachMinute(): void {
  setInterval(() => Bun.gc(true), COLLECT_EVERY_MS).unref()
}

const PAUSE_EVERY_MS = 100
const PAUSE_MS = 2
let nextPauseMs = 0

/** Waits briefly, a few times a second. Some collected memory is freed only while the event loop waits, which it
 *  never does during long work. Long work must await this function between its steps. */
export async function pause(): Promise<void> {
  if (performance.now() < nextPauseMs) return
  await sleep(PAUSE_MS)
  nextPauseMs = performance.now() + PAUSE_EVERY_MS
}

/** Runs `work` without delayed collections between its steps, because other work may wait for `work` to end. */
export async function withoutCollecting<T>(work: () => Promise<T>): Promise<T> {
  undisturbed++
  try {
    return await work()
  } finally {
    undisturbed--
  }
}

// Retries a delayed collection. A timer calls this function, because the thread that freed memory last may stay idle
// for a long time.
function collectLater(limit: MemoryLimit): void {
  if (undisturbed > 0) {
    setTimeout(collectLater, CHECK_EVERY_MS, limit).unref()
    return
  }
  isScheduled = false
  collectGarbage(limit)
}
