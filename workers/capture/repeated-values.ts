// Remembers the last long value of each slot. The market and its id repeat line after line, and comparing them with the
// line before is faster than searching for their end.

import { sameText } from '../bytes/byte-words.ts'

const LENGTH_MIN = 8
const LENGTH_MAX = 128
const MISSES_MAX = 64

/** Number of texts so far, over all forms; the first text has number 1. */
let textCount = 0

/** Returns the number of a text that belongs to no form (`MatchedMessage.texts`). */
export const newText = (): number => ++textCount

export class RepeatedValues {
  readonly #lengths: Int32Array
  readonly #misses: Int32Array
  readonly #texts: Float64Array
  readonly #bytes: Uint8Array
  readonly #view: DataView

  constructor(slotCount: number) {
    this.#lengths = new Int32Array(slotCount)
    this.#misses = new Int32Array(slotCount)
    this.#texts = new Float64Array(slotCount)
    this.#bytes = new Uint8Array(slotCount * LENGTH_MAX)
    this.#view = new DataView(this.#bytes.buffer)
  }

  /** Returns the length of the slot's last value if the bytes at `at` are the same, else 0. */
  lengthAt(slot: number, view: DataView, at: number, end: number): number {
    const length = this.#lengths[slot]!
    if (length === 0 || at + length > end || !sameText(view, at, this.#view, slot * LENGTH_MAX, length)) return 0
    this.#misses[slot] = 0
    return length
  }

  /** Returns the number of the slot's last value; 0 if that value is not stored. Equal numbers mean equal texts. */
  textAt(slot: number): number {
    return this.#texts[slot]!
  }

  /** Notes a value that differs from the last one. After MISSES_MAX misses the slot is ignored: its values seldom
   *  repeat. */
  note(slot: number, bytes: Uint8Array, start: number, end: number): void {
    const length = end - start
    if (this.#misses[slot]! >= MISSES_MAX || length < LENGTH_MIN || length > LENGTH_MAX) {
      this.#lengths[slot] = 0
      this.#texts[slot] = 0
      return
    }
    this.#misses[slot]!++
    this.#texts[slot] = ++textCount
    this.#lengths[slot] = length
    for (let i = 0; i < length; i++) this.#bytes[slot * LENGTH_MAX + i] = bytes[start + i]!
  }
}
