// Numbers the books of a partition from 1 on, in order of appearance. A Kalshi market has one book, however the capture
// spells its ticker; a Polymarket condition has one for each outcome token.

import { BOOKS_MAX } from '../../storage/format/block.ts'
import { TextTableBuilder } from '../bytes/text-table-builder.ts'

/** Readers store a book number in two bytes. */
const NUMBER_MAX = 0xffff
const NO_BYTES = new Uint8Array(0)
const encoder = new TextEncoder()

export class BookTable {
  readonly #only: string | undefined
  #texts: TextTableBuilder | undefined

  /** `only` is the id of the book if the partition can have only one. `known` has the ids of the first books. */
  constructor(only: string | undefined, known: string[] = []) {
    this.#only = only
    if (only !== undefined) return
    this.#texts = new TextTableBuilder()
    for (const id of known) this.numberOfId(id)
  }

  /** Returns whether the table has the book, or has room for one more (BOOKS_MAX). */
  hasRoomFor(bytes: Uint8Array, start: number, end: number): boolean {
    const texts = this.#texts
    return texts === undefined || texts.wordCount < BOOKS_MAX || texts.has(bytes, start, end)
  }

  /** Returns the number of a book. `text` is as in `TextTableBuilder`. */
  numberOf(bytes: Uint8Array, start: number, end: number, text = 0): number {
    return this.#texts === undefined ? 1 : this.#texts.indexOf(bytes, start, end, text) + 1
  }

  /** Like `numberOf`, for an id as a string. */
  numberOfId(id: string): number {
    const bytes = this.#texts === undefined ? NO_BYTES : encoder.encode(JSON.stringify(id).slice(1, -1))
    return this.numberOf(bytes, 0, bytes.length)
  }

  /** Returns the ids of the books; the index is the book number minus 1. */
  ids(): string[] {
    if (this.#texts === undefined) return [this.#only!]
    const { arena, offsets, wordCount } = this.#texts.table(new Float64Array(0))
    // Only a merge of hundreds of garbage captures reaches this limit.
    if (wordCount > NUMBER_MAX) throw new RangeError(`a partition has more than ${NUMBER_MAX} books`)
    const decoder = new TextDecoder('utf-8', { ignoreBOM: true })
    const words = Array.from({ length: wordCount }, (_, i) =>
      decoder.decode(arena.subarray(offsets[i], offsets[i + 1])),
    )
    // The table stores the ids as JSON writes them, with escapes.
    return words.map((word) => (word.includes('\\') ? (JSON.parse(`"${word}"`) as string) : word))
  }
}
