// Numbers the books of a partition from 1 on, in order of appearance. A Kalshi market is its own one book, however its
// ticker is spelt in the capture; a Polymarket condition has one for each outcome token.

import { BOOKS_MAX } from '../../storage/format/block.ts'
import { TextTableBuilder } from '../bytes/text-table-builder.ts'

/** Readers keep numbers in two bytes. */
const NUMBER_MAX = 0xffff
const NO_BYTES = new Uint8Array(0)
const encoder = new TextEncoder()

export class BookTable {
  readonly #only: string | undefined
  #texts: TextTableBuilder | undefined

  /** `only` is the id of the one book there can be. */
  constructor(only: string | undefined, known: string[] = []) {
    this.#only = only
    if (only !== undefined) return
    this.#texts = new TextTableBuilder()
    for (const id of known) this.numberOfId(id)
  }

  /** Whether a book is known, or may be added as one of BOOKS_MAX. */
  hasRoomFor(bytes: Uint8Array, start: number, end: number): boolean {
    const texts = this.#texts
    return texts === undefined || texts.wordCount < BOOKS_MAX || texts.has(bytes, start, end)
  }

  /** `text` as of `TextTableBuilder`. */
  numberOf(bytes: Uint8Array, start: number, end: number, text = 0): number {
    return this.#texts === undefined ? 1 : this.#texts.indexOf(bytes, start, end, text) + 1
  }

  /** As `numberOf`, for an id as a string. */
  numberOfId(id: string): number {
    const bytes = this.#texts === undefined ? NO_BYTES : encoder.encode(JSON.stringify(id).slice(1, -1))
    return this.numberOf(bytes, 0, bytes.length)
  }

  /** Ids by number - 1. */
  ids(): string[] {
    if (this.#texts === undefined) return [this.#only!]
    const { arena, offsets, wordCount } = this.#texts.table(new Float64Array(0))
    // Only captures of garbage, merged in their hundreds, come so far.
    if (wordCount > NUMBER_MAX) throw new RangeError(`a partition has more than ${NUMBER_MAX} books`)
    const decoder = new TextDecoder('utf-8', { ignoreBOM: true })
    const words = Array.from({ length: wordCount }, (_, i) =>
      decoder.decode(arena.subarray(offsets[i], offsets[i + 1])),
    )
    // They are collected as they stand in JSON.
    return words.map((word) => (word.includes('\\') ? (JSON.parse(`"${word}"`) as string) : word))
  }
}
