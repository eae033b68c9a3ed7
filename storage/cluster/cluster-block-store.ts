// Reads the parts of partitions from segments. Rows say where the parts are stored. A fetched part is either intact or
// known to be damaged.

import {
  type BlockStore,
  NotFetched,
  nameOfPart,
  type PartId,
  type PartitionBooks,
  type PartRef,
  type Parts,
} from '../block-store.ts'
import { damageIn, PartGone } from '../damage.ts'
import type { PartitionKey } from '../partition-key.ts'
import { openedBooks } from '../sealed/stored-parts.ts'
import type { PieceReader, ReadPiece, WantedPiece } from './piece-reader.ts'
import { placedPieces, type RowCache } from './row-cache.ts'
import { BOOKS, nameOfPiece, type PieceId } from './segment/pieces.ts'

export class ClusterBlockStore implements BlockStore {
  readonly #rows: RowCache
  readonly #reader: PieceReader

  constructor(rows: RowCache, reader: PieceReader) {
    this.#rows = rows
    this.#reader = reader
  }

  async fetch(refs: PartRef[]): Promise<Parts> {
    const fetched = new Map<string, ReadPiece | null>()
    await this.#read(refs, fetched)
    const damaged = refs.filter((ref) => isDamaged(fetched.get(nameOf(ref.key, ref))))
    if (damaged.length > 0) {
      // Pieces may have moved since the rows were read, and their old segment may have been removed.
      for (const { key } of damaged) this.#rows.forget(key.venue, key.market)
      await this.#read(damaged, fetched)
    }
    return new FetchedParts(fetched)
  }

  async #read(refs: readonly PartRef[], fetched: Map<string, ReadPiece | null>): Promise<void> {
    const wanted: (WantedPiece & { name: string })[] = []
    for (const { key, ...part } of refs) {
      const name = nameOf(key, part)
      fetched.set(name, null)
      const day = await this.#rows.day(key)
      const piece = day === undefined ? undefined : placedPieces(key, day).get(nameOfPiece(idOf(part)))
      if (piece !== undefined) wanted.push({ name, key, piece, segment: day!.segments[piece.segment]! })
    }
    for (const [index, piece] of (await this.#reader.read(wanted)).entries()) fetched.set(wanted[index]!.name, piece)
  }
}

class FetchedParts implements Parts {
  readonly #fetched: ReadonlyMap<string, ReadPiece | null>

  constructor(fetched: ReadonlyMap<string, ReadPiece | null>) {
    this.#fetched = fetched
  }

  bytes(key: PartitionKey, part: PartId): Uint8Array {
    return this.#piece(key, part, nameOfPart(part))
  }

  books(key: PartitionKey): PartitionBooks {
    return openedBooks(key, this.#piece(key, BOOKS, 'books'))
  }

  #piece(key: PartitionKey, part: PieceId, what: string): Uint8Array {
    const piece = this.#fetched.get(nameOf(key, part))
    if (piece === undefined) throw new NotFetched(`${what} of the ${key.venue} market ${key.market} on ${key.date}`)
    if (piece === null) throw new PartGone(key, what)
    if ('damage' in piece) throw damageIn(key, what, piece.damage)
    return piece.bytes
  }
}

const isDamaged = (piece: ReadPiece | null | undefined): boolean => piece != null && 'damage' in piece
const idOf = (part: PartId | { kind: 'books' }): PieceId => (part.kind === 'books' ? BOOKS : part)
const nameOf = ({ venue, market, date }: PartitionKey, part: PartId | { kind: 'books' }): string =>
  `${venue} ${market} ${date} ${nameOfPiece(idOf(part))}`
