// The trades of a range, a page of them, from a store. All of the page is read before its first chunk is given.

import { blockPart, type Parts } from '../../storage/block-store.ts'
import type { StoredDay } from '../../storage/catalogue.ts'
import { readingOf } from '../../storage/damage.ts'
import { decodeBlock } from '../../storage/format/block.ts'
import type { BlockEntry } from '../../storage/format/partition-head.ts'
import type { Store } from '../../storage/open-store.ts'
import type { PartitionKey } from '../../storage/partition-key.ts'
import { utcDate } from '../../storage/units.ts'
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
  /** Place of the block's first record in the date. */
  firstRecord: number
  count: number
  trades: BlockTrades
  ids: TradeIds
}

export type TradesPage = {
  blocks: ListedTrades[]
  count: number
  /** Directly after the last trade of the page; null on the last page. */
  next: Position | null
  /** Books of the dates of the range. */
  bookIds: string[]
}

/** Without ids they must not be read. Rejects with DataError: market_not_stored, block_corrupt, cursor_stale. */
export function readTrades(store: Store, request: TradesRequest, withIds = true): Promise<TradesPage> {
  return consistently(store, request, async () => {
    await requireMarket(store, request)
    const { venue, market, fromMs, toMs, after } = request
    const days = await store.catalogue.heads(venue, market, { from: utcDate(fromMs), to: utcDate(toMs) })
    if (after !== null) requireFresh(days, after)
    const planned = planTrades(request, days)
    const parts = await store.blocks.fetch(planned.map(({ key, entry }) => ({ key, ...blockPart(entry.id) })))
    const bookIds = [...new Set(days.flatMap(({ head }) => head.books.map(({ id }) => id)))]
    return { ...take(parts, planned, request.limit, withIds), bookIds }
  })
}

type PlannedBlock = { key: PartitionKey; day: StoredDay; index: number; entry: BlockEntry; wanted: TradesWanted }

/** No more blocks than the page may need: of one that lies in the range as a whole the head knows its trades. */
function planTrades({ venue, market, book, fromMs, toMs, after, limit }: TradesRequest, days: StoredDay[]) {
  const planned: PlannedBlock[] = []
  let certain = 0
  for (const day of days) {
    const number = book === null ? null : 1 + day.head.books.findIndex(({ id }) => id === book)
    if (number === 0 || (after !== null && day.date < after.date)) continue
    const fromRecord = after?.date === day.date ? after.record : 0
    const key = { venue, market, date: day.date }
    for (const [index, entry] of day.head.blocks.entries()) {
      const count = tradeCount(entry, number)
      if (certain > limit || entry.firstMs > toMs) break
      if (count === 0 || entry.lastMs < fromMs || entry.firstRecord + entry.recordCount <= fromRecord) continue
      if (entry.firstMs >= fromMs && entry.lastMs <= toMs && entry.firstRecord >= fromRecord) certain += count
      const firstRecord = Math.max(0, fromRecord - entry.firstRecord)
      const wanted = { book: number, firstRecord, endRecord: entry.recordCount, fromMs, toMs }
      planned.push({ key, day, index, entry, wanted })
    }
  }
  return planned
}

/** `number` is that of a book; null for all, and for those of none. */
export function tradeCount({ tradeCounts }: BlockEntry, number: number | null): number {
  return number === null ? tradeCounts.reduce((sum, count) => sum + count, 0) : (tradeCounts[number] ?? 0)
}

function take(parts: Parts, planned: PlannedBlock[], limit: number, withIds: boolean): Omit<TradesPage, 'bookIds'> {
  const blocks: ListedTrades[] = []
  let count = 0
  let after: Position | null = null
  for (const { key, day, index, entry, wanted } of planned) {
    const { head, date } = day
    const { trades, ids } = readingOf(key, `block ${index}`, () => {
      const block = decodeBlock(parts.bytes(key, blockPart(entry.id)))
      const found = tradesIn(block, wanted)
      return { trades: found, ids: withIds ? tradeIds(block, found) : NO_IDS }
    })
    const taken = Math.min(trades.count, limit - count)
    const { firstRecord } = entry
    if (taken > 0) {
      blocks.push({ bookIds: head.books.map(({ id }) => id), firstRecord, count: taken, trades, ids })
      count += taken
      after = { date, record: firstRecord + trades.records[taken - 1]! + 1, revision: head.revision }
    }
    if (taken < trades.count) return { blocks, count, next: after }
  }
  return { blocks, count, next: null }
}
