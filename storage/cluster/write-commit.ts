// Commits changes of markets to a cluster: first the segment with all new pieces, then the transaction that names them.
// What no row names does not exist, so whoever stops in between has changed nothing.

import { NO_BOOKS } from '../block-store.ts'
import type { MarketChange, PartitionChange } from '../catalogue.ts'
import { DataError } from '../failures.ts'
import { type Fence, isSameFence } from '../fence.ts'
import { packedBooks, sealBooks, sealHead, sealPart } from '../sealed/stored-parts.ts'
import { type ClusterDatabase, type DayChange, type RowChange, SegmentSwept } from './database/cluster-database.ts'
import type { Objects } from './objects/objects.ts'
import { cacheName, type PieceCache } from './piece-reader.ts'
import { BOOKS, checksumOfPiece, type PieceChange, type PieceId } from './segment/pieces.ts'
import { NONCE_BYTES, SegmentWriter } from './segment/segment.ts'

export type CommitParts = {
  objects: Objects
  database: ClusterDatabase
  cache: PieceCache
  nowMs: () => number
  randomBytes: (count: number) => Uint8Array
}

const TRIES = 3

/** Returns what was refused. */
export async function writeCommit(
  { objects, database, cache, nowMs, randomBytes }: CommitParts,
  changes: MarketChange[],
): Promise<MarketChange[]> {
  const fences = fencesOf(changes)
  for (let tries = 1; ; tries++) {
    const nonce = randomBytes(NONCE_BYTES)
    const writer = new SegmentWriter(nonce)
    const start = writer.length
    const cached: { name: string; bytes: Uint8Array }[] = []
    const rows = changes.map((change) => rowChange(change, writer, cached))
    const segment = writer.length === start ? null : writer.finish(nowMs())
    if (segment !== null) await objects.put(segment.key, segment.bytes)
    try {
      const named = segment === null ? null : { key: segment.key, bytes: segment.bytes.length }
      const refused = await database.commitRows({ segment: named, changes: rows, fences })
      cache.put(cached)
      return refused.map((index) => changes[index]!)
    } catch (error) {
      if (!(error instanceof SegmentSwept)) throw error
      if (tries === TRIES) throw new DataError('store_unavailable', 'Commits take so long that their objects are swept')
    }
  }
}

/** Each once. */
function fencesOf(changes: readonly MarketChange[]): Fence[] {
  const fences = changes.flatMap((change) => change.fences ?? [])
  return fences.filter((fence, index) => fences.findIndex((other) => isSameFence(fence, other)) === index)
}

function rowChange(
  { venue, market, revision, partitions }: MarketChange,
  writer: SegmentWriter,
  cached: { name: string; bytes: Uint8Array }[],
): RowChange {
  const days = partitions.map((partition) => dayChange(partition, writer, cached))
  return { venue, market, revision, days }
}

function dayChange(
  { key, before, head, books, put, removed }: PartitionChange,
  writer: SegmentWriter,
  cached: { name: string; bytes: Uint8Array }[],
): DayChange {
  const placed: PieceChange['put'] = []
  const add = (id: PieceId, sealed: Uint8Array, bytes: Uint8Array) => {
    const piece = { ...id, ...writer.add(sealed), checksum: checksumOfPiece(bytes) }
    placed.push(piece)
    cached.push({ name: cacheName(key, piece), bytes })
  }
  if (head !== null) {
    for (const { bytes, ...part } of put) add(part, sealPart(key, part, bytes), bytes)
    const kept = books ?? (before === null ? NO_BOOKS : null)
    if (kept !== null) add(BOOKS, sealBooks(key, kept), packedBooks(kept))
  }
  const sealed = head === null ? null : { decoded: head, sealed: sealHead(key, head) }
  return { date: key.date, before, head: sealed, put: placed, removed }
}
