// Reads FlatBuffers, the format of Arrow's headers: a table stores the offset of each of its fields, and omits fields
// with the default value.
// Source: https://flatbuffers.dev/internals/

const decoder = new TextDecoder()

/** Returns the root table of a buffer. */
export const rootTable = (view: DataView, at: number): FlatTable => new FlatTable(view, at + view.getInt32(at, true))

/** Reads a table. Fields are numbered from 0. An omitted field is 0, empty or null. */
export class FlatTable {
  readonly #view: DataView
  readonly #at: number
  readonly #fields: number
  readonly #fieldsEnd: number

  constructor(view: DataView, at: number) {
    this.#view = view
    this.#at = at
    this.#fields = at - view.getInt32(at, true)
    this.#fieldsEnd = this.#fields + view.getUint16(this.#fields, true)
  }

  byte(field: number): number {
    const at = this.#place(field)
    return at === 0 ? 0 : this.#view.getUint8(at)
  }

  short(field: number): number {
    const at = this.#place(field)
    return at === 0 ? 0 : this.#view.getInt16(at, true)
  }

  int(field: number): number {
    const at = this.#place(field)
    return at === 0 ? 0 : this.#view.getInt32(at, true)
  }

  /** Returns a 64-bit integer. */
  whole(field: number): number {
    const at = this.#place(field)
    return at === 0 ? 0 : Number(this.#view.getBigInt64(at, true))
  }

  text(field: number): string {
    const [start, length] = this.#vector(field)
    return decoder.decode(new Uint8Array(this.#view.buffer, this.#view.byteOffset + start, length))
  }

  table(field: number): FlatTable | null {
    const at = this.#target(field)
    return at === 0 ? null : new FlatTable(this.#view, at)
  }

  tables(field: number): FlatTable[] {
    const [start, length] = this.#vector(field)
    return Array.from({ length }, (_, i) => rootTable(this.#view, start + 4 * i))
  }

  /** Returns pairs of 64-bit integers. */
  regions(field: number): { offset: number; length: number }[] {
    const [start, length] = this.#vector(field)
    const whole = (at: number) => Number(this.#view.getBigInt64(at, true))
    return Array.from({ length }, (_, i) => ({ offset: whole(start + 16 * i), length: whole(start + 16 * i + 8) }))
  }

  /** Returns the start of a vector and its number of elements. */
  #vector(field: number): readonly [start: number, length: number] {
    const at = this.#target(field)
    return at === 0 ? [0, 0] : [at + 4, this.#view.getUint32(at, true)]
  }

  #target(field: number): number {
    const at = this.#place(field)
    return at === 0 ? 0 : at + this.#view.getInt32(at, true)
  }

  /** Returns the position of a field, or 0 if it is omitted. */
  #place(field: number): number {
    const entry = this.#fields + 4 + 2 * field
    const offset = entry < this.#fieldsEnd ? this.#view.getUint16(entry, true) : 0
    return offset === 0 ? 0 : this.#at + offset
  }
}
