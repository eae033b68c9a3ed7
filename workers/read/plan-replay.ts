// Plans what a replay of one book over a window reads, from heads alone.

import { blockPart, type PartRef, statePart } from '../../storage/block-store.ts'
import type { StoredDay } from '../../storage/catalogue.ts'
import { isSwitchedTo } from '../../storage/format/head-layers.ts'
import { type BlockEntry, type PartitionHead, startMsOf } from '../../storage/format/partition-head.ts'
import type { PartitionKey } from '../../storage/partition-key.ts'
import type { Venue } from '../../storage/venue.ts'
import { isRead } from './book-cursor.ts'

/** One book over [fromMs, toMs], both inclusive. Within one date, record numbers may limit the window instead. To read
 *  the book at an instant, use an empty window: its start is directly after its end, in time or in record numbers. */
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
  /** Index of the book in the head's books. It is the number of books if the head lacks the book. Such a day is read
   *  only for a gap of the whole market, or for a switch of sources. */
  bookIndex: number
  /** Index of the block from whose state the replay starts. It is the last block that begins before the window; a block
   *  with a switch begins at that switch. On a day before the window, this is the number of the day's blocks. */
  firstBlock: number
  /** Index of the first block after the window. */
  endBlock: number
  /** Whether the first source of the day differs from the last source of the stored day before. */
  isSwitched: boolean
}

/** Plans the days of a replay. `days` are the stored days of the window, ascending; `before` is the stored day before
 *  them, if known. Leaves out a day without the book, unless the day has a gap of the whole market or begins with
 *  another source. */
export const planReplay = (window: BookWindow, days: readonly StoredDay[], before?: StoredDay): ReplayDay[] =>
  days.flatMap((day, i) => {
    const planned = planDay(window, day, days[i - 1] ?? before)
    return planned.isSwitched || isOfBook(planned) ? [planned] : []
  })

/** Whether the window starts with the book from the end of the stored day before. */
export const continuesDayBefore = ([first]: readonly ReplayDay[]): boolean =>
  first === undefined || first.firstBlock === 0

/** Plans the stored day before the window. No block of that day is replayed. */
export function planDayBefore(window: BookWindow, day: StoredDay): ReplayDay {
  const end = day.head.blocks.length
  return { ...planDay(window, day, undefined), firstBlock: end, endBlock: end }
}

function planDay(window: BookWindow, { date, head }: StoredDay, before: StoredDay | undefined): ReplayDay {
  const { venue, market, book } = window
  const index = head.books.findIndex(({ id }) => id === book)
  const { blocks, books } = head
  let firstBlock = 0
  while (firstBlock + 1 < blocks.length && beginsBefore(window, blocks[firstBlock + 1]!)) firstBlock++
  let endBlock = firstBlock
  while (endBlock < blocks.length && !isBehind(window, blocks[endBlock]!)) endBlock++
  const bookIndex = index < 0 ? books.length : index
  const isSwitched = before !== undefined && isSwitchedTo(before.head, head)
  return { key: { venue, market, date }, head, bookIndex, firstBlock, endBlock, isSwitched }
}

const isOfBook = ({ head: { books, gaps }, bookIndex }: ReplayDay): boolean =>
  bookIndex < books.length || gaps.some(({ book }) => book === null)

/** Returns whether a block begins before the window. If the window starts at the first record after a switch of
 *  sources, the switch is part of the window. */
function beginsBefore({ fromMs, fromRecord }: BookWindow, block: BlockEntry): boolean {
  if (fromRecord === undefined) return startMsOf(block) < fromMs
  return block.begins === undefined ? block.firstRecord <= fromRecord : block.firstRecord < fromRecord
}

const isBehind = ({ toMs, toRecord }: BookWindow, block: BlockEntry): boolean =>
  toRecord === undefined ? startMsOf(block) > toMs : block.firstRecord > toRecord

export function partsOfReplay(days: readonly ReplayDay[]): PartRef[] {
  return days.flatMap(({ key, head, bookIndex, firstBlock, endBlock }): PartRef[] => {
    const entry = firstBlock === 0 ? undefined : head.blocks[firstBlock]
    const start: PartRef = entry === undefined ? { key, kind: 'books' } : { key, ...statePart(entry.stateId) }
    const replayed = head.blocks.slice(firstBlock, endBlock)
    const blocks = replayed.filter((block) => isRead(head, block, bookIndex))
    const switches = replayed.slice(firstBlock === 0 ? 0 : 1).filter(({ begins }) => begins !== undefined)
    return [
      start,
      ...switches.map(({ stateId }): PartRef => ({ key, ...statePart(stateId) })),
      ...blocks.map(({ id }): PartRef => ({ key, ...blockPart(id) })),
    ]
  })
}
