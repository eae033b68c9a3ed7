// Whether a book that REST told is one that the recorder had while it asked. The answer is of some moment of the
// request, so each state of that time counts. Pure.

import type { AuditResult } from '../status/recorder-figures.ts'
import type { Levels } from './levels.ts'

export class AuditWindow {
  /** The book when the window began, and the levels that became others since. */
  readonly #first: Map<number, number>
  readonly #changes: [price: number, size: number][] = []
  #isBroken = false

  constructor(levels: Levels) {
    this.#first = new Map(levels)
  }

  /** The size that this level has now; 0 where it is gone. */
  changed(price: number, size: number): void {
    this.#changes.push([price, size])
  }

  /** A snapshot replaced the book. */
  replaced(levels: Levels): void {
    for (const price of this.#levelsNow().keys()) if (!levels.has(price)) this.#changes.push([price, 0])
    for (const [price, size] of levels) this.#changes.push([price, size])
  }

  /** The book is not known any more. */
  broken(): void {
    this.#isBroken = true
  }

  /** `told` is undefined where REST had no such book. */
  result(told: Levels | undefined): AuditResult {
    if (told === undefined || this.#isBroken) return 'undecidable'
    const state = this.#first
    let differing = 0
    for (const [price, size] of state) if (told.get(price) !== size) differing++
    for (const price of told.keys()) if (!state.has(price)) differing++
    if (differing === 0) return this.#changes.length === 0 ? 'exact' : 'consistent'
    for (const [price, size] of this.#changes) {
      const should = told.get(price) ?? 0
      const was = state.get(price) ?? 0
      if (was === should && size !== should) differing++
      if (was !== should && size === should) differing--
      if (size === 0) state.delete(price)
      else state.set(price, size)
      if (differing === 0) return 'consistent'
    }
    return 'inconsistent'
  }

  #levelsNow(): Levels {
    const levels = new Map(this.#first)
    for (const [price, size] of this.#changes) {
      if (size === 0) levels.delete(price)
      else levels.set(price, size)
    }
    return levels
  }
}
