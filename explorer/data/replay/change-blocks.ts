// The cache of blocks of book changes.

import type { BookId } from '../../state/view.ts'
import { AnswerCache, type Entry } from '../answer-cache.ts'
import { ask } from '../ask.ts'
import { bookQuery, bookText, isSince, marketPath } from '../book-query.ts'
import { ofSide } from '../no-side/of-side.ts'
import { BLOCK_RECORDS, type BlockId, CHANGE_COLUMNS, type ChangeBlock, changeBlockOf } from './change-block.ts'

const BYTES_MAX = 32 * 1024 * 1024
/** Bytes of a row: five columns of eight bytes, and two of one. */
const ROW_BYTES = 42
const cache = new AnswerCache<ChangeBlock>(BYTES_MAX, ({ rows }) => rows * ROW_BYTES)

const nameOf = (book: BookId, { date, index }: BlockId) => `${bookText(book)} ${date} ${index}`

export const changeBlock = (book: BookId, id: BlockId): Entry<ChangeBlock> =>
  cache.take(nameOf(book, id), (signal) => load(book, id, signal))

/** Returns the block if it is loaded, otherwise null. Sends no request. */
export const peekChangeBlock = (book: BookId, id: BlockId): ChangeBlock | null => cache.peek(nameOf(book, id))

/** Marks the last blocks of the dates from an instant on as stale: they may have grown. */
export const renewChanges = (book: BookId, sinceMs: number): void => {
  const start = `${bookText(book)} `
  cache.renew((name, block) => isSince(name, start, sinceMs) && block?.hasMore !== true)
}

export const forgetChanges = (book: BookId): void => cache.forget((name) => name.startsWith(`${bookText(book)} `))

async function load(book: BookId, { date, index }: BlockId, signal: AbortSignal): Promise<ChangeBlock> {
  const query = {
    ...bookQuery(book),
    date,
    record: index * BLOCK_RECORDS,
    limit: BLOCK_RECORDS,
    columns: CHANGE_COLUMNS.join(','),
    format: 'arrow',
  }
  const response = await ask(marketPath(book, 'book/changes'), query, signal)
  const block = changeBlockOf(new Uint8Array(await response.arrayBuffer()), date, index)
  return ofSide(book, block, ({ flippedChanges }) => flippedChanges)
}
