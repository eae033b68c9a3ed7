// Turns the output of a partition writer into a change of the stored partition.

import type { PartId, PartitionBooks } from '../../storage/block-store.ts'
import type {
  BlockEntry,
  BookEntry,
  BookTimes,
  PartitionHead,
  RollupEntry,
  SequenceHole,
  TradeTotals,
} from '../../storage/format/partition-head.ts'
import type { PartitionKey } from '../../storage/partition-key.ts'
import { lastingBlocks } from './join-blocks.ts'
import type { PartitionChange, PlannedPart, StoredPartition } from './partition-types.ts'
import type { PartitionWriter, WrittenBlock } from './partition-writer.ts'
import { joinRollups, partsOf, type RollupPart, rollupOf, rollupsToJoin } from './rollups.ts'

const EDITS_MAX = 64

export type Written = {
  key: PartitionKey
  before: StoredPartition | undefined
  /** New ids, and the revision of a new partition, are above this number. */
  base: number
  /** Index of the first block of `before` that is rewritten. A writer that opened at an earlier block has replayed the
   *  blocks in between. */
  from: number
  writer: PartitionWriter
  /** Number of the first record that differs from the records of `before`. */
  firstChanged: number
  looseSnapshots: number[]
  heard: BookTimes[]
  sequenceHoles: SequenceHole[]
  /** Same as `source` in the head. */
  source: string | undefined
  books: PartitionBooks
}

export function changeOf(written: Written): PartitionChange {
  const { key, before, base, writer, books } = written
  const parts = new Parts(Math.max(before?.head.nextId ?? 0, base + 1))
  const retained = (before?.head.blocks ?? []).filter(({ firstRecord }) => firstRecord < writer.firstRecord)
  const blocks = [...retained, ...writer.blocks.map((block) => parts.addBlock(block))]
  const rollups = rollupsOf(written, blocks, parts)
  const head = headOf(written, blocks, rollups, parts.nextId)
  const removed = removedParts(before?.head, blocks, rollups)
  return { key, before: before?.head ?? null, head, books, put: parts.put, removed }
}

class Parts {
  readonly put: PlannedPart[] = []
  nextId: number

  constructor(nextId: number) {
    this.nextId = nextId
  }

  addBlock({ entry, stored, content, state }: WrittenBlock): BlockEntry {
    const id = content === null ? stored!.id : this.#add('block', content)
    const stateId = state === null ? 0 : this.#add('state', state)
    return { ...entry, id, stateId }
  }

  #add(kind: 'block' | 'state', content: PlannedPart['content']): number {
    const id = this.nextId++
    this.put.push({ kind, id, book: 0, content })
    return id
  }
}

function rollupsOf({ before, writer }: Written, blocks: BlockEntry[], parts: Parts): RollupEntry[] {
  const retained = (before?.head.rollups ?? []).filter(
    ({ firstRecord, recordCount }) => firstRecord + recordCount <= writer.firstRecord,
  )
  if (blocks.some(({ begins }) => begins !== undefined)) return rollupsOfSpans(retained, writer.blocks, parts)
  const rollup = rollupOf(writer.blocks, parts.nextId)
  if (rollup === undefined) return retained
  parts.nextId++
  const entries = [...retained, rollup.entry]
  const counts = blocks.map(({ recordCount }) => recordCount)
  const lasting = blocks[lastingBlocks(counts)]?.firstRecord ?? Number.POSITIVE_INFINITY
  const count = rollupsToJoin(entries, lasting)
  const joined = count === 0 ? undefined : join(entries.slice(0, count), blocks, parts, before!, rollup.parts)
  if (joined === undefined) {
    parts.put.push(...rollup.parts)
    return entries
  }
  if (count < entries.length) parts.put.push(...rollup.parts)
  parts.nextId++
  parts.put.push(...joined.parts)
  return [joined.entry, ...entries.slice(count)]
}

/** Returns the rollups of a date with several spans. No rollup contains a switch to another source, because the known
 *  state of a book ends at the switch. Rollups are not joined here, since each change rewrites all of them. */
function rollupsOfSpans(retained: RollupEntry[], written: WrittenBlock[], parts: Parts): RollupEntry[] {
  const starts = written.flatMap(({ entry }, i) => (i === 0 || entry.begins !== undefined ? [i] : []))
  const rollups = starts.flatMap((start, i) => {
    const rollup = rollupOf(written.slice(start, starts[i + 1]), parts.nextId)
    if (rollup === undefined) return []
    parts.nextId++
    parts.put.push(...rollup.parts)
    return [rollup.entry]
  })
  return [...retained, ...rollups]
}

function join(entries: RollupEntry[], blocks: BlockEntry[], parts: Parts, before: StoredPartition, own: RollupPart[]) {
  const end = entries.at(-1)!.firstRecord + entries.at(-1)!.recordCount
  const covered = blocks.filter(({ firstRecord }) => firstRecord >= entries[0]!.firstRecord && firstRecord < end)
  const blockBytes = covered.reduce((sum, { bytes }) => sum + bytes, 0)
  return joinRollups(entries, { id: parts.nextId, blockBytes }, (part) => {
    const written = own.find(({ kind, id, book }) => kind === part.kind && id === part.id && book === part.book)
    return written?.content ?? before.bytes(part)
  })
}

function headOf(
  { before, base, writer, firstChanged, looseSnapshots, heard, sequenceHoles, source }: Written,
  blocks: BlockEntry[],
  rollups: RollupEntry[],
  nextId: number,
): PartitionHead {
  const revision = (before?.head.revision ?? base) + 1
  const { quality, bookless } = writer.replay
  const { books, inferredGaps } = writer.replay.closing()
  return {
    version: 2,
    revision,
    nextId,
    ...totalsOf(blocks, books, bookless),
    blocks,
    rollups,
    books,
    gaps: [...(before?.head.gaps ?? []).slice(0, writer.gapsBefore), ...writer.gaps],
    inferredGaps: [...(before?.head.inferredGaps ?? []).slice(0, quality.gapsBefore), ...inferredGaps],
    looseSnapshots,
    edits: addEdit(before?.head, revision, firstChanged),
    ...(bookless && { bookless }),
    ...(heard.length > 0 && { heard }),
    ...(sequenceHoles.length > 0 && { sequenceHoles }),
    ...(source !== undefined && { source }),
  }
}

type Totals = Pick<PartitionHead, 'recordCount' | 'tradeCount' | 'firstMs' | 'lastMs'>

/** Returns the head's totals over all blocks and books. `bookless` are the trades without a book. */
export function totalsOf(
  blocks: readonly Omit<BlockEntry, 'id' | 'stateId'>[],
  books: readonly BookEntry[],
  bookless: TradeTotals | undefined,
): Totals {
  const [first, last] = [blocks[0]!, blocks.at(-1)!]
  return {
    recordCount: last.firstRecord + last.recordCount,
    tradeCount: books.reduce((sum, { tradeCount }) => sum + tradeCount, bookless?.tradeCount ?? 0),
    firstMs: first.firstMs,
    lastMs: last.lastMs,
  }
}

/** Adds the first record that a revision changed. Replaces earlier edits at or after that place. Beyond the limit,
 *  merges the two oldest edits; the only effect is that more cursors are refused. */
export function addEdit(before: PartitionHead | undefined, revision: number, firstChanged: number): [number, number][] {
  const edits = before?.edits ?? []
  // The revision only added records at the end. Every cursor points before them, so all cursors stay valid.
  if (before !== undefined && firstChanged === before.recordCount) return edits
  const retained = edits.filter(([, record]) => record < firstChanged)
  retained.push([revision, firstChanged])
  if (retained.length > EDITS_MAX) retained.splice(0, 2, [retained[1]![0], retained[0]![1]])
  return retained
}

function removedParts(before: PartitionHead | undefined, blocks: BlockEntry[], rollups: RollupEntry[]): PartId[] {
  if (before === undefined) return []
  const [ids, stateIds] = [new Set(blocks.map(({ id }) => id)), new Set(blocks.map(({ stateId }) => stateId))]
  const rollupIds = new Set(rollups.map(({ id }) => id))
  return [
    ...before.blocks.flatMap(({ id }): PartId[] => (ids.has(id) ? [] : [{ kind: 'block', id, book: 0 }])),
    ...before.blocks.flatMap(({ stateId }): PartId[] =>
      stateId === 0 || stateIds.has(stateId) ? [] : [{ kind: 'state', id: stateId, book: 0 }],
    ),
    ...before.rollups.flatMap((rollup) => (rollupIds.has(rollup.id) ? [] : partsOf(rollup))),
  ]
}
