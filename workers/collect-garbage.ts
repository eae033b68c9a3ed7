// Memory that is let go in large pieces (buffers, columns) is given back late: the runtime looks at how many objects
// there are before it looks at their size. So who lets go of much asks for a collection when the process is large.

/** What a server may be resident with before its threads collect. */
export const ANSWERING_BYTES_MAX = 192 * 2 ** 20

/** Collecting takes as long as there is to look through, so it may take a fifth of the time and no more. */
const TIME_SHARE = 5
/** Asking for the resident memory takes about half a millisecond. */
const LOOK_EVERY_MS = 25

let nextMs = 0

/** Of this thread's heap, if the process is resident with more than `residentMax` bytes. */
export function collectGarbage(residentMax: number): void {
  const startMs = performance.now()
  if (startMs < nextMs) return
  nextMs = startMs + LOOK_EVERY_MS
  if (process.memoryUsage.rss() <= residentMax) return
  Bun.gc(true)
  const endMs = performance.now()
  nextMs = endMs + TIME_SHARE * (endMs - startMs)
}
