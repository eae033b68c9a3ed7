// Reads the parts of partitions on demand from LMDB's mapped file.

import { type BlockStore, nameOfPart, type PartId, type PartitionBooks, type Parts } from '../block-store.ts'
import { PartGone } from '../damage.ts'
import type { PartitionKey } from '../partition-key.ts'
import { booksKey, openBooks, openPart, placeOf } from '../sealed/stored-parts.ts'
import type { Databases } from './values/databases.ts'

export class LmdbBlockStore implements BlockStore, Parts {
  readonly #databases: Databases

  constructor(databases: Databases) {
    this.#databases = databases
  }

  async fetch(): Promise<Parts> {
    return this
  }

  bytes(key: PartitionKey, part: PartId): Uint8Array {
    const { place, entry } = placeOf(key, part)
    const bytes = this.#databases[place].get(entry)
    if (bytes === undefined) throw new PartGone(key, nameOfPart(part))
    return openPart(key, part, bytes)
  }

  books(key: PartitionKey): PartitionBooks {
    const bytes = this.#databases.parts.get(booksKey(key))
    if (bytes === undefined) throw new PartGone(key, 'books')
    return openBooks(key, bytes)
  }
}
