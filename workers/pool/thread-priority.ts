// Lowers the priority of answering threads below the server's own thread, which every request passes. Otherwise a
// short request would wait for the time slices of other answers if all processors are busy.

import { setPriority } from 'node:os'

/** Priority on the `nice` scale. The server's thread has three times the weight. */
export const NICE = 5

/** Lowers the priority of the calling thread. Does nothing except on Linux: elsewhere a priority applies to the whole
 *  process. */
export function lowerPriority(): void {
  if (process.platform !== 'linux') return
  try {
    setPriority(0, NICE)
  } catch {
    // A sandbox may forbid the call. Then the priority stays unchanged, and the answers are the same.
  }
}
