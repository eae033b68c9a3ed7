// Objects in memory, for tests: the double of an S3-compatible store.

import {
  type ListedObject,
  ObjectGone,
  type ObjectRange,
  type Objects,
  ObjectTooShort,
} from '../../../storage/cluster/objects/objects.ts'

export class MemoryObjects implements Objects {
  /** Shared by all instances that are created with it. */
  readonly stored: Map<string, { bytes: Uint8Array; modifiedMs: number }>
  readonly #clock: () => number

  constructor(stored: MemoryObjects['stored'] = new Map(), clock: () => number = Date.now) {
    this.stored = stored
    this.#clock = clock
  }

  async put(key: string, bytes: Uint8Array): Promise<void> {
    this.stored.set(key, { bytes: bytes.slice(), modifiedMs: this.#clock() })
  }

  async read(range: ObjectRange): Promise<Uint8Array> {
    if (range.length === 0) return new Uint8Array(0)
    const object = this.stored.get(range.key)
    if (object === undefined) throw new ObjectGone(range.key)
    if (range.start + range.length > object.bytes.length) throw new ObjectTooShort(range)
    return object.bytes.slice(range.start, range.start + range.length)
  }

  async *list(prefix: string): AsyncGenerator<ListedObject> {
    const keys = [...this.stored.keys()].filter((key) => key.startsWith(prefix)).sort()
    for (const key of keys) {
      const object = this.stored.get(key)
      if (object !== undefined) yield { key, bytes: object.bytes.length, modifiedMs: object.modifiedMs }
    }
  }

  async nowMs(): Promise<number> {
    return this.#clock()
  }

  async remove(keys: readonly string[]): Promise<void> {
    for (const key of keys) this.stored.delete(key)
  }

  async close(): Promise<void> {}
}
