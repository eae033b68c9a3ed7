// Whether what a store depends on beyond this machine answers. It is asked once a second at most, and nobody waits
// longer than two for it.

import type { Engine } from '../../../storage/maintenance.ts'
import { within } from '../../accounts/sql/accounts-unavailable.ts'

const ANSWER_MS_MAX = 2_000
/** For so long one answer serves everybody. */
const KEPT_MS = 1_000

export type EngineState = {
  name: Engine['name']
  isUp: boolean
  answerMs: number | null
  /** Unix ms: the first time that it did not answer; null while it does. */
  downSinceMs: number | null
}

export class EngineProbe {
  readonly #engines: readonly Engine[]
  readonly #nowMs: () => number
  readonly #downSinceMs = new Map<Engine['name'], number>()
  #states: Promise<EngineState[]> | undefined
  #askedMs = Number.NEGATIVE_INFINITY

  constructor(engines: readonly Engine[], nowMs: () => number = Date.now) {
    this.#engines = engines
    this.#nowMs = nowMs
  }

  states(): Promise<EngineState[]> {
    const askedMs = performance.now()
    if (this.#states === undefined || askedMs - this.#askedMs >= KEPT_MS) {
      this.#askedMs = askedMs
      this.#states = Promise.all(this.#engines.map((engine) => this.#stateOf(engine)))
    }
    return this.#states
  }

  async #stateOf({ name, ask }: Engine): Promise<EngineState> {
    const askedMs = performance.now()
    try {
      await within(ANSWER_MS_MAX, ask())
      this.#downSinceMs.delete(name)
      return { name, isUp: true, answerMs: performance.now() - askedMs, downSinceMs: null }
    } catch {
      const downSinceMs = this.#downSinceMs.get(name) ?? this.#nowMs()
      this.#downSinceMs.set(name, downSinceMs)
      return { name, isUp: false, answerMs: null, downSinceMs }
    }
  }
}
