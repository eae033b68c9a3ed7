// Prints RFC 3339 instants in the one spelling that is stored as microseconds: with `Z`, and without trailing zeros
// in the fraction. Records are in time order, so most instants reuse the text up to the second from the instant
// before.

import { printInstant } from '../../storage/format/columns/instant-text.ts'
import { printEightDigits } from './print-number.ts'

const SECOND_US = 1_000_000
const PREFIX_BYTES = 19
const POINT = 0x2e
const UTC = 0x5a
const ZERO = 0x30

/** Prints the instants of one column in order. */
export class InstantPrinter {
  readonly #text = new Uint8Array(32)
  readonly #words = new Int32Array(this.#text.buffer)
  #startUs = Number.NaN

  /** Returns where the text ends; up to seven bytes after it are overwritten. */
  print(view: DataView, at: number, instantUs: number): number {
    let micros = instantUs - this.#startUs
    if (!(micros >= 0 && micros < SECOND_US)) {
      this.#startUs = Math.floor(instantUs / SECOND_US) * SECOND_US
      printInstant(this.#startUs, this.#text, 0)
      micros = instantUs - this.#startUs
    }
    const words = this.#words
    for (let word = 0; word < 5; word++) view.setInt32(at + 4 * word, words[word]!, true)
    let end = at + PREFIX_BYTES
    if (micros > 0) {
      view.setUint8(end, POINT)
      printEightDigits(view, end + 1, micros * 100)
      end += 7
      while (view.getUint8(end - 1) === ZERO) end--
    }
    view.setUint8(end, UTC)
    return end + 1
  }
}
