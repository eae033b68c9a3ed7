// Decodes the words of a column to texts and caches them: columns with few different words repeat them.

import type { WordColumn } from '../parquet/row-group.ts'
import type { Words } from '../parquet/words.ts'

const decoder = new TextDecoder()

export class WordTexts {
  readonly #decode: (cell: Uint8Array) => string
  readonly #known = new WeakMap<Words, { texts: (string | undefined)[]; exchanges: number }>()
  #words: Words | undefined
  #exchanges = 0
  #texts: (string | undefined)[] = []

  constructor(decode = (cell: Uint8Array) => decoder.decode(cell)) {
    this.#decode = decode
  }

  /** Returns the text of a row; the empty text if it has none. */
  of({ places, words }: WordColumn, row: number): string {
    const place = places[row] ?? -1
    if (place < 0) return ''
    if (words !== this.#words || words.exchanges !== this.#exchanges) this.#change(words)
    const known = this.#texts[place]
    if (known !== undefined) return known
    const text = this.#decode(words.of(place))
    this.#texts[place] = text
    return text
  }

  #change(words: Words): void {
    const known = this.#known.get(words) ?? { texts: [], exchanges: words.exchanges }
    if (known.exchanges !== words.exchanges) known.texts.length = Math.min(known.texts.length, words.kept)
    known.exchanges = words.exchanges
    this.#known.set(words, known)
    this.#words = words
    this.#texts = known.texts
    this.#exchanges = words.exchanges
  }
}
