// Timers that tests replace with their own, and what is made of them: a pause, and a limit on the time of some work.

export type Timers = {
  /** Runs `action` once, after so many ms; below 0, as after 0. The returned function cancels that. */
  after(ms: number, action: () => void): () => void
}

export const systemTimers: Timers = {
  after(ms, action) {
    // The runtime warns on stderr of one below 0.
    const timer = setTimeout(action, Math.max(0, ms))
    return () => clearTimeout(timer)
  },
}

/** Rejects with the reason of `signal` if that aborts first. */
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

/** Rejects with what `late` returns when the time is over, and aborts the signal of `work`, which may ignore it. `renew`
 *  starts the time again. */
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
