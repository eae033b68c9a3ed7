// Stores the parts of partitions as rows, in the transaction of the commit. Readers read a part when they need it.

import { NO_BOOKS, nameOfPart, type PartId, type PartitionBooks, type Parts } from '../../block-store.ts'
import type { PartitionChange } from '../../catalogue.ts'
import { PartGone } from '../../damage.ts'
import type { PartitionKey } from '../../partition-key.ts'
import { openBooks, openPart, sealBooks, sealPart } from '../../sealed/stored-parts.ts'
import { below, keyOf } from '../keys.ts'
import { ALL_ROWS, type LocalRows, type Row, type RowKey } from '../rows.ts'
import { NOWHERE, type Placed, type PlacedDay, type PlacementPlan, type Placing } from './placing.ts'

const partKey = ({ venue, market, date }: PartitionKey, { kind, id, book }: PartId): RowKey =>
  kind === 'block'
    ? keyOf('b', venue, market, date, String(id))
    : keyOf('p', venue, market, date, `${kind} ${id} ${book}`)
const booksKey = ({ venue, market, date }: PartitionKey): RowKey => keyOf('p', venue, market, date, 'books')

export class PartsInRows implements Parts, Placing {
  readonly #rows: LocalRows

  constructor(rows: LocalRows) {
    this.#rows = rows
  }

  async fetch(): Promise<Parts> {
    return this
  }

  bytes(key: PartitionKey, part: PartId): Uint8Array {
    const bytes = this.#rows.read(partKey(key, part))
    if (bytes === undefined) throw new PartGone(key, nameOfPart(part))
    return openPart(key, part, bytes)
  }

  books(key: PartitionKey): PartitionBooks {
    const bytes = this.#rows.read(booksKey(key))
    if (bytes === undefined) throw new PartGone(key, 'books')
    return openBooks(key, bytes)
  }

  place(): Placed {
    const days = new Map<PartitionChange, PlacedDay>()
    const plan: PlacementPlan = {
      day: async (change) => {
        const day = days.get(change) ?? (await this.#day(change))
        // The rows of a removed partition are listed again for each plan, because another writer may have added some.
        if (change.head !== null) days.set(change, day)
        return day
      },
      finish: () => undefined,
    }
    return { plan: async () => plan, stored: async () => undefined, committed: () => undefined }
  }

  async #day({ key, before, head, books, put, removed }: PartitionChange): Promise<PlacedDay> {
    if (head === null) {
      // Removes all stored parts, whatever the head lists.
      const parts = await Promise.all(rangesOf(key).map((range) => this.#rows.keys({ ...range, limit: ALL_ROWS })))
      return { placement: NOWHERE, put: [], remove: parts.flat() }
    }
    const rows = put.map(({ bytes, ...part }): Row => ({ key: partKey(key, part), value: sealPart(key, part, bytes) }))
    const newBooks = books ?? (before === null ? NO_BOOKS : null)
    if (newBooks !== null) rows.push({ key: booksKey(key), value: sealBooks(key, newBooks) })
    const replaced = new Set(rows.map((row) => row.key))
    const gone = removed.map((part) => partKey(key, part)).filter((part) => !replaced.has(part))
    return { placement: NOWHERE, put: rows, remove: gone }
  }
}

const rangesOf = ({ venue, market, date }: PartitionKey) =>
  (['b', 'p'] as const).map((kind) => below(keyOf(kind, venue, market, date)))
