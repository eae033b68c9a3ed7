// The interface to immutable objects by key, in which a cluster stores its segments. Implemented by an S3-compatible
// store, and by a Map in tests.

export type ObjectRange = { key: string; start: number; length: number }
export type ListedObject = { key: string; bytes: number; modifiedMs: number }

/** Every method rejects with DataError('blocks_unavailable') if the objects cannot be reached, and waits no longer than
 *  the settings allow. */
export interface Objects {
  /** Stores an object and resolves once it is stored. Writing the same bytes again is allowed. If this rejects, or
   *  needed more than one try, the object may still appear later, even after it was removed. */
  put(key: string, bytes: Uint8Array): Promise<void>
  /** Reads all bytes of one range. Rejects with ObjectGone if there is no such object, and with ObjectTooShort if it
   *  ends before the range does. An empty range sends no request. */
  read(range: ObjectRange): Promise<Uint8Array>
  /** Lists the objects whose keys begin with `prefix`, ascending. Their times are those of the store's own clock. */
  list(prefix: string): AsyncIterable<ListedObject>
  /** Returns the time of the store's own clock, Unix ms; an S3-compatible store reports whole seconds. */
  nowMs(): Promise<number>
  /** Removes objects. A missing object is not an error. */
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
