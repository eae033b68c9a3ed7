// Fills stores with many small markets, for tests of the index.

import { blockPart } from '../../storage/block-store.ts'
import type { MarketChange } from '../../storage/catalogue.ts'
import type { PartitionHead } from '../../storage/format/partition-head.ts'
import type { Store } from '../../storage/open-store.ts'

export const DATE = '2026-07-20'
export const nameOf = (number: number) => `KX-${String(number).padStart(4, '0')}`
export const slugOf = (number: number) => `slug-${String(number).padStart(4, '0')}`

export const HEAD: PartitionHead = {
  ...{ version: 2, revision: 1, nextId: 1, recordCount: 0, tradeCount: 0, firstMs: 0, lastMs: 0 },
  ...{ blocks: [], rollups: [], books: [], gaps: [], inferredGaps: [], looseSnapshots: [], edits: [] },
}

/** Replaces the stored days of some markets by days with one block of the given size. */
export async function putMarkets(
  { catalogue }: Pick<Store, 'catalogue'>,
  markets: string[],
  blockBytes: number,
  dates: string[] = [DATE],
): Promise<void> {
  const changes: MarketChange[] = []
  for (const market of markets) {
    const { revision } = await catalogue.revision('kalshi', market)
    const partitions = dates.map(async (date) => {
      const key = { venue: 'kalshi', market, date } as const
      const before = (await catalogue.head(key)) ?? null
      const head = { ...HEAD, revision: (before?.revision ?? 0) + 1 }
      const put = [{ ...blockPart(1), bytes: new Uint8Array(blockBytes) }]
      return { key, before, head, books: null, put, removed: [] }
    })
    changes.push({ venue: 'kalshi', market, revision, partitions: await Promise.all(partitions) })
  }
  const refused = await catalogue.commit(changes)
  if (refused.length > 0) throw new Error(`${refused.length} markets were changed by others`)
}

export const namesFrom = (from: number, count: number): string[] =>
  Array.from({ length: count }, (_, i) => nameOf(from + i))
