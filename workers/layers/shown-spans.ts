// Computes the spans of a stored date, which depend on the dates before and after it.

import { blockPart, type PartId } from '../../storage/block-store.ts'
import type { StoredDay } from '../../storage/catalogue.ts'
import { decodeBlock, unpackInts } from '../../storage/format/block.ts'
import { headOfSource, type Source } from '../../storage/format/head-layers.ts'
import type { PartitionHead, Span } from '../../storage/format/partition-head.ts'
import type { PartitionKey } from '../../storage/partition-key.ts'
import { isDayAfter } from '../../storage/units.ts'
import { opensWith, type Stretch } from './known-times.ts'
import type { Layer } from './layer.ts'
import { spansOf } from './spans.ts'

/** Returns the spans of a date. `layers` are in the order of `inOrder`, and `bytes` reads the parts of all of them.
 *  `neighbour` returns the source's nearest date before or after this date. */
export async function shownSpans(
  { date }: PartitionKey,
  layers: readonly Layer[],
  bytes: (part: PartId) => Uint8Array,
  neighbour: (direction: 'before' | 'after', source: Source) => Promise<StoredDay | undefined>,
): Promise<Span[]> {
  const dates = layers.map(async ({ source, head }) => {
    const [before, after] = await Promise.all([neighbour('before', source), neighbour('after', source)])
    const headBefore = before !== undefined && isDayAfter(before.date, date) ? headOf(before, source) : undefined
    const headAfter = after !== undefined && isDayAfter(date, after.date) ? headOf(after, source) : undefined
    const continues = headAfter?.books.some((entry) => opensWith(entry, head)) ?? false
    const hasRecordIn = (stretch: Stretch) => isRecordIn(head, bytes, stretch)
    return { source, head, before: headBefore, continues, hasRecordIn }
  })
  return spansOf(date, await Promise.all(dates))
}

function isRecordIn(
  { blocks }: PartitionHead,
  bytes: (part: PartId) => Uint8Array,
  { fromMs, toMs }: Stretch,
): boolean {
  const isIn = (ms: number) => ms >= fromMs && ms < toMs
  return blocks.some(({ id, firstMs, lastMs }) => {
    if (isIn(firstMs) || isIn(lastMs)) return true
    if (lastMs < fromMs || firstMs >= toMs) return false
    const { timesMs, recordCount } = decodeBlock(bytes(blockPart(id)))
    return unpackInts(timesMs, recordCount).some(isIn)
  })
}

const headOf = ({ head }: StoredDay, source: Source): PartitionHead => headOfSource(head, source)!
