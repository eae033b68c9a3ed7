// The replay of the book that is shown: moved to where the view is, or begun anew from what the API says of that place.

import { type Book, bookAt, coverage } from '../data/answers.ts'
import type { Failure } from '../data/ask.ts'
import { bookText } from '../data/book-query.ts'
import type { ChangeBlock } from '../data/replay/change-block.ts'
import { changeBlock, peekChangeBlock } from '../data/replay/change-blocks.ts'
import { dateText } from '../state/time-text.ts'
import type { BookId, Stretch } from '../state/view.ts'
import { blockAfter, blockBefore, blockOf, type DateRecords, firstBlock } from './block-chain.ts'
import { type Neighbour, Replay, type Target } from './replay.ts'

let held: { name: string; replay: Replay } | null = null

export type Replayed = { replay: Replay | null; failure: Failure | null }

const LATER: Replayed = { replay: null, failure: null }

/** Where a view stands; null where it has no cursor. */
export function targetOf({ atMs, record }: Pick<Stretch, 'atMs' | 'record'>): Target | null {
  if (atMs === null) return null
  return record === null ? { ms: atMs } : { ms: atMs, date: dateText(atMs, 'UTC'), record }
}

/** What the API says of a place. */
export const factsAt = (book: BookId, target: Target): { value: Book | null; failure: Failure | null } =>
  bookAt(book, 'record' in target ? { date: target.date, record: target.record } : { ms: target.ms })

/** Read as signals: a component that draws it is drawn again when what it needs is there. */
export function replayed(book: BookId, target: Target): Replayed {
  const stored = coverage(book)
  if (stored.value === null) return { replay: null, failure: stored.failure }
  const { dates } = stored.value
  const kept = heldOf(book)
  if (kept !== null && kept.moveTo(target, neighbourOf(book, dates)) === 'there') {
    // Behind all that is known of a day that has grown there may be more.
    return kept.isAtEnd && changeBlock(book, kept.block).isOld ? LATER : { replay: kept, failure: null }
  }
  const there = factsAt(book, target)
  if (there.value === null) return { replay: null, failure: there.failure }
  const { date, record } = there.value
  const id = date === null || record === null ? firstBlock(dates) : blockOf({ date, record })
  if (id === undefined) return LATER
  const block = changeBlock(book, id)
  if (block.value === null) return { replay: null, failure: block.failure }
  const replay = new Replay(block.value, there.value, target.ms)
  held = { name: bookText(book), replay }
  return { replay, failure: null }
}

/** With its block as it is now. Of one that is not kept any more nothing is known to be as it was. */
function heldOf(book: BookId): Replay | null {
  if (held === null || held.name !== bookText(book)) return null
  const { replay } = held
  if (peekChangeBlock(book, replay.block) === null) return null
  const { value } = changeBlock(book, replay.block)
  return value === replay.block || (value !== null && replay.grow(value)) ? replay : null
}

/** Blocks that are there. None is asked for. */
export const neighbourOf =
  (book: BookId, dates: readonly DateRecords[]): Neighbour =>
  (block, direction) => {
    const id = neighbourId(dates, block, direction)
    return id === undefined ? 'none' : (peekChangeBlock(book, id) ?? 'later')
  }

export const neighbourId = (dates: readonly DateRecords[], block: ChangeBlock, direction: 1 | -1) =>
  direction === 1 ? blockAfter(dates, block) : blockBefore(dates, block)

/** How much of a block is played when the next is asked for. */
const PREFETCHED_AT = 2 / 3

/** Asks for the block that is needed soon. */
export function prefetch(book: BookId, dates: readonly DateRecords[], { block, share }: Replay, direction: 1 | -1) {
  if ((direction === 1 ? share : 1 - share) < PREFETCHED_AT) return
  const id = neighbourId(dates, block, direction)
  if (id !== undefined) changeBlock(book, id)
}
