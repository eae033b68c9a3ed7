// Rewrites past days into large segments, sorted by date and market, so that a day of a market lies in one range. A
// segment is put and read back whole before the rows name it, so whoever is killed at any moment has lost nothing, and
// the next run goes on. What is damaged is told, and stays where it is.

import { DataError } from '../../failures.ts'
import type { PartitionKey } from '../../partition-key.ts'
import { VENUES } from '../../venue.ts'
import { type ClusterDatabase, type DayRow, type Move, SegmentSwept } from '../database/cluster-database.ts'
import { ObjectGone, type Objects, ObjectTooShort } from '../objects/objects.ts'
import { NO_CACHE, PieceReader, type ReadPiece } from '../piece-reader.ts'
import { nameOfPiece, openPieces, type PlacedPiece, sealPiece } from '../segment/pieces.ts'
import { NONCE_BYTES, type Segment, SegmentWriter } from '../segment/segment.ts'
import { inReadingOrder } from './reading-order.ts'

/** A segment becomes larger where one day of a market alone is. Memory for three of them is needed. */
export const SEGMENT_BYTES = 64 << 20
/** Their transaction is short enough that others who commit do not notice it. */
const ROWS_A_SEGMENT = 5_000
const ROWS_A_PAGE = 200
const READ_BACK_BYTES = 8 << 20

export type CompactParts = {
  objects: Objects
  database: ClusterDatabase
  nowMs: () => number
  randomBytes: (count: number) => Uint8Array
}

export type CompactOptions = {
  /** Only days before this one. */
  before: string
  segmentBytes?: number
  onSegment?: (report: CompactReport, last: PartitionKey) => void
}

export type CompactReport = {
  partitions: number
  segments: number
  bytes: number
  /** Partitions that somebody changed meanwhile: the next run moves them. */
  refused: number
  damage: (PartitionKey & { what: string })[]
}

type Row = { key: PartitionKey; day: DayRow; pieces: PlacedPiece[] }

/** Rejects with DataError('store_unavailable'); what was moved before stays moved. */
export async function compact(parts: CompactParts, options: CompactOptions): Promise<CompactReport> {
  const { segmentBytes = SEGMENT_BYTES, onSegment = () => undefined } = options
  const report: CompactReport = { partitions: 0, segments: 0, bytes: 0, refused: 0, damage: [] }
  let batch: Row[] = []
  let bytes = 0
  const write = async () => {
    if (batch.length === 0) return
    await moveRows(parts, batch, report)
    onSegment(report, batch.at(-1)!.key)
    batch = []
    bytes = 0
  }
  for await (const { key, day } of unmovedRows(parts.database, options.before)) {
    const pieces = placedIn(key, day, report)
    if (pieces === undefined) continue
    const length = pieces.reduce((sum, piece) => sum + piece.length, 0)
    if (bytes + length > segmentBytes || batch.length === ROWS_A_SEGMENT) await write()
    batch.push({ key, day, pieces })
    bytes += length
  }
  await write()
  return report
}

async function* unmovedRows(
  database: ClusterDatabase,
  before: string,
): AsyncGenerator<{ key: PartitionKey; day: DayRow }> {
  for (const venue of VENUES) {
    for (const date of await database.unmovedDates(venue, before)) {
      for (let after = ''; ; ) {
        const page = await database.unmoved(venue, date, { after, limit: ROWS_A_PAGE })
        for (const { market, day } of page) yield { key: { venue, market, date }, day }
        if (page.length < ROWS_A_PAGE) break
        after = page.at(-1)!.market
      }
    }
  }
}

function placedIn(key: PartitionKey, day: DayRow, { damage }: CompactReport): PlacedPiece[] | undefined {
  try {
    const pieces = openPieces(key, day.pieces)
    if (pieces.every(({ segment }) => day.segments[segment] !== undefined)) return pieces
    damage.push({ ...key, what: 'index of its pieces: it counts in a segment that its row does not name' })
  } catch (error) {
    if (!(error instanceof DataError)) throw error
    damage.push({ ...key, what: `index of its pieces: ${causeOf(error)}` })
  }
  return undefined
}

async function moveRows(parts: CompactParts, batch: readonly Row[], report: CompactReport): Promise<void> {
  const { objects, database, nowMs, randomBytes } = parts
  const writer = new SegmentWriter(randomBytes(NONCE_BYTES))
  const moves: Move[] = []
  const read = await readRows(objects, batch)
  for (const [index, { key, day, pieces }] of batch.entries()) {
    const found = read[index]!
    const damage = pieces.flatMap((piece, at) => {
      const read = found[at]!
      return 'damage' in read ? [{ ...key, what: `${nameOfPiece(piece)}: ${read.damage.message}` }] : []
    })
    if (damage.length > 0) {
      if (await isStill(database, key, day)) report.damage.push(...damage)
      else report.refused++
      continue
    }
    const contents = new Map(pieces.map((piece, at) => [piece, (found[at] as { bytes: Uint8Array }).bytes]))
    const put = inReadingOrder(pieces).map(({ segment: _, ...piece }, at, ordered) => {
      const content = contents.get(ordered[at]!)!
      return { ...piece, ...writer.add(sealPiece(key, piece, content)) }
    })
    moves.push({ ...key, before: day.pieces, put })
  }
  if (moves.length === 0) return
  const segment = writer.finish(nowMs())
  await objects.put(segment.key, segment.bytes)
  await assertKept(objects, segment)
  const refused = await moved(database, segment, moves)
  report.partitions += moves.length - refused
  report.refused += refused
  report.segments++
  report.bytes += segment.bytes.length
}

/** Whoever was stopped for longer than a sweep waits finds what its rows named gone, and other rows in their place. */
async function isStill(database: ClusterDatabase, { venue, market, date }: PartitionKey, { pieces }: DayRow) {
  const [now] = await database.days([{ venue, market, dates: [date] }])
  const row = now?.days[0]
  return row !== undefined && Buffer.compare(row.pieces, pieces) === 0
}

/** Of each row its pieces. Ranges are joined over rows, many of which lie in the same segments. */
async function readRows(objects: Objects, batch: readonly Row[]): Promise<ReadPiece[][]> {
  const wanted = batch.flatMap(({ key, day, pieces }) =>
    pieces.map((piece) => ({ key, piece, segment: day.segments[piece.segment]! })),
  )
  const read = await new PieceReader(objects, NO_CACHE).read(wanted)
  let at = 0
  return batch.map(({ pieces }) => {
    at += pieces.length
    return read.slice(at - pieces.length, at)
  })
}

/** What the pieces were copied from is swept one day: until then a PUT that was lost must be known. */
async function assertKept(objects: Objects, { key, bytes }: Segment): Promise<void> {
  try {
    for (let start = 0; start < bytes.length; start += READ_BACK_BYTES) {
      const written = bytes.subarray(start, start + READ_BACK_BYTES)
      const read = await objects.read({ key, start, length: written.length })
      if (Buffer.compare(read, written) !== 0) throw notKept(key, 'other bytes')
    }
  } catch (error) {
    if (error instanceof ObjectGone) throw notKept(key, 'nothing')
    if (error instanceof ObjectTooShort) throw notKept(key, 'less')
    throw error
  }
}

const notKept = (key: string, found: string): DataError =>
  new DataError('store_unavailable', `The object ${key} was written, and reading it back gives ${found}`)

/** Returns how many were refused. */
async function moved(database: ClusterDatabase, { key, bytes }: Segment, moves: Move[]): Promise<number> {
  try {
    return (await database.move({ key, bytes: bytes.length }, moves)).length
  } catch (error) {
    // It took so long that a sweep came first.
    if (error instanceof SegmentSwept) return moves.length
    throw error
  }
}

const causeOf = (error: Error): string => (error.cause instanceof Error ? error.cause.message : error.message)
