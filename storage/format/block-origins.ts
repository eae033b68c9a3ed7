// Which records of a block are from archives, as its head says it. Blocks that hold none say nothing, so heads of own
// captures are what they were before archives could be loaded.

import type { PartitionHead } from './partition-head.ts'

/** How many records, the first and the last of their times, and how many of them are trades. */
export type OwnRecords = [records: number, firstMs: number, lastMs: number, trades: number]

export type BlockOrigins = {
  /** Records of each archive, by its name in ascending order. */
  sources: [source: string, records: number][]
  /** Those of the user: first of no book, then of each in the order of `PartitionHead.books`; null where none are. */
  own: (OwnRecords | null)[]
}

export type SourceCount = { source: string; records: number }

/** Archives that records of the day are from, in ascending order; none where all are the user's. */
export function sourcesOf({ blocks }: Pick<PartitionHead, 'blocks'>): SourceCount[] {
  const counts = new Map<string, number>()
  for (const { origins } of blocks) {
    for (const [source, records] of origins?.sources ?? []) counts.set(source, (counts.get(source) ?? 0) + records)
  }
  return [...counts].map(([source, records]) => ({ source, records })).sort((a, b) => (a.source < b.source ? -1 : 1))
}
