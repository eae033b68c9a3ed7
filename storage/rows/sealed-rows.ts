// Encodes the values of rows. Each value begins with a checksum that is tied to its key. This checksum is the revision
// of the value.

import { Packr } from 'msgpackr'
import { damageOf } from '../damage.ts'
import { DataError } from '../failures.ts'
import { checkedBody, withChecksum } from '../format/block.ts'
import { assertSealed, SEAL_BYTES, seal, sealBody, unseal } from '../sealed/seal.ts'
import { namesOf } from './keys.ts'
import type { RowKey } from './rows.ts'

const PLACE = 'rows'
const packr = new Packr({ useRecords: false, variableMapSize: true })

/** Encodes a short text of ASCII characters: it is decoded faster than msgpack. */
export const sealText = (key: RowKey, text: string): Uint8Array => sealBody(PLACE, key, Buffer.from(text, 'latin1'))

/** Throws DataError('block_corrupt'), like every function here that opens a value. `what` returns the name of the value
 *  for the message. */
export function openText(key: RowKey, bytes: Uint8Array, what: (names: string[]) => string): string {
  try {
    assertSealed(PLACE, key, bytes)
  } catch (error) {
    throw damage(key, what, error)
  }
  const stored = bytes instanceof Buffer ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
  return stored.toString('latin1', SEAL_BYTES)
}

/** Encodes bytes. */
export const sealBytes = (key: RowKey, body: Uint8Array): Uint8Array => seal(PLACE, key, withChecksum(body))

/** Returns a view of a copy of the bytes, so that the caller may change them. The view begins at a multiple of 8
 *  bytes. */
export function openBytes(key: RowKey, bytes: Uint8Array, what: (names: string[]) => string): Uint8Array {
  try {
    return checkedBody(unseal(PLACE, key, new Uint8Array(bytes)))
  } catch (error) {
    throw damage(key, what, error)
  }
}

export const sealPacked = (key: RowKey, value: unknown): Uint8Array => sealBytes(key, packr.pack(value))

export function openPacked<T>(key: RowKey, bytes: Uint8Array, what: (names: string[]) => string): T {
  try {
    // A copy: other readers of a cached row read the same bytes.
    return packr.unpack(checkedBody(unseal(PLACE, key, new Uint8Array(bytes)))) as T
  } catch (error) {
    throw damage(key, what, error)
  }
}

function damage(key: RowKey, what: (names: string[]) => string, error: unknown): DataError {
  const message = error instanceof DataError ? error.message : `it cannot be read: ${(error as Error).message}`
  return damageOf(what(namesOf(key)), message)
}
