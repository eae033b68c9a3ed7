// Threads that answer go behind the server's own thread, which every request passes: where all processors are busy with
// answers, a short one would wait for the time slices of these.

import { setPriority } from 'node:os'

/** Of the scale of `nice`. The server's thread has three times the weight. */
export const NICE = 5

/** Of the thread that calls it. On Linux alone a priority is one of a thread; elsewhere it is left as it is. */
export function goBehindTheServer(): void {
  if (process.platform !== 'linux') return
  try {
    setPriority(0, NICE)
  } catch {
    // A sandbox may forbid it. Answers are the same.
  }
}
