// Timers that tests replace with their own, and two uses of them: a pause, and a time limit for work.

export type Timers = {
  /** Runs `action` once, after `ms`; a negative `ms` counts as 0. The returned function cancels the timer. */
  after(ms: number, action: () => void): () => void
}

export const systemTimers: Timers = {
  after(ms, action) {
    // The runtime prints a warning on stderr for a negative delay.
    const timer = setTimeout(action, Math.max(0, ms))
    return () => clearTimeout(timer)
  },
}

/** Waits for `ms`. Rejects with the reason of `signal` if it aborts first. */
export function sleep(ms: number, timers: Timers = systemTimers, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason)
    const abort = () => {
      cancel()
      reject(signal!.reason)
    }
    const cancel = timers.after(ms, () => {
      signal?.removeEventListener('abort', abort)
      resolve()
    })
    signal?.addEventListener('abort', abort, { once: true })
  })
}

/** Runs `work` with a time limit. When the time is over, rejects with the error of `late` and aborts the signal of
 *  `work`, which may ignore it. `renew` restarts the time. */
export async function inTime<T>(
  work: (signal: AbortSignal, renew: () => void) => Promise<T>,
  ms: number,
  late: () => Error,
  timers: Timers = systemTimers,
): Promise<T> {
  const over = Promise.withResolvers<never>()
  const controller = new AbortController()
  const end = () => {
    const error = late()
    over.reject(error)
    controller.abort(error)
  }
  let cancel = timers.after(ms, end)
  const renew = () => {
    cancel()
    cancel = timers.after(ms, end)
  }
  try {
    return await Promise.race([work(controller.signal, renew), over.promise])
  } finally {
    cancel()
  }
}
