// Returns the time of the last stored record of each book. A recorder that takes over the market has missed everything
// since then.

import { blockPart } from '../../storage/block-store.ts'
import { readingOf } from '../../storage/damage.ts'
import { DataError } from '../../storage/failures.ts'
import { decodeBlock, unpackInts } from '../../storage/format/block.ts'
import type { PartitionHead } from '../../storage/format/partition-head.ts'
import type { PartitionKey } from '../../storage/partition-key.ts'
import type { Store } from '../../storage/store.ts'
import type { Venue } from '../../storage/venue.ts'
import { consistently } from './consistently.ts'

/** Some books of a market; `market` is null for tokens of Polymarket whose market the caller does not know. */
export type BooksOfMarket = { venue: Venue; market: string | null; books: readonly string[] }

/** Reads several markets at a time, so that a remote store can answer their requests together. */
const MARKETS_AT_ONCE = 64

/** Returns, for each market, a map from book to the time of the book's last record, Unix ms. Leaves out books that have
 *  no record. The map is empty for a damaged market, and for a token that no stored metadata names. Rejects with
 *  DataError('store_unavailable'). */
export async function lastRecords(store: Store, markets: readonly BooksOfMarket[]): Promise<Map<string, number>[]> {
  const found: Map<string, number>[] = []
  const tokens = markets.some(({ market }) => market === null) ? await store.catalogue.tokens() : undefined
  let next = 0
  const work = async () => {
    while (next < markets.length) {
      const index = next++
      found[index] = await ofMarket(store, markets[index]!, tokens)
    }
  }
  await Promise.all(Array.from({ length: Math.min(MARKETS_AT_ONCE, markets.length) }, work))
  return found
}

async function ofMarket(
  store: Store,
  { venue, market, books }: BooksOfMarket,
  tokens: ReadonlyMap<string, string> | undefined,
): Promise<Map<string, number>> {
  const found = new Map<string, number>()
  const named = market ?? books.map((book) => tokens?.get(book)).find((each) => each !== undefined)
  if (named === undefined) return found
  try {
    return await consistently(store, { venue, market: named }, () => lastOfBooks(store, venue, named, books))
  } catch (error) {
    if (error instanceof DataError && error.code === 'block_corrupt') return found
    throw error
  }
}

async function lastOfBooks(store: Store, venue: Venue, market: string, books: readonly string[]) {
  const found = new Map<string, number>()
  const entry = await store.catalogue.market(venue, market)
  let date = entry?.lastDate
  let head = date === undefined ? undefined : await store.catalogue.head({ venue, market, date })
  while (date !== undefined && found.size < books.length) {
    const key = { venue, market, date }
    if (head !== undefined) await addDay(store, key, head, books, found)
    const earlier = await store.catalogue.neighbour(key, 'before')
    date = earlier?.date
    head = earlier?.head
  }
  return found
}

async function addDay(
  store: Store,
  key: PartitionKey,
  head: PartitionHead,
  books: readonly string[],
  found: Map<string, number>,
): Promise<void> {
  const placed = books.flatMap((book) => {
    if (found.has(book)) return []
    const index = head.books.findIndex(({ id }) => id === book)
    const block = index < 0 ? undefined : head.blocks.findLast(({ bookRecords }) => (bookRecords[index] ?? 0) > 0)
    return block === undefined ? [] : [{ book, number: index + 1, block }]
  })
  const byBlock = Map.groupBy(placed, ({ block }) => block)
  const parts = await store.blocks.fetch([...byBlock.keys()].map(({ id }) => ({ key, ...blockPart(id) })))
  for (const [{ id, recordCount }, ofBlock] of byBlock) {
    const block = readingOf(key, `block ${id}`, () => decodeBlock(parts.bytes(key, blockPart(id))))
    const numbers = unpackInts(block.bookIndexes, recordCount)
    const timesMs = unpackInts(block.timesMs, recordCount)
    for (const { book, number } of ofBlock) found.set(book, timesMs[numbers.lastIndexOf(number)]!)
  }
}
