// The named databases of the LMDB environment, and their keys.

import type { Database, RootDatabase } from 'lmdb'
import type { Key } from '../../sealed/seal.ts'

export type { Key }

export type Databases = {
  root: RootDatabase<Uint8Array, Key>
  heads: Database<Uint8Array, Key>
  blocks: Database<Uint8Array, Key>
  parts: Database<Uint8Array, Key>
  markets: Database<Uint8Array, Key>
  slugs: Database<Uint8Array, Key>
  metadata: Database<Uint8Array, Key>
  finding: Database<Uint8Array, Key>
  meta: Database<Uint8Array, Key>
}

/** Names of the stored databases. */
export type DatabaseName = Exclude<keyof Databases, 'root'>
/** Sorts after every string that can follow in a key. */
export const KEY_END = '\uffff'
