// Commits changes of markets to a cluster: first the segment with all new pieces, then the transaction whose rows name
// them. A piece that no row names does not exist, so a process that stops in between has changed nothing.

import { NO_BOOKS } from '../block-store.ts'
import type { MarketChange, PartitionChange } from '../catalogue.ts'
import { DataError } from '../failures.ts'
import { withRetry } from '../retry/with-retry.ts'
import { packedBooks, sealHead, sealPart } from '../sealed/stored-parts.ts'
import { type ClusterDatabase, type DayChange, type RowChange, SegmentSwept } from './database/cluster-database.ts'
import type { Objects } from './objects/objects.ts'
import { cacheName, type PieceCache } from './piece-reader.ts'
import { BOOKS, checksumOfPiece, type PieceChange, type PieceId, sealPiece } from './segment/pieces.ts'
import { NONCE_BYTES, SegmentWriter } from './segment/segment.ts'

export type CommitParts = {
  objects: Objects
  database: ClusterDatabase
  cache: PieceCache
  nowMs: () => number
  randomBytes: (count: number) => Uint8Array
}

type CachedPiece = { name: string; bytes: Uint8Array }

const ATTEMPTS = 3

/** Commits changes and returns those that were refused. */
export function writeCommit(
  { objects, database, cache, nowMs, randomBytes }: CommitParts,
  changes: MarketChange[],
): Promise<MarketChange[]> {
  const once = async () => {
    const nonce = randomBytes(NONCE_BYTES)
    const writer = new SegmentWriter(nonce)
    const start = writer.length
    const cached: CachedPiece[] = []
    const placed = changes.map((change) => placePieces(change, writer, cached))
    const segment = writer.length === start ? null : writer.finish(nowMs())
    const put = segment === null ? undefined : objects.put(segment.key, segment.bytes)
    // Heads are sealed while the object is being written.
    const [rows] = await Promise.all([rowChanges(changes, placed), put])
    const named = segment === null ? null : { key: segment.key, bytes: segment.bytes.length }
    const refused = await database.commitRows({ segment: named, changes: rows })
    cache.put(cached)
    return refused.map((index) => changes[index]!)
  }
  const isSwept = (error: unknown) => error instanceof SegmentSwept
  return withRetry(once, { attempts: ATTEMPTS, isPassing: isSwept }).catch((error) => {
    throw isSwept(error)
      ? new DataError('store_unavailable', 'Commits take so long that their objects are swept')
      : error
  })
}

/** For each partition, where its new pieces are stored. */
type PlacedPieces = PieceChange['put'][]

const placePieces = ({ partitions }: MarketChange, writer: SegmentWriter, cached: CachedPiece[]): PlacedPieces =>
  partitions.map((partition) => placeDay(partition, writer, cached))

function placeDay(
  { key, before, head, books, put }: PartitionChange,
  writer: SegmentWriter,
  cached: CachedPiece[],
): PieceChange['put'] {
  const placed: PieceChange['put'] = []
  const add = (id: PieceId, sealed: Uint8Array, bytes: Uint8Array) => {
    const piece = { ...id, ...writer.add(sealed), checksum: checksumOfPiece(bytes) }
    placed.push(piece)
    cached.push({ name: cacheName(key, piece), bytes })
  }
  if (head !== null) {
    for (const { bytes, ...part } of put) add(part, sealPart(key, part, bytes), bytes)
    const newBooks = books ?? (before === null ? NO_BOOKS : null)
    if (newBooks !== null) {
      const packed = packedBooks(newBooks)
      add(BOOKS, sealPiece(key, BOOKS, packed), packed)
    }
  }
  return placed
}

async function rowChanges(changes: readonly MarketChange[], placed: readonly PlacedPieces[]): Promise<RowChange[]> {
  return changes.map(({ venue, market, revision, partitions }, index) => ({
    ...{ venue, market, revision },
    days: partitions.map(({ key, before, head, removed }, at): DayChange => {
      const sealed = head === null ? null : { decoded: head, sealed: sealHead(key, head) }
      return { date: key.date, before, head: sealed, put: placed[index]![at]!, removed }
    }),
  }))
}
