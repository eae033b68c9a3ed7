// Asks something of a store that may fail for a moment: up to three times, each within its time, and all of it within
// theirs. Between tries it waits a random time that grows, so that many clients do not come back at once, or as long as
// the store asked for.

import type { Turns } from './turns.ts'

export type Clock = {
  /** Unix ms. */
  wallMs(): number
  /** Never steps: for what has to end in time. */
  steadyMs(): number
  /** Returns what stops the timer. */
  timer(delayMs: number, ring: () => void): () => void
}

export const systemClock: Clock = {
  wallMs: () => Date.now(),
  steadyMs: () => performance.now(),
  timer: (delayMs, ring) => {
    const timer = setTimeout(ring, delayMs)
    return () => clearTimeout(timer)
  },
}

/** A failure that asking again may mend. Its message is a reason, such as "the connection was refused". */
export class TransientFailure extends Error {
  /** As the store said; 0 where it did not. */
  readonly retryAfterMs: number

  constructor(reason: string, retryAfterMs = 0) {
    super(reason)
    this.retryAfterMs = retryAfterMs
  }
}

export const TRIES_MAX = 3
/** Before the second try; four times that before the third. */
const BACKOFF_MS = 100

type TryLimits = { timeoutMs: number; turns: Turns; clock: Clock; random: () => number }

/** Rejects with the last TransientFailure, or at once with any other error. Never takes longer than three times
 *  `timeoutMs`, with the wait for a turn; a try alone takes no longer than `timeoutMs`, and its signal aborts then. */
export async function withTries<T>(attempt: (signal: AbortSignal) => Promise<T>, limits: TryLimits): Promise<T> {
  const { timeoutMs, turns, clock, random } = limits
  const endMs = clock.steadyMs() + TRIES_MAX * timeoutMs
  const leftMs = () => endMs - clock.steadyMs()

  const once = async () => {
    const wait = (signal: AbortSignal) => turns.take(signal)
    const endTurn = turns.takeNow() ?? (await inTime(wait, leftMs(), 'too many others are under way, no turn', clock))
    try {
      return await inTime(attempt, Math.min(timeoutMs, leftMs()), 'no whole answer', clock)
    } finally {
      endTurn()
    }
  }

  for (let tries = 1; ; tries++) {
    try {
      return await once()
    } catch (error) {
      if (!(error instanceof TransientFailure) || tries === TRIES_MAX) throw error
      const backoffMs = BACKOFF_MS * 4 ** (tries - 1) * (0.5 + random())
      const waitMs = Math.max(backoffMs, error.retryAfterMs)
      if (waitMs >= leftMs()) throw error
      await new Promise<void>((resolve) => clock.timer(waitMs, resolve))
    }
  }
}

/** Whatever `task` does with its signal, this ends when the time is over. */
async function inTime<T>(task: (signal: AbortSignal) => Promise<T>, timeMs: number, what: string, clock: Clock) {
  const abort = new AbortController()
  const late = Promise.withResolvers<never>()
  const stop = clock.timer(timeMs, () => {
    late.reject(new TransientFailure(`${what} within ${Math.ceil(timeMs) / 1_000} s`))
    abort.abort()
  })
  try {
    return await Promise.race([task(abort.signal), late.promise])
  } finally {
    stop()
  }
}
