// Runs an audit, which compares books with REST, at a fixed interval while there are sockets.

import type { Timers } from '../../../storage/retry/timers.ts'

/** How far the socket may lag behind REST. */
const SETTLE_MS = 500

type AuditLoopOptions = {
  timers: Timers
  everyMs: number
  /** Compares some books. `signal` cancels its requests. */
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

  /** Resolves when the socket should have sent everything that the REST response contained. */
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
