// Which records of a block are from archives.

import type { Block } from '../../storage/format/block.ts'
import type { BlockOrigins, OwnRecords } from '../../storage/format/block-origins.ts'
import type { BookColumns } from './book-columns.ts'

/** Undefined where all are the user's. */
export function originsIn(
  { shapes }: Pick<Block, 'shapes'>,
  { recordCount, timesMs, operations, books, bookIds }: BookColumns,
): BlockOrigins | undefined {
  const sources = shapes.map(({ shape }) => shape.source)
  if (sources.every((source) => source === undefined)) return undefined
  const counts = new Map<string, number>()
  const own: (OwnRecords | null)[] = [null, ...bookIds.map(() => null)]
  for (let record = 0; record < recordCount; record++) {
    const shape = operations[record]! >>> 1
    const source = sources[shape]
    const timeMs = timesMs[record]!
    if (source !== undefined) {
      counts.set(source, (counts.get(source) ?? 0) + 1)
      continue
    }
    const [records, firstMs, , trades] = own[books[record]!] ?? [0, timeMs, timeMs, 0]
    const isTrade = shapes[shape]!.shape.kind === 'trade'
    own[books[record]!] = [records + 1, firstMs, timeMs, trades + (isTrade ? 1 : 0)]
  }
  return { sources: [...counts].sort(([a], [b]) => (a < b ? -1 : 1)), own }
}
