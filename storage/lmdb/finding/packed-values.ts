// Values of the metadata and finding databases as they are stored: msgpack behind a checksum that is tied to the key.

import { Packr } from 'msgpackr'
import { damageOf } from '../../damage.ts'
import { DataError } from '../../failures.ts'
import { checkedBody, withChecksum } from '../../format/block.ts'
import { seal, unseal } from '../../sealed/seal.ts'
import type { DatabaseName, Databases, Key } from '../values/databases.ts'

type Name = Extract<DatabaseName, 'metadata' | 'finding'>

const packr = new Packr({ useRecords: false, variableMapSize: true })

/** Returns a value; undefined if nothing is stored. Throws DataError('block_corrupt'), as every function here that
 *  reads. */
export function getPacked<T>(databases: Databases, name: Name, key: Key): T | undefined {
  const bytes = databases[name].get(key)
  return bytes === undefined ? undefined : openPacked<T>(name, key, bytes)
}

export function openPacked<T>(name: Name, key: Key, bytes: Uint8Array): T {
  try {
    return packr.unpack(openBytes(name, key, bytes)) as T
  } catch (error) {
    const message = error instanceof DataError ? error.message : `it cannot be read: ${(error as Error).message}`
    throw damageOf(`entry ${String(key).replaceAll(',', ' ')} of ${name}`, message)
  }
}

export function putPacked(databases: Databases, name: Name, key: Key, value: unknown): void {
  databases[name].putSync(key, sealBytes(name, key, packr.pack(value)))
}

/** Seals plain bytes with the same checksum. */
export const sealBytes = (name: Name, key: Key, body: Uint8Array): Uint8Array => seal(name, key, withChecksum(body))

/** Returns a copy, which may be changed and is aligned to words. */
export function openBytes(name: Name, key: Key, bytes: Uint8Array): Uint8Array {
  return new Uint8Array(checkedBody(unseal(name, key, bytes)))
}
