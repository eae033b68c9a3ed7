// Parts of partitions on LMDB: they are read when they are needed, from the file as it is mapped.

import { type BlockStore, nameOfPart, type PartId, type PartitionBooks, type Parts } from '../block-store.ts'
import { PartGone } from '../damage.ts'
import type { PartitionKey } from '../partition-key.ts'
import type { Databases, Key, PartDatabase } from './values/databases.ts'
import { unseal } from './values/seal.ts'
import { withoutName } from './values/self-description.ts'
import { booksKey, headKey, openBooks } from './values/stored-values.ts'

export class LmdbBlockStore implements BlockStore, Parts {
  readonly #databases: Databases

  constructor(databases: Databases) {
    this.#databases = databases
  }

  async fetch(): Promise<Parts> {
    return this
  }

  bytes(key: PartitionKey, part: PartId): Uint8Array {
    const { database, entry } = placeOf(key, part)
    const bytes = this.#databases[database].get(entry)
    if (bytes === undefined) throw new PartGone(key, nameOfPart(part))
    if (part.kind !== 'block') return unseal(database, entry, bytes)
    return unseal(database, entry, withoutName(bytes))
  }

  books(key: PartitionKey): PartitionBooks {
    const bytes = this.#databases.parts.get(booksKey(key))
    if (bytes === undefined) throw new PartGone(key, 'books')
    return openBooks(key, bytes)
  }
}

/** Where a part lies. */
export function placeOf(key: PartitionKey, { kind, id, book }: PartId): { database: PartDatabase; entry: Key } {
  if (kind === 'block') return { database: 'blocks', entry: [...headKey(key), id] }
  return { database: 'parts', entry: [...headKey(key), kind, id, book] }
}
