// Gathers rows of one market from several columns, with the values that define their order.

import type { SegmentRows } from '../../rows/segments.ts'
import type { PendulumflowColumns } from './event-columns.ts'

export class GatheredRows implements SegmentRows {
  count = 0
  received = new Float64Array(0)
  generations = new Float64Array(0)
  counters = new Float64Array(0)
  recorders = new Uint8Array(0)
  types = new Uint8Array(0)
  /** Place of each row: `slices` has the number of its slice, `places` has its index in the columns of that slice. */
  slices = new Uint16Array(0)
  places = new Uint32Array(0)
  #books = new Uint32Array(0)
  readonly #recorderCodes = new Map<string, number>()
  readonly #bookCodes = new Map<string, number>()
  #keys = new Float64Array(0)
  #sequences: BigUint64Array | undefined
  /** `#sequences` as pairs of 32-bit halves, low half first. */
  #halves: Uint32Array = new Uint32Array(0)

  /** Empties the rows and makes room for `count`. */
  clear(count: number): void {
    this.count = 0
    this.#recorderCodes.clear()
    this.#bookCodes.clear()
    if (count <= this.received.length) return
    const room = 2 * count
    this.received = new Float64Array(room)
    this.generations = new Float64Array(room)
    this.counters = new Float64Array(room)
    this.recorders = new Uint8Array(room)
    this.types = new Uint8Array(room)
    this.slices = new Uint16Array(room)
    this.places = new Uint32Array(room)
    this.#books = new Uint32Array(room)
    this.#keys = new Float64Array(room)
  }

  add(type: number, slice: number, at: number, columns: PendulumflowColumns, recorder: string, book: string): void {
    const { received, sequences } = columns
    if (sequences !== this.#sequences) {
      this.#sequences = sequences
      this.#halves = new Uint32Array(sequences.buffer, sequences.byteOffset, 2 * sequences.length)
    }
    const row = this.count++
    const high = this.#halves[2 * at + 1]!
    this.received[row] = received[at]!
    this.generations[row] = high >>> 16
    this.counters[row] = (high & 0xffff) * 2 ** 32 + this.#halves[2 * at]!
    this.recorders[row] = codeOf(this.#recorderCodes, recorder)
    this.types[row] = type
    this.slices[row] = slice
    this.places[row] = at
    this.#books[row] = codeOf(this.#bookCodes, book)
  }

  /** Returns the rows of each book, in the order in which they were added. */
  byBook(): Uint32Array[] {
    const counts = new Uint32Array(this.#bookCodes.size)
    for (let row = 0; row < this.count; row++) counts[this.#books[row]!]!++
    const books = Array.from(counts, (count) => new Uint32Array(count))
    counts.fill(0)
    for (let row = 0; row < this.count; row++) {
      const book = this.#books[row]!
      books[book]![counts[book]!++] = row
    }
    return books
  }

  /** Returns the sort keys of the given rows, which are grouped by book. A row's key is its receipt time, but never
   *  less than the key of the row before it in the same book. */
  receivedTimes(selected: Uint32Array, count: number): Float64Array {
    const keys = this.#keys
    let book = -1
    for (let i = 0; i < count; i++) {
      const row = selected[i]!
      const received = this.received[row]!
      const isSame = this.#books[row] === book
      keys[i] = isSame && keys[i - 1]! > received ? keys[i - 1]! : received
      book = this.#books[row]!
    }
    return keys
  }
}

function codeOf(codes: Map<string, number>, text: string): number {
  const known = codes.get(text)
  if (known !== undefined) return known
  codes.set(text, codes.size)
  return codes.size - 1
}
