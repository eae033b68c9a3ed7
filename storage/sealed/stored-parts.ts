// What belongs to a partition as it is stored, each value behind a checksum that is tied to its key: the head, the
// books, and the parts. The same bytes in every kind of store.

import { Packr } from 'msgpackr'
import type { LayerBooks, PartId, PartitionBooks } from '../block-store.ts'
import { readingOf } from '../damage.ts'
import { checkedBody, withChecksum } from '../format/block.ts'
import type { PartitionHead } from '../format/partition-head.ts'
import { decodeHead, encodeHead } from '../format/partition-head-codec.ts'
import type { PartitionKey } from '../partition-key.ts'
import { type Key, seal, unseal } from './seal.ts'
import { withName, withoutName } from './self-description.ts'

/** Where parts of partitions lie. */
export type PartPlace = 'blocks' | 'parts'

const packr = new Packr({ useRecords: false })

export const headKey = ({ venue, market, date }: PartitionKey): string[] => [venue, market, date]

/** Its opening and closing books lie among its parts. */
export const booksKey = (key: PartitionKey): string[] => [...headKey(key), 'books']

export function placeOf(key: PartitionKey, { kind, id, book }: PartId): { place: PartPlace; entry: Key } {
  if (kind === 'block') return { place: 'blocks', entry: [...headKey(key), id] }
  return { place: 'parts', entry: [...headKey(key), kind, id, book] }
}

export const sealHead = (key: PartitionKey, head: PartitionHead): Uint8Array =>
  seal('heads', headKey(key), encodeHead(head))

/** Throws DataError('block_corrupt'), as all that open something do. */
export const openHead = (key: PartitionKey, bytes: Uint8Array): PartitionHead =>
  readingOf(key, 'head', () => decodeHead(unseal('heads', headKey(key), bytes)))

export const sealBooks = (key: PartitionKey, books: PartitionBooks): Uint8Array =>
  seal('parts', booksKey(key), packedBooks(books))

/** Behind their checksum, and not sealed. */
export const packedBooks = ({ layers, ...shown }: PartitionBooks): Uint8Array =>
  withChecksum(
    packr.pack(
      layers
        ? [shown.opening, shown.closing, null, layers.map((layer) => [layer.source, ...packed(layer)])]
        : packed(shown),
    ),
  )

export const openBooks = (key: PartitionKey, bytes: Uint8Array): PartitionBooks =>
  openedBooks(key, unseal('parts', booksKey(key), bytes))

/** Of books that are not sealed any more. */
export const openedBooks = (key: PartitionKey, bytes: Uint8Array): PartitionBooks =>
  readingOf(key, 'books', () => {
    const body = checkedBody(bytes)
    const books = packr.unpack(body) as PackedBooks
    const layers = books[3]?.map(([source, ...layer]) => ({ source, ...unpacked(layer) }))
    return { ...unpacked(books), ...(layers && { layers }) }
  })

type Packed = Uint8Array | null
type PackedLayer = [opening: Packed, closing: Packed, carried?: [date: string, closing: Packed] | null]
type PackedBooks = [...Required<PackedLayer>, layers?: [source: string | null, ...PackedLayer][]]

const packed = ({ opening, closing, carried }: LayerBooks): PackedLayer =>
  carried ? [opening, closing, [carried.date, carried.closing]] : [opening, closing]

function unpacked([opening, closing, carried]: PackedLayer | PackedBooks): LayerBooks {
  return { opening, closing, ...(carried && { carried: { date: carried[0], closing: carried[1] } }) }
}

/** A block says of itself which one it is. */
export function sealPart(key: PartitionKey, part: PartId, bytes: Uint8Array): Uint8Array {
  const { place, entry } = placeOf(key, part)
  const sealed = seal(place, entry, bytes)
  return part.kind === 'block' ? withName({ ...key, id: part.id }, sealed) : sealed
}

/** In place: whoever opens a part again must read it again. The part's own checksum tells whether it is whole. */
export function openPart(key: PartitionKey, part: PartId, bytes: Uint8Array): Uint8Array {
  const { place, entry } = placeOf(key, part)
  return unseal(place, entry, part.kind === 'block' ? withoutName(bytes) : bytes)
}
