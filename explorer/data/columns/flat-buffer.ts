// FlatBuffers, in which the headers of Arrow are written: a table says where each of its fields stands, and leaves out
// those that have the value that they have by default.
// Source: https://flatbuffers.dev/internals/

const decoder = new TextDecoder()

/** The table that a buffer begins with. */
export const rootTable = (view: DataView, at: number): FlatTable => new FlatTable(view, at + view.getInt32(at, true))

/** Fields are named by their numbers, from 0 on. One that was left out is 0, empty or null. */
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

  /** Of 64 bits. */
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

  /** Pairs of 64 bits. */
  regions(field: number): { offset: number; length: number }[] {
    const [start, length] = this.#vector(field)
    const whole = (at: number) => Number(this.#view.getBigInt64(at, true))
    return Array.from({ length }, (_, i) => ({ offset: whole(start + 16 * i), length: whole(start + 16 * i + 8) }))
  }

  /** Where it begins, and how many elements it has. */
  #vector(field: number): readonly [start: number, length: number] {
    const at = this.#target(field)
    return at === 0 ? [0, 0] : [at + 4, this.#view.getUint32(at, true)]
  }

  #target(field: number): number {
    const at = this.#place(field)
    return at === 0 ? 0 : at + this.#view.getInt32(at, true)
  }

  /** 0 where it was left out. */
  #place(field: number): number {
    const entry = this.#fields + 4 + 2 * field
    const offset = entry < this.#fieldsEnd ? this.#view.getUint16(entry, true) : 0
    return offset === 0 ? 0 : this.#at + offset
  }
}
