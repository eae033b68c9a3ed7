// The placement of a partition: where each of its pieces is stored. The row of the day contains the placement and the
// head.

import { Packr } from 'msgpackr'
import type { PartKind } from '../../block-store.ts'
import { readingOf } from '../../damage.ts'
import { DataError } from '../../failures.ts'
import { checkedBody, withChecksum } from '../../format/block.ts'
import type { PartitionKey } from '../../partition-key.ts'
import { seal, unseal } from '../../sealed/seal.ts'
import { booksKey, headKey, sealPart } from '../../sealed/stored-parts.ts'
import { packSegmentKeys, unpackSegmentKeys } from './segment.ts'

/** Identifies a piece: a part, or the books of the partition. */
export type PieceId = { kind: PartKind | 'books'; id: number; book: number }
export const BOOKS = { kind: 'books', id: 0, book: 0 } as const

/** A piece and its place. `segment` is an index into the segments of the placement. `checksum` is the checksum at the
 *  start of the unsealed piece, 16 hexadecimal digits. The id and the checksum together name the piece in caches. */
export type PlacedPiece = PieceId & { segment: number; start: number; length: number; checksum: string }

/** `segments` are keys of objects. `isCompacted`: the pieces have not changed since they were moved together. */
export type Placement = { segments: string[]; pieces: PlacedPiece[]; isCompacted: boolean }

/** The change that a commit makes to a placement. All new pieces are in the commit's own segment. */
export type PieceChange = { put: Omit<PlacedPiece, 'segment'>[]; removed: readonly PieceId[] }

const KINDS: (PartKind | 'books')[] = ['block', 'state', 'seconds', 'minutes', 'books']
const NUMBERS = 6
const CHECKSUM_BYTES = 8
const packr = new Packr({ useRecords: false })

export const nameOfPiece = ({ kind, id, book }: PieceId): string => `${kind} ${id} ${book}`

/** Returns a number that identifies the piece within its partition. No market has 0x10000 books. */
const numberOfPiece = ({ kind, id, book }: PieceId): number =>
  (id * KINDS.length + KINDS.indexOf(kind)) * 0x10000 + book

type Packed = [segments: Uint8Array, numbers: number[], checksums: Uint8Array, isCompacted: boolean]

/** Encodes a placement, sealed with the partition's key. */
export function sealPlacement(key: PartitionKey, { segments, pieces, isCompacted }: Placement): Uint8Array {
  const numbers: number[] = []
  for (const { kind, id, book, segment, start, length } of pieces)
    numbers.push(KINDS.indexOf(kind), id, book, segment, start, length)
  const checksums = Buffer.from(pieces.map(({ checksum }) => checksum).join(''), 'hex')
  const packed: Packed = [packSegmentKeys(segments), numbers, checksums, isCompacted]
  return seal('pieces', headKey(key), withChecksum(packr.pack(packed)))
}

/** Decodes a placement. Throws DataError('block_corrupt'). */
export const openPlacement = (key: PartitionKey, bytes: Uint8Array): Placement =>
  readingOf(key, 'index of its pieces', () => {
    const body = checkedBody(unseal('pieces', headKey(key), new Uint8Array(bytes)))
    const [names, numbers, checksums, isCompacted] = packr.unpack(body) as Packed
    const all = Buffer.from(checksums).toString('hex')
    const isWhole = numbers.length % NUMBERS === 0 && all.length === (numbers.length / NUMBERS) * 2 * CHECKSUM_BYTES
    if (!isWhole) throw new DataError('block_corrupt', 'it is incomplete')
    const pieces: PlacedPiece[] = []
    for (let at = 0; at < numbers.length; at += NUMBERS) {
      const digits = (at / NUMBERS) * 2 * CHECKSUM_BYTES
      pieces.push({
        kind: KINDS[numbers[at]!]!,
        id: numbers[at + 1]!,
        book: numbers[at + 2]!,
        segment: numbers[at + 3]!,
        start: numbers[at + 4]!,
        length: numbers[at + 5]!,
        checksum: all.slice(digits, digits + 2 * CHECKSUM_BYTES),
      })
    }
    return { segments: unpackSegmentKeys(names), pieces, isCompacted }
  })

/** Returns the segments and pieces after a commit. Leaves out segments that hold no piece any more. `segment` is the
 *  key of the commit's own segment; null if the commit has no segment. */
export function changedPieces(
  before: Placement | null,
  { put, removed }: PieceChange,
  segment: string | null,
): Omit<Placement, 'isCompacted'> {
  const gone = new Set<number>()
  for (const piece of removed) gone.add(numberOfPiece(piece))
  for (const piece of put) gone.add(numberOfPiece(piece))
  const segments: string[] = []
  const indexes = new Map<string, number>()
  const numberOf = (name: string): number => {
    const existing = indexes.get(name)
    if (existing !== undefined) return existing
    indexes.set(name, segments.length)
    return segments.push(name) - 1
  }
  const pieces: PlacedPiece[] = []
  for (const piece of before?.pieces ?? []) {
    if (gone.has(numberOfPiece(piece))) continue
    const number = numberOf(before!.segments[piece.segment]!)
    pieces.push(number === piece.segment ? piece : { ...piece, segment: number })
  }
  if (segment !== null) for (const piece of put) pieces.push({ ...piece, segment: numberOf(segment) })
  return { segments, pieces }
}

/** Seals a piece again. `content` is the unsealed piece. The result has the same bytes as the piece had before it was
 *  unsealed. */
export const sealPiece = (key: PartitionKey, { kind, id, book }: PieceId, content: Uint8Array): Uint8Array =>
  kind === 'books' ? seal('parts', booksKey(key), content) : sealPart(key, { kind, id, book }, content)

/** Returns the checksum of an unsealed piece. */
export const checksumOfPiece = (content: Uint8Array): string => content.subarray(0, CHECKSUM_BYTES).toHex()
