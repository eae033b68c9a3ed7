// When books are compared with those of REST: again and again, while there are sockets.

import type { Timers } from '../../../storage/retry/timers.ts'

/** What the socket may lag behind REST. */
const SETTLE_MS = 500

export type AuditLoopOptions = {
  timers: Timers
  everyMs: number
  /** Compares some. `signal` ends its questions. */
  audit(signal: AbortSignal): Promise<void>
}

export class AuditLoop {
  readonly #options: AuditLoopOptions
  #cancel: (() => void) | undefined
  #abort = new AbortController()

  constructor(options: AuditLoopOptions) {
    this.#options = options
  }

  start(): void {
    if (this.#cancel !== undefined) return
    this.#abort = new AbortController()
    this.#schedule()
  }

  stop(): void {
    this.#cancel?.()
    this.#cancel = undefined
    this.#abort.abort()
  }

  /** Until the socket has said what REST knew. */
  settle(): Promise<void> {
    return new Promise((resolve) => void this.#options.timers.after(SETTLE_MS, resolve))
  }

  #schedule(): void {
    const { timers, everyMs, audit } = this.#options
    this.#cancel = timers.after(everyMs, () => {
      this.#schedule()
      void audit(this.#abort.signal)
    })
  }
}
