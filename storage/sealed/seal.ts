// Ties a stored value to its key. A value found under another key, because a byte of the key or of an index page
// changed, is damage and not an answer.
//
// Large values begin with a checksum of their own, and a checksum of the key is mixed into it. Small values get one
// checksum of key and value. Both are computed here (cyrb53 by bryc, public domain, with all of its 64 bits): calling
// the runtime's hash costs more than hashing so few bytes.

import { DataError } from '../failures.ts'

/** A key within a place of the store. A place is a named database of LMDB. */
export type Key = string | (string | number)[]

export const SEAL_BYTES = 8
const NOTHING = new Uint8Array(0)

/** Mixes the checksum of the key into `bytes`, which begin with a checksum of their own. Returns a copy, because
 *  unsealed bytes may still be needed. */
export function seal(place: string, key: Key, bytes: Uint8Array): Uint8Array {
  return unseal(place, key, new Uint8Array(bytes))
}

/** Undoes `seal` in place. If the key is the same, the result equals the bytes that `seal` received. The value's own
 *  checksum shows whether they are equal. */
export function unseal(place: string, key: Key, bytes: Uint8Array): Uint8Array {
  if (bytes.length < SEAL_BYTES) return bytes
  hash(place, key, NOTHING, 0)
  // Works byte by byte: creating a view of such a small array takes more than a hundred times as long.
  for (let at = 0; at < 4; at++) {
    bytes[at]! ^= low >>> (8 * at)
    bytes[at + 4]! ^= high >>> (8 * at)
  }
  return bytes
}

/** Puts a checksum of the value and its key in front of a small value. */
export function sealBody(place: string, key: Key, body: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(SEAL_BYTES + body.length)
  bytes.set(body, SEAL_BYTES)
  hash(place, key, bytes, SEAL_BYTES)
  for (let at = 0; at < 4; at++) {
    bytes[at] = low >>> (8 * at)
    bytes[at + 4] = high >>> (8 * at)
  }
  return bytes
}

/** Throws DataError('block_corrupt') if the bytes are not what `sealBody` returned for this key. */
export function assertSealed(place: string, key: Key, bytes: Uint8Array): void {
  hash(place, key, bytes, SEAL_BYTES)
  const isWhole = bytes.length > SEAL_BYTES && wordAt(bytes, 0) === low && wordAt(bytes, 4) === high
  if (!isWhole) throw new DataError('block_corrupt', 'it does not match its checksum')
}

const wordAt = (bytes: Uint8Array, at: number): number =>
  (bytes[at]! | (bytes[at + 1]! << 8) | (bytes[at + 2]! << 16) | (bytes[at + 3]! << 24)) >>> 0

/** The two words of the result of `hash`. Creating an object for each result would cost as much as the hash. */
let low = 0
let high = 0

function hash(place: string, key: Key, bytes: Uint8Array, from: number): void {
  low = 0xdeadbeef
  high = 0x41c6ce57
  addText(place)
  if (typeof key === 'string') addText(key)
  else for (const part of key) addText(typeof part === 'string' ? part : String(part))
  for (let at = from; at < bytes.length; at++) add(bytes[at]!)
  const [one, other] = [low, high]
  low = Math.imul(one ^ (one >>> 16), 0x85ebca6b) ^ Math.imul(other ^ (other >>> 13), 0xc2b2ae35)
  high = Math.imul(other ^ (other >>> 16), 0x85ebca6b) ^ Math.imul(one ^ (one >>> 13), 0xc2b2ae35)
  low >>>= 0
  high >>>= 0
}

/** Adds a text to the hash, and marks where the text ends. */
function addText(text: string): void {
  for (let at = 0; at < text.length; at++) add(text.charCodeAt(at))
  add(0x10000)
}

function add(value: number): void {
  low = Math.imul(low ^ value, 0x9e3779b1)
  high = Math.imul(high ^ value, 0x5f356495)
}
