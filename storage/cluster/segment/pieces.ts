// Where the pieces of a partition lie: its index, which is kept beside its head.

import { Packr } from 'msgpackr'
import type { PartKind } from '../../block-store.ts'
import { readingOf } from '../../damage.ts'
import { DataError } from '../../failures.ts'
import { checkedBody, withChecksum } from '../../format/block.ts'
import type { PartitionKey } from '../../partition-key.ts'
import { seal, unseal } from '../../sealed/seal.ts'
import { booksKey, headKey, sealPart } from '../../sealed/stored-parts.ts'

/** A part, or the books of the partition. */
export type PieceId = { kind: PartKind | 'books'; id: number; book: number }
export const BOOKS = { kind: 'books', id: 0, book: 0 } as const

/** `segment` is an index into the segments that the row names. `checksum` is the one that its bytes begin
 *  with before they are sealed, 16 hexadecimal digits: with its id it names the piece in caches. */
export type PlacedPiece = PieceId & { segment: number; start: number; length: number; checksum: string }

/** `Name` is how the catalogue names segments. */
export type PieceIndex<Name> = { segments: Name[]; pieces: PlacedPiece[] }

/** What a commit does to an index: the new pieces all lie in its own segment. */
export type PieceChange = { put: Omit<PlacedPiece, 'segment'>[]; removed: PieceId[] }

const KINDS: (PartKind | 'books')[] = ['block', 'state', 'seconds', 'minutes', 'books']
const NUMBERS = 6
const CHECKSUM_BYTES = 8
const packr = new Packr({ useRecords: false })

export const nameOfPiece = ({ kind, id, book }: PieceId): string => `${kind} ${id} ${book}`

/** The same as a number; a market has fewer books. */
const numberOfPiece = ({ kind, id, book }: PieceId): number =>
  (id * KINDS.length + KINDS.indexOf(kind)) * 0x10000 + book

/** An index for a row: its pieces, as bytes that are tied to the partition. */
export function sealPieces(key: PartitionKey, pieces: readonly PlacedPiece[]): Uint8Array {
  const numbers: number[] = []
  for (const { kind, id, book, segment, start, length } of pieces)
    numbers.push(KINDS.indexOf(kind), id, book, segment, start, length)
  const checksums = Buffer.from(pieces.map(({ checksum }) => checksum).join(''), 'hex')
  return seal('pieces', headKey(key), withChecksum(packr.pack([numbers, checksums])))
}

/** Throws DataError('block_corrupt'). */
export const openPieces = (key: PartitionKey, bytes: Uint8Array): PlacedPiece[] =>
  readingOf(key, 'index of its pieces', () => {
    const body = checkedBody(unseal('pieces', headKey(key), new Uint8Array(bytes)))
    const [numbers, checksums] = packr.unpack(body) as [number[], Uint8Array]
    const all = Buffer.from(checksums).toString('hex')
    const isWhole = numbers.length % NUMBERS === 0 && all.length === (numbers.length / NUMBERS) * 2 * CHECKSUM_BYTES
    if (!isWhole) throw new DataError('block_corrupt', 'it is not whole')
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
    return pieces
  })

/** The index after a commit, in which only segments stand that a piece lies in. `segment` is the commit's own. */
export function changedIndex<Name>(
  before: PieceIndex<Name> | null,
  { put, removed }: PieceChange,
  segment: Name | null,
): PieceIndex<Name> {
  const gone = new Set<number>()
  for (const piece of removed) gone.add(numberOfPiece(piece))
  for (const piece of put) gone.add(numberOfPiece(piece))
  const segments: Name[] = []
  const indexes = new Map<Name, number>()
  const numberOf = (name: Name): number => {
    const known = indexes.get(name)
    if (known !== undefined) return known
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

/** `content` is what was sealed before: the same bytes again. */
export const sealPiece = (key: PartitionKey, { kind, id, book }: PieceId, content: Uint8Array): Uint8Array =>
  kind === 'books' ? seal('parts', booksKey(key), content) : sealPart(key, { kind, id, book }, content)

const HEX = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'))

/** Of a piece that is not sealed. */
export function checksumOfPiece(content: Uint8Array): string {
  let digits = ''
  for (let at = 0; at < CHECKSUM_BYTES; at++) digits += HEX[content[at]!]
  return digits
}
