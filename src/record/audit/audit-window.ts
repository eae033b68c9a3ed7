// Compares a book from REST with the recorder's book. The response shows the book at an unknown moment of the request,
// so it may equal any state that the recorder's book had during the request. Pure.

import type { AuditResult } from '../status/recorder-figures.ts'
import type { Levels } from './signed-book.ts'

export class AuditWindow {
  /** The book at the start of the window, and the levels that changed since. */
  readonly #first: Map<number, number>
  readonly #changes: [price: number, size: number][] = []
  #isBroken = false

  constructor(levels: Levels) {
    this.#first = new Map(levels)
  }

  /** Notes the new size of a level; 0 if the level is gone. */
  changed(price: number, size: number): void {
    this.#changes.push([price, size])
  }

  /** Notes that a snapshot replaced the book. */
  replaced(levels: Levels): void {
    for (const price of this.#levelsNow().keys()) if (!levels.has(price)) this.#changes.push([price, 0])
    for (const [price, size] of levels) this.#changes.push([price, size])
  }

  /** Notes that the book is no longer known. */
  broken(): void {
    this.#isBroken = true
  }

  /** Compares the book from REST with each state of the window. `expected` is undefined if REST had no such book. */
  result(expected: Levels | undefined): AuditResult {
    if (expected === undefined || this.#isBroken) return 'undecidable'
    const state = this.#first
    let differing = 0
    for (const [price, size] of state) if (expected.get(price) !== size) differing++
    for (const price of expected.keys()) if (!state.has(price)) differing++
    if (differing === 0) return this.#changes.length === 0 ? 'exact' : 'consistent'
    for (const [price, size] of this.#changes) {
      const expectedSize = expected.get(price) ?? 0
      const oldSize = state.get(price) ?? 0
      if (oldSize === expectedSize && size !== expectedSize) differing++
      if (oldSize !== expectedSize && size === expectedSize) differing--
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
