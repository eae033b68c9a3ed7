// Joins the byte values of a statement into one: an array of values would be written as hexadecimal text and parsed
// again.

export class JoinedBytes {
  readonly #all: Uint8Array[] = []
  #length = 0

  /** Adds a value. Returns its position for PostgreSQL's `substring`, which counts from 1, and its length. */
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
