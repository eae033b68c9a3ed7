// Schedules requests for single markets: those that a socket reported as new or ended, and those without tokens, which
// may take minutes to appear. Pure.

export type HydrationPauses = { attempts: number; fromMs: number; toMs: number }

type Hint = { isOver: boolean; attempts: number; dueMs: number }

export class Hints {
  readonly #pauses: HydrationPauses
  readonly #hints = new Map<string, Hint>()

  constructor(pauses: HydrationPauses) {
    this.#pauses = pauses
  }

  /** Adds a market, due at once. Does nothing if the market already waits with the same `isOver`. */
  add(market: string, isOver: boolean, nowMs: number): void {
    if (this.#hints.get(market)?.isOver === isOver) return
    this.#hints.set(market, { isOver, attempts: 0, dueMs: nowMs })
  }

  /** Returns the markets whose request is due. */
  due(isOver: boolean, nowMs: number): string[] {
    const due = [...this.#hints].filter(([, hint]) => hint.isOver === isOver && hint.dueMs <= nowMs)
    return due.map(([market]) => market)
  }

  /** Notes that a market was requested. Removes it if it was answered, or after the last attempt: then a scan finds it
   *  if it exists. */
  asked(market: string, isAnswered: boolean, nowMs: number): void {
    const hint = this.#hints.get(market)
    if (hint === undefined) return
    const { attempts, fromMs, toMs } = this.#pauses
    if (isAnswered || ++hint.attempts > attempts) {
      this.#hints.delete(market)
      return
    }
    const share = attempts <= 1 ? 0 : (hint.attempts - 1) / (attempts - 1)
    hint.dueMs = nowMs + fromMs + (toMs - fromMs) * share
  }

  /** Time at which the next request is due, Unix ms; null if no market waits. */
  get nextMs(): number | null {
    return this.#hints.size === 0 ? null : Math.min(...[...this.#hints.values()].map(({ dueMs }) => dueMs))
  }
}
