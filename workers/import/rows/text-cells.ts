// Cells of a column as texts. Columns of few words hold the same bytes again and again: each is decoded once.

const WORDS_MAX = 100_000
const decoder = new TextDecoder()

export class TextCells {
  #words = new Map<Uint8Array, string>()
  #last: Uint8Array | undefined
  #lastText = ''

  /** The empty text where there is none. */
  of(cell: Uint8Array | null | undefined): string {
    if (cell === null || cell === undefined) return ''
    if (cell === this.#last) return this.#lastText
    let text = this.#words.get(cell)
    if (text === undefined) {
      text = decoder.decode(cell)
      if (this.#words.size === WORDS_MAX) this.#words = new Map()
      this.#words.set(cell, text)
    }
    this.#last = cell
    this.#lastText = text
    return text
  }
}
