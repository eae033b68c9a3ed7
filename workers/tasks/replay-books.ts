// The task that returns books at an instant of a replay, as messages of their venue.

import { type BookMessageRequest, bookMessage } from '../replay/book-message.ts'
import type { Task } from '../task.ts'

export type ReplayBooksRequest = { books: readonly BookMessageRequest[] }

/** The messages in the order of the request; null for an unknown book. */
export type ReplayBooksHead = { books: (string | null)[] }

const NO_CHUNK = { done: true, value: undefined } as const

export const replayBooksTask: Task<ReplayBooksRequest, ReplayBooksHead> = {
  name: 'replay-books',
  weight: () => 0,
  async answer(store, { books }) {
    const messages: (string | null)[] = []
    for (const book of books) messages.push(await bookMessage(store, book))
    return { head: { books: messages }, chunks: { next: () => NO_CHUNK } }
  },
}
