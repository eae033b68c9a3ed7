// Holds the texts and bytes of a column in one array. A word is identified by its index. `keep` retains the words of
// a dictionary; `exchange` drops the other words.

import { sameRange, viewOf } from '../../bytes/byte-words.ts'

export class Words {
  count = 0
  /** `kept`: number of words that are never dropped. `exchanges`: how many times the other words have been dropped. */
  kept = 0
  exchanges = 0
  #bytes = new Uint8Array(4_096)
  #ends = new Uint32Array(256)

  startOf(word: number): number {
    return word === 0 ? 0 : this.#ends[word - 1]!
  }

  endOf(word: number): number {
    return this.#ends[word]!
  }

  /** Returns a view of a word, valid until a word is added. */
  of(word: number): Uint8Array {
    return this.#bytes.subarray(this.startOf(word), this.endOf(word))
  }

  /** Keeps all words so far: `exchange` never drops them. */
  keep(): void {
    this.kept = this.count
  }

  /** Drops the words that were added since the last `keep`. */
  exchange(): void {
    if (this.count === this.kept) return
    this.count = this.kept
    this.exchanges++
  }

  add(source: Uint8Array, start: number, length: number): number {
    const from = this.startOf(this.count)
    if (from + length > this.#bytes.length) {
      const grown = new Uint8Array(Math.max(2 * this.#bytes.length, from + length))
      grown.set(this.#bytes.subarray(0, from))
      this.#bytes = grown
    }
    if (this.count === this.#ends.length) {
      const grown = new Uint32Array(2 * this.count)
      grown.set(this.#ends)
      this.#ends = grown
    }
    const bytes = this.#bytes
    if (length > 64) bytes.set(source.subarray(start, start + length), from)
    else for (let i = 0; i < length; i++) bytes[from + i] = source[start + i]!
    this.#ends[this.count] = from + length
    return this.count++
  }

  /** Adds a word unless it equals the last one, because sorted columns repeat their values. Returns the word's
   *  index. */
  addUnlessLast(source: Uint8Array, start: number, length: number): number {
    const last = this.count - 1
    if (last < 0) return this.add(source, start, length)
    const from = this.startOf(last)
    if (this.endOf(last) - from !== length) return this.add(source, start, length)
    const isSame = sameRange(viewOf(this.#bytes), from, viewOf(source), start, length)
    return isSame ? last : this.add(source, start, length)
  }
}
