// Collects texts and numbers the distinct ones without creating strings: a hash table over an arena of bytes.

import type { TextTable } from '../../storage/format/columns/text-column.ts'
import { sameRange, viewOf } from './byte-words.ts'

/** Enough for the two tokens of a market, or the two sides, which alternate. */
const TEXTS_CACHED = 4

export class TextTableBuilder {
  #arena = new Uint8Array(256)
  #view = new DataView(this.#arena.buffer)
  #offsets = new Uint32Array(9)
  #hashes = new Int32Array(8)
  #slots = new Int32Array(16).fill(-1)
  #wordCount = 0
  #last = -1
  /** Numbers of recent texts; `#wordsOfTexts` has the index of each. The low bits of a text's number give its place
   *  in both caches. */
  readonly #texts = new Float64Array(TEXTS_CACHED)
  readonly #wordsOfTexts = new Int32Array(TEXTS_CACHED)

  get wordCount(): number {
    return this.#wordCount
  }

  get bytes(): number {
    return this.#arena.length + 4 * this.#offsets.length + 4 * (this.#hashes.length + this.#slots.length)
  }

  /** Returns the index of the text bytes[start..end), in order of first appearance. If `text` is not 0, it is the
   *  number of the text, and a cached number makes reading the bytes unnecessary. */
  indexOf(bytes: Uint8Array, start: number, end: number, text = 0): number {
    if (text === 0) return this.#find(bytes, start, end)
    const place = text & (TEXTS_CACHED - 1)
    if (this.#texts[place] !== text) {
      this.#wordsOfTexts[place] = this.#find(bytes, start, end)
      this.#texts[place] = text
    }
    return this.#wordsOfTexts[place]!
  }

  #find(bytes: Uint8Array, start: number, end: number): number {
    if (this.#last >= 0 && this.#equals(this.#last, bytes, start, end)) return this.#last
    const hash = hashOf(bytes, start, end)
    const mask = this.#slots.length - 1
    for (let probe = hash & mask; ; probe = (probe + 1) & mask) {
      const word = this.#slots[probe]!
      if (word < 0) {
        this.#slots[probe] = this.#wordCount
        this.#last = this.#add(bytes, start, end, hash)
        return this.#last
      }
      if (this.#hashes[word] === hash && this.#equals(word, bytes, start, end)) {
        this.#last = word
        return word
      }
    }
  }

  has(bytes: Uint8Array, start: number, end: number): boolean {
    const hash = hashOf(bytes, start, end)
    const mask = this.#slots.length - 1
    for (let probe = hash & mask; ; probe = (probe + 1) & mask) {
      const word = this.#slots[probe]!
      if (word < 0) return false
      if (this.#hashes[word] === hash && this.#equals(word, bytes, start, end)) return true
    }
  }

  table(indexes: Float64Array): TextTable {
    return { arena: this.#arena, offsets: this.#offsets, wordCount: this.#wordCount, indexes }
  }

  #equals(word: number, bytes: Uint8Array, start: number, end: number): boolean {
    const wordStart = this.#offsets[word]!
    const length = end - start
    if (this.#offsets[word + 1]! - wordStart !== length) return false
    const arena = this.#arena
    // Compares the last byte first, because texts with a counter differ only at the end.
    if (length > 0 && arena[wordStart + length - 1] !== bytes[end - 1]) return false
    return sameRange(this.#view, wordStart, viewOf(bytes), start, length)
  }

  #add(bytes: Uint8Array, start: number, end: number, hash: number): number {
    const word = this.#wordCount++
    const wordStart = this.#offsets[word]!
    const wordEnd = wordStart + end - start
    if (wordEnd > this.#arena.length) {
      const grown = new Uint8Array(Math.max(2 * this.#arena.length, wordEnd))
      grown.set(this.#arena)
      this.#arena = grown
      this.#view = new DataView(grown.buffer)
    }
    for (let i = start; i < end; i++) this.#arena[wordStart + i - start] = bytes[i]!
    if (word + 2 > this.#offsets.length) this.#growWords()
    this.#offsets[word + 1] = wordEnd
    this.#hashes[word] = hash
    if (2 * this.#wordCount > this.#slots.length) this.#rehash()
    return word
  }

  #growWords(): void {
    const offsets = new Uint32Array(2 * this.#offsets.length)
    offsets.set(this.#offsets)
    this.#offsets = offsets
    const hashes = new Int32Array(offsets.length)
    hashes.set(this.#hashes)
    this.#hashes = hashes
  }

  #rehash(): void {
    this.#slots = new Int32Array(2 * this.#slots.length).fill(-1)
    const mask = this.#slots.length - 1
    for (let word = 0; word < this.#wordCount; word++) {
      let probe = this.#hashes[word]! & mask
      while (this.#slots[probe]! >= 0) probe = (probe + 1) & mask
      this.#slots[probe] = word
    }
  }
}

// FNV-1a, with a final mix because the table takes the low bits.
function hashOf(bytes: Uint8Array, start: number, end: number): number {
  let hash = 0x811c9dc5
  for (let i = start; i < end; i++) hash = Math.imul(hash ^ bytes[i]!, 0x01000193)
  return hash ^ (hash >>> 15)
}
