// Reads the books of a source at a switch: the time from which a date shows this source instead of another.

import type { BookEntry, NotedTrust } from '../../storage/format/partition-head.ts'
import { decodeState, type NamedBook } from '../book/book-state.ts'
import { AFTER } from '../evidence/trust-table.ts'

/** A book, and whether it is in doubt. Only the tick size of its `BookMark` is used, because the record positions in
 *  the mark belong to another partition. */
export type ShownBook = NamedBook & { isDoubtful: boolean }

/** Returns the trust of a shown book; `unknown` if the source does not have it. */
export function trustOf(shown: ShownBook | undefined): NotedTrust {
  if (shown === undefined) return 'unknown'
  const { trust } = shown.book
  return shown.isDoubtful ? AFTER.missing[trust] : trust
}

/** Returns the known books at the start of a block, read from the block's state. Throws DataError('block_corrupt'). */
export function shownBooks(state: Uint8Array): ShownBook[] {
  const { books, progress } = decodeState(state)
  const doubtful = (progress as { entries: Pick<BookEntry, 'id' | 'trust'>[] }).entries.filter(
    ({ trust }) => trust?.at(-1)?.[1] === 'doubtful',
  )
  const ids = new Set(doubtful.map(({ id }) => id))
  return books.filter(isKnown).map((named) => ({ ...named, isDoubtful: ids.has(named.id) }))
}

const isKnown = ({ mark }: NamedBook): boolean => mark.last !== null
