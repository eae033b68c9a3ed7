// Ties a stored value to its key: its checksum is mixed with one of the key. A value that is found under another key,
// because a byte of the key or of an index page changed, is damage and no answer.

import { checkedBody, withChecksum } from './block.ts'
import type { DatabaseName, Key } from './lmdb-databases.ts'

/** `bytes` begin with their checksum. Returns a copy: what is not stored yet stays as it is. */
export function seal(database: DatabaseName, key: Key, bytes: Uint8Array): Uint8Array {
  return unseal(database, key, Uint8Array.from(bytes))
}

/** In place, and what `seal` was given again if both were given the same key; the checksum tells. */
export function unseal(database: DatabaseName, key: Key, bytes: Uint8Array): Uint8Array {
  if (bytes.length < 8) return bytes
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  view.setBigUint64(0, view.getBigUint64(0, true) ^ keyHash(database, key), true)
  return bytes
}

/** A small value with a checksum, for values that do not begin with one. */
export const sealBody = (database: DatabaseName, key: Key, body: Uint8Array): Uint8Array =>
  unseal(database, key, withChecksum(body))

/** Throws DataError('block_corrupt'). */
export const openBody = (database: DatabaseName, key: Key, bytes: Uint8Array): Uint8Array =>
  checkedBody(unseal(database, key, bytes))

const keyHash = (database: DatabaseName, key: Key): bigint =>
  Bun.hash.xxHash64(`${database}\0${typeof key === 'string' ? key : key.join('\0')}`)
