// Reads a page of the trades of a range from a store. Heads give the number of trades of each block, except for the
// blocks at the ends of the page. These blocks are read to count their trades. The other blocks are read when the
// caller takes them.

import assert from 'node:assert/strict'

import { blockPart, type Parts } from '../../storage/block-store.ts'
import type { StoredDay } from '../../storage/catalogue.ts'
import { readingOf } from '../../storage/damage.ts'
import { BLOCK_RECORDS_MAX, decodeBlock } from '../../storage/format/block.ts'
import type { BlockEntry } from '../../storage/format/partition-head.ts'
import type { Store } from '../../storage/open-store.ts'
import type { PartitionKey } from '../../storage/partition-key.ts'
import { utcDate } from '../../storage/units.ts'
import { consistently } from '../read/consistently.ts'
import { requireFresh, staleCursor } from '../read/plan-page.ts'
import { requireMarket } from '../read/require-market.ts'
import type { Position, TradesRequest } from '../requests.ts'
import { type BlockTrades, type TradesWanted, tradeIds, tradesIn } from './block-trades.ts'
import { NO_IDS, type TradeIds } from './trade-ids.ts'
import { type TradeStretch, tradeStretches } from './trade-stretches.ts'

/** The trades of one block that are on the page: the first `count` of `trades`. */
export type ListedTrades = {
  /** Books of the date. */
  bookIds: readonly string[]
  /** Number of the block's first record on the date; null if the date does not show the block's records. */
  firstRecord: number | null
  count: number
  trades: BlockTrades
  ids: TradeIds
}

/** Each stretch of a date numbers its records from a multiple of this number, so that positions in different stretches
 *  of the date differ. */
const STRETCH_RECORDS = 2 ** 32

export type TradesPage = {
  blocks: IterableIterator<ListedTrades>
  count: number
  /** The position directly after the last trade of the page; null on the last page. */
  next: Position | null
  /** Books of all dates in the range. */
  bookIds: string[]
  /** Whether trades may belong to records that the dates do not show. */
  hasBorrowed: boolean
}

/** Returns a page of trades. If `withIds` is false, the caller must not read ids. Rejects with DataError:
 *  market_not_stored, block_corrupt, cursor_stale. Iterating over the blocks throws block_corrupt. */
export function readTrades(store: Store, request: TradesRequest, withIds = true): Promise<TradesPage> {
  return consistently(store, request, async () => {
    await requireMarket(store, request)
    const { venue, market, fromMs, toMs, after } = request
    const days = await store.catalogue.heads(venue, market, { from: utcDate(fromMs), to: utcDate(toMs) })
    if (after !== null) requireUnchanged(days, after)
    const planned = planTrades(request, days)
    const parts = await store.blocks.fetch(planned.map(({ key, entry }) => ({ key, ...blockPart(entry.id) })))
    const stretches = tradeStretches(days)
    const bookIds = [...new Set(stretches.flatMap(({ head }) => head.books.map(({ id }) => id)))]
    const hasBorrowed = stretches.some(({ isBorrowed }) => isBorrowed)
    return { ...pageOf(planned, request.limit, readerOf(parts, planned, withIds)), bookIds, hasBorrowed }
  })
}

/** Checks that nothing before a position has changed. A position in a date that borrows trades counts records of other
 *  layers, so any change of that date may have moved it. Throws DataError('cursor_stale'). */
function requireUnchanged(days: StoredDay[], after: Position): void {
  const stretches = tradeStretches(days.filter(({ date }) => date === after.date))
  if (!stretches.some(({ isBorrowed }) => isBorrowed)) return requireFresh(days, after)
  const { revision } = stretches[0]!.day.head
  const isKnown = stretches.some(({ number }) => number === Math.floor(after.record / STRETCH_RECORDS))
  if (revision !== after.revision || !isKnown) throw staleCursor()
}

type PlannedBlock = {
  key: PartitionKey
  stretch: TradeStretch
  index: number
  entry: BlockEntry
  wanted: TradesWanted
  /** Number of the block's trades in the range; undefined if some of them may be outside the range. */
  certain: number | undefined
}

/** Plans no more blocks than the page may need. For a block that is completely inside the range, the head states the
 *  number of trades. */
export function planTrades({ venue, market, book, after, limit, ...range }: TradesRequest, days: StoredDay[]) {
  const planned: PlannedBlock[] = []
  let certainCount = 0
  for (const stretch of tradeStretches(days)) {
    const { head, day } = stretch
    const [fromMs, toMs] = [Math.max(range.fromMs, stretch.fromMs), Math.min(range.toMs, stretch.toMs)]
    const number = book === null ? null : 1 + head.books.findIndex(({ id }) => id === book)
    if (number === 0 || (after !== null && day.date < after.date)) continue
    const fromRecord = after?.date === day.date ? after.record - stretch.number * STRETCH_RECORDS : 0
    const key = { venue, market, date: day.date }
    for (const [index, entry] of head.blocks.entries()) {
      const count = tradeCount(entry, number)
      if (certainCount > limit || entry.firstMs > toMs) break
      if (count === 0 || entry.lastMs < fromMs || entry.firstRecord + entry.recordCount <= fromRecord) continue
      const isInside = entry.firstMs >= fromMs && entry.lastMs <= toMs && entry.firstRecord >= fromRecord
      const certain = isInside ? count : undefined
      certainCount += certain ?? 0
      const firstRecord = Math.max(0, fromRecord - entry.firstRecord)
      const wanted = { book: number, firstRecord, endRecord: entry.recordCount, fromMs, toMs }
      planned.push({ key, stretch, index, entry, wanted, certain })
    }
  }
  return planned
}

/** Returns the number of trades of a book. If `number` is null, counts all trades, with or without a book. */
export function tradeCount({ tradeCounts }: BlockEntry, number: number | null): number {
  return number === null ? tradeCounts.reduce((sum, count) => sum + count, 0) : (tradeCounts[number] ?? 0)
}

/** The trades of a block on the page. `found` is set if the block had to be read to count them. */
type PageBlock = { block: PlannedBlock; count: number; found?: FoundTrades }
type FoundTrades = { trades: BlockTrades; ids: TradeIds }
type ReadTrades = (block: PlannedBlock) => FoundTrades

function pageOf(planned: readonly PlannedBlock[], limit: number, read: ReadTrades) {
  const blocks: PageBlock[] = []
  let count = 0
  for (const block of planned) {
    const left = limit - count
    const isAllOfPage = block.certain !== undefined && block.certain <= left
    const found = isAllOfPage || (left === 0 && block.certain !== undefined) ? undefined : read(block)
    const all = found?.trades.count ?? block.certain!
    const taken = Math.min(all, left)
    if (taken > 0) blocks.push({ block, count: taken, ...(found && { found }) })
    count += taken
    if (taken < all) return { blocks: listed(blocks, read), count, next: behind(blocks.at(-1)!, read) }
  }
  return { blocks: listed(blocks, read), count, next: null }
}

function behind(last: PageBlock, read: ReadTrades): Position {
  last.found ??= read(last.block)
  const { entry, stretch } = last.block
  const { day, number } = stretch
  const record = number * STRETCH_RECORDS + entry.firstRecord + last.found.trades.records[last.count - 1]! + 1
  return { date: day.date, record, revision: day.head.revision }
}

/** Reads each block when it is taken, and releases it afterwards. */
function* listed(blocks: PageBlock[], read: ReadTrades): Generator<ListedTrades> {
  for (const { block, count, found } of blocks.splice(0)) {
    const { entry, stretch } = block
    const { trades, ids } = found ?? read(block)
    assert(trades.count >= count, 'a head and its block disagree on how many trades there are')
    const firstRecord = stretch.isBorrowed ? null : entry.firstRecord
    yield { bookIds: stretch.head.books.map(({ id }) => id), firstRecord, count, trades, ids }
  }
}

/** Returns a function that reads a block. Copies the last blocks, since the next append may join them into larger
 *  ones. */
function readerOf(parts: Parts, planned: readonly PlannedBlock[], withIds: boolean): ReadTrades {
  const held = new Map<PlannedBlock, Uint8Array>()
  const bytesOf = ({ key, entry }: PlannedBlock) => parts.bytes(key, blockPart(entry.id))
  for (const block of planned.toReversed()) {
    if (block.entry.recordCount >= BLOCK_RECORDS_MAX) break
    held.set(
      block,
      readingOf(block.key, `block ${block.index}`, () => bytesOf(block).slice()),
    )
  }
  return (planned) =>
    readingOf(planned.key, `block ${planned.index}`, () => {
      const block = decodeBlock(held.get(planned) ?? bytesOf(planned))
      const trades = tradesIn(block, planned.wanted)
      return { trades, ids: withIds ? tradeIds(block, trades) : NO_IDS }
    })
}
