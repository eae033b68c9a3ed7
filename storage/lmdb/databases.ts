// The named databases of the LMDB environment. Heads and blocks have databases of their own, so that LMDB counts them.

import type { Database, DatabaseOptions, RootDatabase } from 'lmdb'
import type { RowKey } from '../rows/rows.ts'

export type RowDatabase = Database<Uint8Array, RowKey>

export type Databases = {
  root: RootDatabase<Uint8Array, string>
  heads: RowDatabase
  blocks: RowDatabase
  rows: RowDatabase
  meta: Database<Uint8Array, string>
}

/** Returns the database that holds the rows of a key's kind. */
export const databaseOf = (key: RowKey): 'heads' | 'blocks' | 'rows' => {
  const kind = key[0]
  return kind === 'd' ? 'heads' : kind === 'b' ? 'blocks' : 'rows'
}

/** Stores each character of a key as a byte. */
export const ROW_KEYS = {
  encoding: 'binary',
  keyEncoder: {
    writeKey(key: RowKey, target: Uint8Array, start: number): number {
      for (let at = 0; at < key.length; at++) target[start + at] = key.charCodeAt(at)
      return start + key.length
    },
    readKey: (source: Buffer, start: number, end: number): RowKey => source.toString('latin1', start, end),
  },
} as DatabaseOptions
