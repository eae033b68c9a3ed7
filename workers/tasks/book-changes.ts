// The task that returns the changes to the levels of one book.

import { type ChangesHead, type ChangesRequest, tableOfChanges } from '../changes/table-of-changes.ts'
import { tableTask } from './table-task.ts'

/** Memory of a task, bytes: one decoded block at a time, its book, and the rows of a step. */
const CHANGES_BYTES = 8 * 2 ** 20
/** Up to this many records come from one or two blocks and are sent in one chunk. */
const SMALL_RECORDS = 1_000

export const bookChangesTask = tableTask<ChangesRequest, ChangesHead>({
  name: 'book_changes',
  weight: ({ scope }) => ('limit' in scope && scope.limit <= SMALL_RECORDS ? 0 : CHANGES_BYTES),
  async table(store, request) {
    const { head, table } = await tableOfChanges(store, request)
    return { head, table, ...(head.hasMore === null ? {} : { about: { has_more: head.hasMore } }) }
  },
})
