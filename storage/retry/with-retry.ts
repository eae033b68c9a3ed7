// Tries again what failed and may succeed the next time. The only loop for that; time and chance can be handed in.

import { sleep, type Timers } from './timers.ts'

/** A failure that another attempt may mend. Its message is a reason, such as "the connection was refused". */
export class TransientFailure extends Error {
  /** The wait that the other side asked for; 0 if it did not. */
  readonly retryAfterMs: number

  constructor(reason: string, retryAfterMs = 0) {
    super(reason)
    this.retryAfterMs = retryAfterMs
  }
}

export type Retry = {
  /** In all, the first one included. Unlimited by default. */
  attempts?: number
  /** Whether another attempt may help. By default it may after TransientFailure. */
  isPassing?: (error: unknown) => boolean
  /** The wait after so many failures, of which `error` is the last; none by default. */
  waitMs?: (failures: number, error: unknown) => number
  /** Called when it is to be tried again, before the wait. */
  onRetry?: (error: unknown) => void
  /** The time that is left, ms. A wait that would outlast it is not begun. */
  leftMs?: () => number
  timers?: Timers | undefined
  /** Ends the attempts. A wait then rejects with the reason of the signal. */
  signal?: AbortSignal | undefined
}

/** Rejects with the error of the last attempt. */
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

/** Waits from half to all of a step, so that many clients do not return at once; or as long as the other side asked, if
 *  that is longer. The first step is `firstMs`, each further one `factor` times as long. */
export function backoff({ firstMs, factor = 2, maxMs = Number.POSITIVE_INFINITY, random = Math.random }: Steps) {
  return (failures: number, error?: unknown): number => {
    const stepMs = Math.min(maxMs, firstMs * factor ** (failures - 1))
    const askedMs = (error as { retryAfterMs?: number } | undefined)?.retryAfterMs ?? 0
    return Math.max(stepMs * (0.5 + random() / 2), askedMs)
  }
}

const isTransient = (error: unknown): boolean => error instanceof TransientFailure
