// The only retry loop of the program. Timers and random numbers can be passed in.

import { sleep, type Timers } from './timers.ts'

/** A failure that another attempt may resolve. Its message is a reason, such as "the connection was refused". */
export class TransientFailure extends Error {
  /** The wait that the other side requested, ms; 0 if none. */
  readonly retryAfterMs: number

  constructor(reason: string, retryAfterMs = 0) {
    super(reason)
    this.retryAfterMs = retryAfterMs
  }
}

export type Retry = {
  /** Attempts in all, including the first. Unlimited by default. */
  attempts?: number
  /** Whether another attempt may help; by default only after a TransientFailure. */
  isPassing?: (error: unknown) => boolean
  /** The wait after this many failures, ms. `error` is the last failure. No wait by default. */
  waitMs?: (failures: number, error: unknown) => number
  /** Called before the wait, if there will be another attempt. */
  onRetry?: (error: unknown) => void
  /** The time left, ms. A wait that would last as long or longer is not started: the error is thrown. */
  leftMs?: () => number
  timers?: Timers | undefined
  /** Ends the attempts. A wait that it interrupts rejects with the signal's reason. */
  signal?: AbortSignal | undefined
}

/** Runs `attempt` until it succeeds. Rejects with the error of the last attempt. */
export async function withRetry<T>(attempt: () => Promise<T>, retry: Retry): Promise<T> {
  const { attempts = Number.POSITIVE_INFINITY, isPassing = isTransient, timers, signal } = retry
  for (let failures = 1; ; failures++) {
    try {
      return await attempt()
    } catch (error) {
      if (failures >= attempts || signal?.aborted || !isPassing(error)) throw error
      const ms = retry.waitMs?.(failures, error) ?? 0
      if (retry.leftMs !== undefined && ms >= retry.leftMs()) throw error
      retry.onRetry?.(error)
      if (ms > 0) await sleep(ms, timers, signal)
    }
  }
}

type Steps = { firstMs: number; factor?: number; maxMs?: number; random?: () => number }

/** Returns a function that computes waits. A wait is a random time between half a step and a whole step, so that many
 *  clients do not return at once. If the other side requested a longer wait, returns that wait. The first step is
 *  `firstMs`, each next step is `factor` times as long. */
export function backoff({ firstMs, factor = 2, maxMs = Number.POSITIVE_INFINITY, random = Math.random }: Steps) {
  return (failures: number, error?: unknown): number => {
    const stepMs = Math.min(maxMs, firstMs * factor ** (failures - 1))
    const requestedMs = (error as { retryAfterMs?: number } | undefined)?.retryAfterMs ?? 0
    return Math.max(stepMs * (0.5 + random() / 2), requestedMs)
  }
}

const isTransient = (error: unknown): boolean => error instanceof TransientFailure
