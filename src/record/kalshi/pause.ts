// The pause before the next command. It doubles each time until a command succeeds.

import type { Timers } from '../../../storage/retry/timers.ts'

const FIRST_MS = 1_000
const MAX_MS = 60_000

export class Pause {
  readonly #timers: Timers
  readonly #ended: () => void
  #nextMs = FIRST_MS
  #cancel: (() => void) | undefined

  constructor(timers: Timers, ended: () => void) {
    this.#timers = timers
    this.#ended = ended
  }

  get isOn(): boolean {
    return this.#cancel !== undefined
  }

  begin(): void {
    if (this.isOn) return
    this.#cancel = this.#timers.after(this.#nextMs, () => {
      this.#cancel = undefined
      this.#ended()
    })
    this.#nextMs = Math.min(this.#nextMs * 2, MAX_MS)
  }

  /** Makes the next pause short again. */
  reset(): void {
    this.#nextMs = FIRST_MS
  }

  cancel(): void {
    this.#cancel?.()
    this.#cancel = undefined
  }
}
