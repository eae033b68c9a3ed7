// Reads runs of equal values and groups of bit-packed values, as Parquet stores levels and dictionary indexes
// (parquet.apache.org, "Run Length Encoding / Bit-Packing Hybrid").

export const HYBRID_BITS_MAX = 24

/** Reads the values of bytes[start..end), in steps of any size. */
export class HybridRuns {
  readonly #bytes: Uint8Array
  readonly #end: number
  readonly #bits: number
  #at: number
  /** State of the current run: the number of values left, and the value that they all have; -1 if the values are
   *  bit-packed. */
  #left = 0
  #value = -1
  /** State of a packed run: the next byte, and the bits left over from earlier bytes. */
  #from = 0
  #held = 0
  #heldBits = 0

  /** Throws Error if values are too wide. */
  constructor(bytes: Uint8Array, start: number, end: number, bits: number) {
    if (bits > HYBRID_BITS_MAX) throw new Error(`values of ${bits} bits are wider than ${HYBRID_BITS_MAX}`)
    this.#bytes = bytes
    this.#at = start
    this.#end = end
    this.#bits = bits
  }

  /** Fills the first `count` elements of `into`. Throws Error if the runs end too early. */
  read(into: Uint8Array | Uint32Array, count: number): void {
    if (this.#bits === 0) {
      into.fill(0, 0, count)
      return
    }
    for (let done = 0; done < count; ) {
      if (this.#left === 0) this.#begin()
      const taken = Math.min(this.#left, count - done)
      if (this.#value >= 0) into.fill(this.#value, done, done + taken)
      else this.#unpack(into, done, taken)
      this.#left -= taken
      done += taken
    }
  }

  #begin(): void {
    const bytes = this.#bytes
    let header = 0
    for (let shift = 0; ; shift += 7) {
      if (this.#at >= this.#end) throw new Error(TOO_EARLY)
      const byte = bytes[this.#at++]!
      header += (byte & 0x7f) * 2 ** shift
      if (byte < 0x80) break
    }
    if (header % 2 === 1) {
      const groups = (header - 1) / 2
      this.#left = groups * 8
      this.#value = -1
      this.#from = this.#at
      this.#heldBits = 0
      this.#held = 0
      this.#at += groups * this.#bits
      return
    }
    const runBytes = (this.#bits + 7) >> 3
    if (this.#at + runBytes > this.#end) throw new Error(TOO_EARLY)
    this.#left = header / 2
    this.#value = 0
    for (let i = 0; i < runBytes; i++) this.#value |= bytes[this.#at++]! << (8 * i)
  }

  #unpack(into: Uint8Array | Uint32Array, at: number, count: number): void {
    const bytes = this.#bytes
    const bits = this.#bits
    const mask = 2 ** bits - 1
    let held = this.#held
    let heldBits = this.#heldBits
    let from = this.#from
    if (from + Math.ceil((count * bits - heldBits) / 8) > this.#end) throw new Error(TOO_EARLY)
    for (let i = at; i < at + count; i++) {
      while (heldBits < bits) {
        held |= bytes[from++]! << heldBits
        heldBits += 8
      }
      into[i] = held & mask
      held >>>= bits
      heldBits -= bits
    }
    this.#held = held
    this.#heldBits = heldBits
    this.#from = from
  }
}

const TOO_EARLY = 'its runs end too early'

/** Returns the number of bits that values from 0 to `greatest` need. */
export const bitsOf = (greatest: number): number => 32 - Math.clz32(greatest)
