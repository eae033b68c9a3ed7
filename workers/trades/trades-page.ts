// The trades of a range, a page of them, from a store. How many there are is known from heads, but for blocks at the
// ends of the page: the others are read as they are taken.

import assert from 'node:assert/strict'

import { blockPart, type Parts } from '../../storage/block-store.ts'
import type { StoredDay } from '../../storage/catalogue.ts'
import { readingOf } from '../../storage/damage.ts'
import { BLOCK_RECORDS_MAX, decodeBlock } from '../../storage/format/block.ts'
import type { BlockEntry } from '../../storage/format/partition-head.ts'
import type { Store } from '../../storage/open-store.ts'
import type { PartitionKey } from '../../storage/partition-key.ts'
import { utcDate } from '../../storage/units.ts'
import { type TradeStretch, tradeStretches } from '../layers/trade-stretches.ts'
import { consistently } from '../read/consistently.ts'
import { requireFresh } from '../read/plan-page.ts'
import { requireMarket } from '../read/require-market.ts'
import type { Position, TradesRequest } from '../requests.ts'
import { type BlockTrades, type TradesWanted, tradeIds, tradesIn } from './block-trades.ts'
import { NO_IDS, type TradeIds } from './trade-ids.ts'

/** Trades of one block, the first of it that are of the page. */
export type ListedTrades = {
  /** Of its date. */
  bookIds: readonly string[]
  /** Place of the block's first record in the date; null where the date does not show them. */
  firstRecord: number | null
  count: number
  trades: BlockTrades
  ids: TradeIds
}

/** Stretches of a date have places apart, by which a page goes on. */
const STRETCH_RECORDS = 2 ** 32

export type TradesPage = {
  blocks: IterableIterator<ListedTrades>
  count: number
  /** Directly after the last trade of the page; null on the last page. */
  next: Position | null
  /** Books of the dates of the range. */
  bookIds: string[]
  /** Whether some of them may be of no record that the dates show. */
  hasBorrowed: boolean
}

/** Without ids they must not be read. Rejects with DataError: market_not_stored, block_corrupt, cursor_stale; taking
 *  blocks throws block_corrupt. */
export function readTrades(store: Store, request: TradesRequest, withIds = true): Promise<TradesPage> {
  return consistently(store, request, async () => {
    await requireMarket(store, request)
    const { venue, market, fromMs, toMs, after } = request
    const days = await store.catalogue.heads(venue, market, { from: utcDate(fromMs), to: utcDate(toMs) })
    if (after !== null) requireFresh(days, after)
    const planned = planTrades(request, days)
    const parts = await store.blocks.fetch(planned.map(({ key, entry }) => ({ key, ...blockPart(entry.id) })))
    const stretches = tradeStretches(days)
    const bookIds = [...new Set(stretches.flatMap(({ head }) => head.books.map(({ id }) => id)))]
    const hasBorrowed = stretches.some(({ isBorrowed }) => isBorrowed)
    return { ...pageOf(planned, request.limit, readerOf(parts, planned, withIds)), bookIds, hasBorrowed }
  })
}

type PlannedBlock = {
  key: PartitionKey
  stretch: TradeStretch
  index: number
  entry: BlockEntry
  wanted: TradesWanted
  /** Trades of the page in it, if there is room: undefined where some may lie outside of the range. */
  certain: number | undefined
}

/** No more blocks than the page may need: of one that lies in the range as a whole the head knows its trades. */
function planTrades({ venue, market, book, after, limit, ...asked }: TradesRequest, days: StoredDay[]) {
  const planned: PlannedBlock[] = []
  let certainCount = 0
  for (const stretch of tradeStretches(days)) {
    const { head, day } = stretch
    const [fromMs, toMs] = [Math.max(asked.fromMs, stretch.fromMs), Math.min(asked.toMs, stretch.toMs)]
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

/** `number` is that of a book; null for all, and for those of none. */
export function tradeCount({ tradeCounts }: BlockEntry, number: number | null): number {
  return number === null ? tradeCounts.reduce((sum, count) => sum + count, 0) : (tradeCounts[number] ?? 0)
}

/** Trades of a block that are of the page, `found` where it had to be read to know how many. */
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

/** Each block is read when it is taken, and let go of behind it. */
function* listed(blocks: PageBlock[], read: ReadTrades): Generator<ListedTrades> {
  for (const { block, count, found } of blocks.splice(0)) {
    const { entry, stretch } = block
    const { trades, ids } = found ?? read(block)
    assert(trades.count >= count, 'a head and its block disagree on how many trades there are')
    const firstRecord = stretch.isBorrowed ? null : entry.firstRecord
    yield { bookIds: stretch.head.books.map(({ id }) => id), firstRecord, count, trades, ids }
  }
}

/** What reads the blocks: those at the end that the next append may join to larger ones are kept. */
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
