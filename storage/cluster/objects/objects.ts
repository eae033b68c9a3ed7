// Objects that never change, by key: what a cluster keeps its segments in. An S3-compatible store is one kind, a Map in
// tests another.

export type ObjectRange = { key: string; start: number; length: number }
export type ListedObject = { key: string; bytes: number; modifiedMs: number }

/** Every method rejects with DataError('blocks_unavailable') where the objects cannot be reached, and no method waits
 *  longer than the settings say. */
export interface Objects {
  /** Resolves once the object is kept. Writing the same bytes again is allowed. Where it rejects, or was tried more
   *  than once on the way, the object may still come to be later, even after it was removed. */
  put(key: string, bytes: Uint8Array): Promise<void>
  /** The bytes of one range, all of them. Rejects with ObjectGone where there is no such object, and with
   *  ObjectTooShort where it ends before the range does. For an empty range nobody is asked. */
  read(range: ObjectRange): Promise<Uint8Array>
  /** Objects whose keys begin with `prefix`, ascending. Their times are those of the store's own clock. */
  list(prefix: string): AsyncIterable<ListedObject>
  /** The store's own clock, Unix ms; an S3-compatible store tells whole seconds. */
  nowMs(): Promise<number>
  /** What is not there is no error. */
  remove(keys: readonly string[]): Promise<void>
  close(): Promise<void>
}

export class ObjectGone extends Error {
  constructor(key: string) {
    super(`the object ${key} is missing`)
  }
}

export class ObjectTooShort extends Error {
  constructor({ key, start, length }: ObjectRange) {
    super(`the object ${key} does not have its bytes ${start} to ${start + length - 1}`)
  }
}
