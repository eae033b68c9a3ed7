// What a replay of one book over a window reads: decided from heads alone.

import { blockPart, type PartRef, statePart } from '../../storage/block-store.ts'
import type { StoredDay } from '../../storage/catalogue.ts'
import type { BlockEntry, PartitionHead } from '../../storage/format/partition-head.ts'
import type { PartitionKey } from '../../storage/partition-key.ts'
import type { Venue } from '../../storage/venue.ts'
import { isRead } from './book-cursor.ts'

/** One book over [fromMs, toMs], both inclusive; within one date its records may bound it instead. For the book at an
 *  instant the window is empty: it begins directly behind its end. */
export type BookWindow = {
  venue: Venue
  market: string
  /** Asset id on Polymarket, the ticker on Kalshi. */
  book: string
  fromMs: number
  toMs: number
  fromRecord?: number
  toRecord?: number
}

export type ReplayDay = {
  key: PartitionKey
  head: PartitionHead
  /** In the head's list. */
  bookIndex: number
  /** The book is known from its state before this block: the last block that begins before the window. */
  firstBlock: number
  /** The first block behind the window. */
  endBlock: number
}

/** `days` are the stored days that the window touches, ascending. Those that do not know the book are left out. */
export function planReplay(window: BookWindow, days: readonly StoredDay[]): ReplayDay[] {
  const { venue, market, book } = window
  return days.flatMap(({ date, head }): ReplayDay[] => {
    const bookIndex = head.books.findIndex(({ id }) => id === book)
    if (bookIndex < 0) return []
    const { blocks } = head
    let firstBlock = 0
    while (firstBlock + 1 < blocks.length && beginsBefore(window, blocks[firstBlock + 1]!)) firstBlock++
    let endBlock = firstBlock
    while (endBlock < blocks.length && !isBehind(window, blocks[endBlock]!)) endBlock++
    return [{ key: { venue, market, date }, head, bookIndex, firstBlock, endBlock }]
  })
}

const beginsBefore = ({ fromMs, fromRecord }: BookWindow, { firstMs, firstRecord }: BlockEntry): boolean =>
  fromRecord === undefined ? firstMs < fromMs : firstRecord <= fromRecord

const isBehind = ({ toMs, toRecord }: BookWindow, { firstMs, firstRecord }: BlockEntry): boolean =>
  toRecord === undefined ? firstMs > toMs : firstRecord > toRecord

export function partsOfReplay(days: readonly ReplayDay[]): PartRef[] {
  return days.flatMap(({ key, head, bookIndex, firstBlock, endBlock }): PartRef[] => {
    const start: PartRef =
      firstBlock === 0 ? { key, kind: 'books' } : { key, ...statePart(head.blocks[firstBlock]!.stateId) }
    const blocks = head.blocks.slice(firstBlock, endBlock).filter((block) => isRead(head, block, bookIndex))
    return [start, ...blocks.map(({ id }): PartRef => ({ key, ...blockPart(id) }))]
  })
}
