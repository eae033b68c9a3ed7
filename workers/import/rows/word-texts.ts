// Words of a column as texts. Columns of few words say the same again and again: each is decoded once.

import type { WordColumn } from '../parquet/row-group.ts'
import type { Words } from '../parquet/words.ts'

const decoder = new TextDecoder()

export class WordTexts {
  readonly #decode: (cell: Uint8Array) => string
  readonly #known = new WeakMap<Words, (string | undefined)[]>()
  #words: Words | undefined
  #texts: (string | undefined)[] = []

  constructor(decode = (cell: Uint8Array) => decoder.decode(cell)) {
    this.#decode = decode
  }

  /** The empty text where there is none. */
  of({ places, words }: WordColumn, row: number): string {
    const place = places[row] ?? -1
    if (place < 0) return ''
    if (words !== this.#words) {
      this.#words = words
      this.#texts = this.#known.get(words) ?? []
      this.#known.set(words, this.#texts)
    }
    const known = this.#texts[place]
    if (known !== undefined) return known
    const text = this.#decode(words.of(place))
    this.#texts[place] = text
    return text
  }
}
