// The stored values of a partition: its head, its books and its parts, each with a checksum tied to its key. Every kind
// of store holds the same bytes.

import { Packr } from 'msgpackr'
import type { LayerBooks, PartId, PartitionBooks } from '../block-store.ts'
import { readingOf } from '../damage.ts'
import { checkedBody, withChecksum } from '../format/block.ts'
import type { PartitionHead } from '../format/partition-head.ts'
import { decodeHead, encodeHead } from '../format/partition-head-codec.ts'
import type { PartitionKey } from '../partition-key.ts'
import { type Key, seal, unseal } from './seal.ts'

/** The places (see seal.ts) in which parts of partitions are sealed. */
export type PartPlace = 'blocks' | 'parts'

const packr = new Packr({ useRecords: false })

export const headKey = ({ venue, market, date }: PartitionKey): string[] => [venue, market, date]

/** Returns the key of the opening and closing books, which are stored among the partition's parts. */
export const booksKey = (key: PartitionKey): string[] => [...headKey(key), 'books']

export function placeOf(key: PartitionKey, { kind, id, book }: PartId): { place: PartPlace; entry: Key } {
  if (kind === 'block') return { place: 'blocks', entry: [...headKey(key), id] }
  return { place: 'parts', entry: [...headKey(key), kind, id, book] }
}

export const sealHead = (key: PartitionKey, head: PartitionHead): Uint8Array =>
  seal('heads', headKey(key), encodeHead(head))

/** Throws DataError('block_corrupt'), like every function here that opens a value. */
export const openHead = (key: PartitionKey, bytes: Uint8Array): PartitionHead =>
  readingOf(key, 'head', () => decodeHead(unseal('heads', headKey(key), bytes)))

export const sealBooks = (key: PartitionKey, books: PartitionBooks): Uint8Array =>
  seal('parts', booksKey(key), packedBooks(books))

/** Encodes the books, with their checksum in front. The result is not sealed. */
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

/** Opens books that are already unsealed. */
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

export function sealPart(key: PartitionKey, part: PartId, bytes: Uint8Array): Uint8Array {
  const { place, entry } = placeOf(key, part)
  return seal(place, entry, bytes)
}

/** Unseals a part in place, so the same bytes cannot be opened twice: read them again. The part's own checksum shows
 *  whether it is intact. */
export function openPart(key: PartitionKey, part: PartId, bytes: Uint8Array): Uint8Array {
  const { place, entry } = placeOf(key, part)
  return unseal(place, entry, bytes)
}
