// Values of a statement as one: each an array of its own would be written as hexadecimal text and taken apart again.

export class JoinedBytes {
  readonly #all: Uint8Array[] = []
  #length = 0

  /** Where PostgreSQL's `substring` finds the value, which counts from 1, and how long it is. */
  add(bytes: Uint8Array): [at: number, length: number] {
    this.#all.push(bytes)
    const at = this.#length + 1
    this.#length += bytes.length
    return [at, bytes.length]
  }

  joined(): Buffer {
    return Buffer.concat(this.#all, this.#length)
  }
}
