// Numbers the books of a partition from 1 on, in order of appearance. A Kalshi market is its own one book, however its
// ticker is spelt in the capture; a Polymarket condition has one for each outcome token.

import { TextTableBuilder } from './text-table-builder.ts'

export class BookTable {
  readonly #only: string | undefined
  #texts: TextTableBuilder | undefined

  /** `only` is the id of the one book there can be. */
  constructor(only: string | undefined, known: string[] = []) {
    this.#only = only
    if (only !== undefined) return
    this.#texts = new TextTableBuilder()
    const encoder = new TextEncoder()
    for (const id of known) {
      const bytes = encoder.encode(id)
      this.#texts.indexOf(bytes, 0, bytes.length)
    }
  }

  numberOf(bytes: Uint8Array, start: number, end: number): number {
    return this.#texts === undefined ? 1 : this.#texts.indexOf(bytes, start, end) + 1
  }

  /** Ids by number - 1. */
  ids(): string[] {
    if (this.#texts === undefined) return [this.#only!]
    const { arena, offsets, wordCount } = this.#texts.table(new Float64Array(0))
    const decoder = new TextDecoder()
    return Array.from({ length: wordCount }, (_, i) => decoder.decode(arena.subarray(offsets[i], offsets[i + 1])))
  }
}
