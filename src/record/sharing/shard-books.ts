// The books of a shard as its lease keeps them: since when something of each may be missing in the store. Pure.

import type { ShardHeard } from '../../../storage/cluster/leases/leases.ts'
import { VENUES, type Venue } from '../../../storage/venue.ts'
import type { BookId } from '../connection/venue-protocol.ts'

export type ShardBook = {
  venue: Venue
  book: BookId
  market: string | null
  /** Unix ms; null where it is known as far as the shard is. */
  sinceMs: number | null
}

type Packed = Partial<Record<Venue, [book: BookId, market: string | null, sinceMs: number | null][]>>

export const packBooks = (books: Iterable<ShardBook>): Uint8Array => Bun.zstdCompressSync(textOf(books))

export function textOf(books: Iterable<ShardBook>): string {
  const packed: Packed = {}
  for (const { venue, book, market, sinceMs } of books) {
    packed[venue] ??= []
    packed[venue].push([book, market, sinceMs === null ? null : Math.floor(sinceMs)])
  }
  return JSON.stringify(packed)
}

/** Each with its time. Throws where it is damaged. */
export function booksOf({ untilMs, books }: ShardHeard): (ShardBook & { sinceMs: number })[] {
  if (books === null) return []
  const packed = JSON.parse(new TextDecoder().decode(Bun.zstdDecompressSync(books))) as Packed
  return VENUES.flatMap((venue) =>
    (packed[venue] ?? []).flatMap(([book, market, since]) => {
      const sinceMs = since ?? untilMs
      return sinceMs === null ? [] : [{ venue, book, market, sinceMs }]
    }),
  )
}
