// Checks whether external services answer (the services of a store, or the accounts database), at most once a second.

import { within } from '../../accounts/sql/accounts-unavailable.ts'

/** Longest wait of a check. */
const ANSWER_MS_MAX = 2_000
/** How long the result of a check is reused. */
const REUSED_MS = 1_000

type Engine = { name: string; ask(): Promise<unknown> }

export type EngineState = {
  name: string
  isUp: boolean
  answerMs: number | null
  /** Time of the first check without an answer, Unix ms; null while the service answers. */
  downSinceMs: number | null
}

export class EngineProbe {
  readonly #engines: readonly Engine[]
  readonly #nowMs: () => number
  readonly #answerMsMax: number
  readonly #downSinceMs = new Map<string, number>()
  #states: Promise<EngineState[]> | undefined
  #checkedMs = Number.NEGATIVE_INFINITY

  constructor(engines: readonly Engine[], nowMs: () => number = Date.now, answerMsMax = ANSWER_MS_MAX) {
    this.#engines = engines
    this.#nowMs = nowMs
    this.#answerMsMax = answerMsMax
  }

  states(): Promise<EngineState[]> {
    const startMs = performance.now()
    if (this.#states === undefined || startMs - this.#checkedMs >= REUSED_MS) {
      this.#checkedMs = startMs
      this.#states = Promise.all(this.#engines.map((engine) => this.#stateOf(engine)))
    }
    return this.#states
  }

  async #stateOf({ name, ask }: Engine): Promise<EngineState> {
    const startMs = performance.now()
    try {
      await within(this.#answerMsMax, ask())
      this.#downSinceMs.delete(name)
      return { name, isUp: true, answerMs: performance.now() - startMs, downSinceMs: null }
    } catch {
      const downSinceMs = this.#downSinceMs.get(name) ?? this.#nowMs()
      this.#downSinceMs.set(name, downSinceMs)
      return { name, isUp: false, answerMs: null, downSinceMs }
    }
  }
}
