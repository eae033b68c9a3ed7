// What discovery wants recorded, by shards: of those that this recorder does not hold, too, since it may come to. Pure.

import { shardOf } from '../../../storage/cluster/leases/sharing.ts'
import type { Venue } from '../../../storage/venue.ts'
import type { BookId } from '../connection/venue-protocol.ts'
import type { WantedMarket } from '../connection/wanted-market.ts'

/** What the market of a book is known by. */
type Place = { shard: number; name: string }

export class WantedShards {
  readonly #count: number
  readonly #markets: Map<string, WantedMarket>[]
  readonly #ofBook: Record<Venue, Map<BookId, Place>> = { polymarket: new Map(), kalshi: new Map() }

  constructor(count: number) {
    this.#count = count
    this.#markets = Array.from({ length: count }, () => new Map())
  }

  /** The shards that they are of. */
  add(markets: readonly WantedMarket[]): Set<number> {
    const shards = new Set<number>()
    for (const wanted of markets) {
      const { venue, market, books } = wanted
      const name = market ?? books[0]!
      const shard = shardOf(venue, name, this.#count)
      const known = this.#markets[shard]!.get(`${venue} ${name}`)
      const all = [...new Set([...(known?.books ?? []), ...books])]
      this.#markets[shard]!.set(`${venue} ${name}`, { venue, market, books: all })
      for (const book of books) this.#ofBook[venue].set(book, { shard, name })
      shards.add(shard)
    }
    return shards
  }

  /** Those of these books that are wanted no more, by their shards. */
  remove(venue: Venue, books: readonly BookId[]): Map<number, BookId[]> {
    const removed = new Map<number, BookId[]>()
    for (const book of books) {
      const place = this.#ofBook[venue].get(book)
      if (place === undefined) continue
      const { shard, name } = place
      this.#ofBook[venue].delete(book)
      const wanted = this.#markets[shard]!.get(`${venue} ${name}`)!
      const left = wanted.books.filter((each) => each !== book)
      if (left.length === 0) this.#markets[shard]!.delete(`${venue} ${name}`)
      else this.#markets[shard]!.set(`${venue} ${name}`, { ...wanted, books: left })
      removed.set(shard, [...(removed.get(shard) ?? []), book])
    }
    return removed
  }

  of(shard: number): WantedMarket[] {
    return [...this.#markets[shard]!.values()]
  }

  has(venue: Venue, book: BookId): boolean {
    return this.#ofBook[venue].has(book)
  }

  shardOf(venue: Venue, book: BookId): number | undefined {
    return this.#ofBook[venue].get(book)?.shard
  }
}
