// What stood last in each place of a form, where it is long: the market and its id are the same in line after line, and
// comparing them with the line before is faster than looking for their end.

import { sameText } from '../bytes/byte-words.ts'

const LENGTH_MIN = 8
const LENGTH_MAX = 128
const MISSES_MAX = 64

/** Texts of all forms, numbered from 1 on. */
let textCount = 0

/** Number of a text that is not of a form (`MatchedMessage.texts`). */
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

  /** Length of the slot's last value where the bytes at `at` are the same, else 0. */
  lengthAt(slot: number, view: DataView, at: number, end: number): number {
    const length = this.#lengths[slot]!
    if (length === 0 || at + length > end || !sameText(view, at, this.#view, slot * LENGTH_MAX, length)) return 0
    this.#misses[slot] = 0
    return length
  }

  /** The number of the slot's last value; 0 where it is not kept. The same number is the same text. */
  textAt(slot: number): number {
    return this.#texts[slot]!
  }

  /** A value that was not the last one. Places whose values seldom repeat are left alone. */
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
