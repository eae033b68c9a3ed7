// Markets that were heard of and are not known well enough yet: when each is asked for. A new market may be without
// tokens for minutes. Pure.

export type HydrationPauses = { attempts: number; fromMs: number; toMs: number }

type Hint = { isOver: boolean; attempts: number; dueMs: number }

export class Hints {
  readonly #pauses: HydrationPauses
  readonly #hints = new Map<string, Hint>()

  constructor(pauses: HydrationPauses) {
    this.#pauses = pauses
  }

  /** It is due at once, unless it waits already for the same thing. */
  add(market: string, isOver: boolean, nowMs: number): void {
    if (this.#hints.get(market)?.isOver === isOver) return
    this.#hints.set(market, { isOver, attempts: 0, dueMs: nowMs })
  }

  due(isOver: boolean, nowMs: number): string[] {
    const due = [...this.#hints].filter(([, hint]) => hint.isOver === isOver && hint.dueMs <= nowMs)
    return due.map(([market]) => market)
  }

  /** It was asked for. After the last attempt it is forgotten: a scan finds it, if it is there. */
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

  /** When the next one is due; null for none. */
  get nextMs(): number | null {
    return this.#hints.size === 0 ? null : Math.min(...[...this.#hints.values()].map(({ dueMs }) => dueMs))
  }
}
