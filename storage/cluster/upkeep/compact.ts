// Rewrites past days into large segments, sorted by date and market, so that a day of a market is in one range. Each
// segment is written and read back completely before rows name it: a process that is killed at any moment loses
// nothing, and the next run continues. Damaged pieces are reported and stay where they are.

import { DataError } from '../../failures.ts'
import type { PartitionKey } from '../../partition-key.ts'
import type { Rows } from '../../rows/rows.ts'
import { VENUES } from '../../venue.ts'
import { ObjectGone, type Objects, ObjectTooShort } from '../objects/objects.ts'
import { NO_CACHE, PieceReader, type ReadPiece } from '../piece-reader.ts'
import { nameOfPiece, openPlacement, type PlacedPiece, type Placement, sealPiece } from '../segment/pieces.ts'
import { NONCE_BYTES, type Segment, SegmentWriter } from '../segment/segment.ts'
import { isStill, type Move, movePieces, type StoredPlacement, uncompactedDays } from './stored-days.ts'

/** Target size of a segment, bytes. A segment is larger only if a single day of a market is. Compaction needs memory
 *  for three segments. */
export const SEGMENT_BYTES = 64 << 20
/** The maximum number of rows for a segment. A transaction with this many rows is so short that other commits do not
 *  notice it. */
const ROWS_A_SEGMENT = 5_000
const READ_BACK_BYTES = 8 << 20
const RANK: Record<PlacedPiece['kind'], number> = { minutes: 0, books: 1, seconds: 2, state: 3, block: 4 }

export type CompactParts = {
  objects: Objects
  rows: Rows
  nowMs: () => number
  randomBytes: (count: number) => Uint8Array
}

export type CompactOptions = {
  /** Compacts only days before this date, YYYY-MM-DD. */
  before: string
  segmentBytes?: number
  onSegment?: (report: CompactReport, last: PartitionKey) => void
}

export type CompactReport = {
  partitions: number
  segments: number
  bytes: number
  /** The number of partitions that changed in the meantime. The next run moves them. */
  refused: number
  damage: (PartitionKey & { what: string })[]
}

type Row = { day: StoredPlacement; placement: Placement }

/** Runs a compaction. Rejects with DataError('store_unavailable'); what was moved before stays moved. */
export async function compact(parts: CompactParts, options: CompactOptions): Promise<CompactReport> {
  const { segmentBytes = SEGMENT_BYTES, onSegment = () => undefined } = options
  const report: CompactReport = { partitions: 0, segments: 0, bytes: 0, refused: 0, damage: [] }
  let batch: Row[] = []
  let bytes = 0
  const write = async () => {
    if (batch.length === 0) return
    await moveRows(parts, batch, report)
    onSegment(report, batch.at(-1)!.day.key)
    batch = []
    bytes = 0
  }
  for (const venue of VENUES) {
    for await (const day of uncompactedDays(parts.rows, venue, options.before)) {
      const placement = placedIn(day, report)
      if (placement === undefined) continue
      const length = placement.pieces.reduce((sum, piece) => sum + piece.length, 0)
      if (bytes + length > segmentBytes || batch.length === ROWS_A_SEGMENT) await write()
      batch.push({ day, placement })
      bytes += length
    }
  }
  await write()
  return report
}

function placedIn({ key, placement }: StoredPlacement, { damage }: CompactReport): Placement | undefined {
  try {
    const opened = openPlacement(key, placement)
    if (opened.pieces.every(({ segment }) => opened.segments[segment] !== undefined)) return opened
    damage.push({ ...key, what: 'index of its pieces: it counts in a segment that its row does not name' })
  } catch (error) {
    if (!(error instanceof DataError)) throw error
    damage.push({ ...key, what: `index of its pieces: ${causeOf(error)}` })
  }
  return undefined
}

async function moveRows(parts: CompactParts, batch: readonly Row[], report: CompactReport): Promise<void> {
  const { objects, rows, nowMs, randomBytes } = parts
  const writer = new SegmentWriter(randomBytes(NONCE_BYTES))
  const moves: Move[] = []
  const read = await readRows(objects, batch)
  for (const [index, { day, placement }] of batch.entries()) {
    const { key } = day
    const { pieces } = placement
    const found = read[index]!
    const damage = pieces.flatMap((piece, at) => {
      const read = found[at]!
      return 'damage' in read ? [{ ...key, what: `${nameOfPiece(piece)}: ${read.damage.message}` }] : []
    })
    if (damage.length > 0) {
      // It is not damage if another row has replaced this one: after the grace period, a sweep removes the objects
      // that only the old row named.
      if (await isStill(rows, day)) report.damage.push(...damage)
      else report.refused++
      continue
    }
    const contents = new Map(pieces.map((piece, at) => [piece, (found[at] as { bytes: Uint8Array }).bytes]))
    const put = inReadingOrder(pieces).map(({ segment: _, ...piece }, at, ordered) => {
      const content = contents.get(ordered[at]!)!
      return { ...piece, ...writer.add(sealPiece(key, piece, content)) }
    })
    moves.push({ day, put })
  }
  if (moves.length === 0) return
  const segmentMs = nowMs()
  const segment = writer.finish(segmentMs)
  await objects.put(segment.key, segment.bytes)
  await assertStored(objects, segment)
  const refused = await movePieces(rows, { key: segment.key, bytes: segment.bytes.length, nowMs: segmentMs }, moves)
  report.partitions += moves.length - refused
  report.refused += refused
  report.segments++
  report.bytes += segment.bytes.length
}

/** Returns a partition's pieces in the order in which they are stored. Pieces that are read together are next to each
 *  other: a summary of one book reads the `minutes` and `books` pieces, or the `books` and `seconds` pieces; a page of
 *  records reads `block` pieces; a replay reads a `state` piece, then `block` pieces. */
export const inReadingOrder = (pieces: readonly PlacedPiece[]): PlacedPiece[] =>
  [...pieces].sort((a, b) => RANK[a.kind] - RANK[b.kind] || a.book - b.book || a.id - b.id)

/** Returns the pieces of each row. Ranges are joined across rows, because many rows share segments. */
async function readRows(objects: Objects, batch: readonly Row[]): Promise<ReadPiece[][]> {
  const wanted = batch.flatMap(({ day: { key }, placement: { pieces, segments } }) =>
    pieces.map((piece) => ({ key, piece, segment: segments[piece.segment]! })),
  )
  const read = await new PieceReader(objects, NO_CACHE).read(wanted)
  let at = 0
  return batch.map(({ placement: { pieces } }) => {
    at += pieces.length
    return read.slice(at - pieces.length, at)
  })
}

/** Reads a segment back. The objects that the pieces were copied from will be swept, so a lost PUT must be noticed
 *  before that. */
async function assertStored(objects: Objects, { key, bytes }: Segment): Promise<void> {
  try {
    for (let start = 0; start < bytes.length; start += READ_BACK_BYTES) {
      const written = bytes.subarray(start, start + READ_BACK_BYTES)
      const read = await objects.read({ key, start, length: written.length })
      if (Buffer.compare(read, written) !== 0) throw notStored(key, 'other bytes')
    }
  } catch (error) {
    if (error instanceof ObjectGone) throw notStored(key, 'nothing')
    if (error instanceof ObjectTooShort) throw notStored(key, 'less')
    throw error
  }
}

const notStored = (key: string, found: string): DataError =>
  new DataError('store_unavailable', `The object ${key} was written, and reading it back gives ${found}`)

const causeOf = (error: Error): string => (error.cause instanceof Error ? error.cause.message : error.message)
