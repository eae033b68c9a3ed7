// Reads pieces of segments: from the node's cache, else by ranges of objects. Neighbouring pieces are read in one
// request.

import { DataError } from '../failures.ts'
import { checkedBody, isIntact } from '../format/block.ts'
import type { PartitionKey } from '../partition-key.ts'
import { unseal } from '../sealed/seal.ts'
import { booksKey, openPart } from '../sealed/stored-parts.ts'
import { NodeCounters } from './node-counters.ts'
import { ObjectGone, type Objects, ObjectTooShort } from './objects/objects.ts'
import { checksumOfPiece, nameOfPiece, type PieceId, type PlacedPiece } from './segment/pieces.ts'

/** Two pieces at most this far apart are read in one request: the bytes between them cost less than another
 *  request. */
const GAP_BYTES_MAX = 4 << 10
const RANGE_BYTES_MAX = 8 << 20
const AT_ONCE = 16

export type WantedPiece = { key: PartitionKey; piece: PlacedPiece; segment: string }

/** Caches unsealed pieces by name and checksum. A returned piece may be damaged: the reader checks it. */
export interface PieceCache {
  get(name: string): Uint8Array | undefined
  put(pieces: { name: string; bytes: Uint8Array }[]): void
  close(): Promise<void>
}

export const NO_CACHE: PieceCache = { get: () => undefined, put: () => undefined, close: async () => undefined }

export const cacheName = ({ venue, market, date }: PartitionKey, piece: PieceId & { checksum: string }): string =>
  `${venue} ${market} ${date} ${nameOfPiece(piece)} ${piece.checksum}`

/** The unsealed piece, or its damage. */
export type ReadPiece = { bytes: Uint8Array } | { damage: Error }

export class PieceReader {
  readonly #objects: Objects
  readonly #cache: PieceCache
  readonly #counters: NodeCounters

  constructor(objects: Objects, cache: PieceCache, counters = new NodeCounters()) {
    this.#objects = objects
    this.#cache = cache
    this.#counters = counters
  }

  /** Reads pieces and returns them in the order of `wanted`. Rejects with DataError('blocks_unavailable'). */
  async read(wanted: readonly WantedPiece[]): Promise<ReadPiece[]> {
    const read: (ReadPiece | undefined)[] = wanted.map(({ key, piece }) => {
      const cached = this.#cache.get(cacheName(key, piece))
      return cached !== undefined && isIntact(cached) && isPiece(piece, cached) ? { bytes: cached } : undefined
    })
    const missing = wanted.map((_, index) => index).filter((index) => read[index] === undefined)
    const ranges = joined(wanted, missing)
    let next = 0
    const work = async () => {
      while (next < ranges.length) await this.#readRange(ranges[next++]!, wanted, read)
    }
    await Promise.all(Array.from({ length: Math.min(AT_ONCE, ranges.length) }, work))
    return read as ReadPiece[]
  }

  async #readRange(
    { key, start, length, indexes }: JoinedRange,
    wanted: readonly WantedPiece[],
    read: (ReadPiece | undefined)[],
  ): Promise<void> {
    let bytes: Uint8Array
    this.#counters.count('reads')
    this.#counters.count('readBytes', length)
    try {
      bytes = await this.#objects.read({ key, start, length })
    } catch (error) {
      if (!(error instanceof ObjectGone || error instanceof ObjectTooShort)) {
        this.#counters.count('failedReads')
        throw error
      }
      for (const index of indexes) read[index] = { damage: new DataError('block_corrupt', error.message) }
      return
    }
    const whole: { name: string; bytes: Uint8Array }[] = []
    // A piece that is requested twice is opened once.
    const openedAt = new Map<number, ReadPiece>()
    for (const index of indexes) {
      const { key: partition, piece } = wanted[index]!
      read[index] = openedAt.get(piece.start)
      if (read[index] !== undefined) continue
      const sealed = bytes.subarray(piece.start - start, piece.start - start + piece.length)
      const opened = openedPiece(partition, piece, sealed)
      read[index] = opened
      openedAt.set(piece.start, opened)
      if ('bytes' in opened) whole.push({ name: cacheName(partition, piece), bytes: opened.bytes })
      else opened.damage.message = `${opened.damage.message}, in the object ${key}`
    }
    this.#cache.put(whole)
  }
}

type JoinedRange = { key: string; start: number; length: number; indexes: number[] }

/** Joins the requested pieces into ranges; each piece is in exactly one range. */
function joined(wanted: readonly WantedPiece[], indexes: readonly number[]): JoinedRange[] {
  const ranges: JoinedRange[] = []
  const inOrder = [...indexes].sort((a, b) => {
    const [one, other] = [wanted[a]!, wanted[b]!]
    if (one.segment !== other.segment) return one.segment < other.segment ? -1 : 1
    return one.piece.start - other.piece.start
  })
  for (const index of inOrder) {
    const { segment, piece } = wanted[index]!
    const last = ranges.at(-1)
    const end = piece.start + piece.length
    const isNear =
      last?.key === segment &&
      piece.start - (last.start + last.length) <= GAP_BYTES_MAX &&
      end - last.start <= RANGE_BYTES_MAX
    if (isNear) {
      last.length = Math.max(last.length, end - last.start)
      last.indexes.push(index)
    } else ranges.push({ key: segment, start: piece.start, length: piece.length, indexes: [index] })
  }
  return ranges
}

/** Unseals a piece in place, and checks it. */
function openedPiece(key: PartitionKey, piece: PlacedPiece, sealed: Uint8Array): ReadPiece {
  try {
    const bytes = openPiece(key, piece, sealed)
    checkedBody(bytes)
    if (isPiece(piece, bytes)) return { bytes }
    return { damage: new DataError('block_corrupt', 'another piece is stored in its place') }
  } catch (error) {
    if (error instanceof DataError) return { damage: error }
    throw error
  }
}

const isPiece = (piece: PlacedPiece, bytes: Uint8Array): boolean => checksumOfPiece(bytes) === piece.checksum

function openPiece(key: PartitionKey, { kind, id, book }: PieceId, sealed: Uint8Array): Uint8Array {
  return kind === 'books' ? unseal('parts', booksKey(key), sealed) : openPart(key, { kind, id, book }, sealed)
}
