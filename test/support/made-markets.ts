// Stores of markets that hold next to nothing, for tests of the index: many entries, small or large.

import type { PartitionHead } from '../../storage/format/partition-head.ts'
import type { Store } from '../../storage/open-store.ts'

export const DATE = '2026-07-20'
export const nameOf = (number: number) => `KX-${String(number).padStart(4, '0')}`
export const slugOf = (number: number) => `slug-${String(number).padStart(4, '0')}`

export const HEAD: PartitionHead = {
  ...{ version: 1, revision: 1, recordCount: 0, firstMs: 0, lastMs: 0, openingBooks: null, closingBooks: null },
  ...{ blocks: [], books: [], gaps: [], looseSnapshots: [], edits: [] },
}

/** A day of each of some markets, with a block of so many bytes. */
export function putMarkets({ blocks }: Store, from: number, count: number, blockBytes: number): void {
  blocks.transaction((apply) => {
    for (let number = from; number < from + count; number++) {
      const key = { venue: 'kalshi', market: nameOf(number), date: DATE } as const
      const before = blocks.head(key) ?? null
      apply({ key, before, head: HEAD, fromBlock: 0, blocks: [new Uint8Array(blockBytes)], states: [] })
    }
  })
}
