// The replays of the visible books. Moves a replay to the view's place, or starts a new replay from the API's book at
// that place.

import { type Book, bookAt, coverage } from '../data/answers.ts'
import type { Failure } from '../data/ask.ts'
import { bookText } from '../data/book-query.ts'
import type { ChangeBlock } from '../data/replay/change-block.ts'
import { changeBlock, peekChangeBlock } from '../data/replay/change-blocks.ts'
import { dateText } from '../state/time-text.ts'
import type { BookId, Stretch } from '../state/view.ts'
import { blockAfter, blockBefore, blockOf, type DateRecords, firstBlock } from './block-chain.ts'
import { type Neighbour, Replay, type Target } from './replay.ts'

type Held = { name: string; replay: Replay }
/** The books that were shown last: a page shows two at most. */
let held: readonly Held[] = []

export type Replayed = { replay: Replay | null; failure: Failure | null }

const LATER: Replayed = { replay: null, failure: null }

/** Returns the place of a view; null if it has no cursor. */
export function targetOf({ atMs, record }: Pick<Stretch, 'atMs' | 'record'>): Target | null {
  if (atMs === null) return null
  return record === null ? { ms: atMs } : { ms: atMs, date: dateText(atMs, 'UTC'), record }
}

/** Returns the API's book at a place. */
export const factsAt = (book: BookId, target: Target): { value: Book | null; failure: Failure | null } =>
  bookAt(book, 'record' in target ? { date: target.date, record: target.record } : { ms: target.ms })

/** Returns the replay at a place, or null while data is loading. Reads signals, so a component that draws the replay is
 *  drawn again when the data arrives. */
export function replayed(book: BookId, target: Target): Replayed {
  const stored = coverage(book)
  if (stored.value === null) return { replay: null, failure: stored.failure }
  const { dates } = stored.value
  const recent = heldOf(book)
  if (recent !== null && recent.moveTo(target, neighbourOf(book, dates)) === 'there') {
    // At the end of a day that has grown, wait for the records that are being loaded.
    return recent.isAtEnd && changeBlock(book, recent.block).isOld ? LATER : { replay: recent, failure: null }
  }
  const there = factsAt(book, target)
  if (there.value === null) return { replay: null, failure: there.failure }
  const { date, record } = there.value
  const id = date === null || record === null ? firstBlock(dates) : blockOf({ date, record })
  if (id === undefined) return LATER
  const block = changeBlock(book, id)
  if (block.value === null) return { replay: null, failure: block.failure }
  const replay = new Replay(block.value, there.value, target.ms)
  const name = bookText(book)
  held = [{ name, replay }, ...held.filter((each) => each.name !== name)].slice(0, 2)
  return { replay, failure: null }
}

/** Returns the current replay with the newest version of its block; null if the block has changed or is no longer
 *  cached. */
function heldOf(book: BookId): Replay | null {
  const replay = held.find(({ name }) => name === bookText(book))?.replay
  if (replay === undefined || peekChangeBlock(book, replay.block) === null) return null
  const { value } = changeBlock(book, replay.block)
  return value === replay.block || (value !== null && replay.grow(value)) ? replay : null
}

/** Returns a function that looks up a neighbour among the loaded blocks. The function never requests a block. */
export const neighbourOf =
  (book: BookId, dates: readonly DateRecords[]): Neighbour =>
  (block, direction) => {
    const id = neighbourId(dates, block, direction)
    return id === undefined ? 'none' : (peekChangeBlock(book, id) ?? 'later')
  }

export const neighbourId = (dates: readonly DateRecords[], block: ChangeBlock, direction: 1 | -1) =>
  direction === 1 ? blockAfter(dates, block) : blockBefore(dates, block)

/** The played share of a block at which the next block is requested. */
const PREFETCHED_AT = 2 / 3

/** Requests the next block if it is needed soon. */
export function prefetch(book: BookId, dates: readonly DateRecords[], { block, share }: Replay, direction: 1 | -1) {
  if ((direction === 1 ? share : 1 - share) < PREFETCHED_AT) return
  const id = neighbourId(dates, block, direction)
  if (id !== undefined) changeBlock(book, id)
}
