// The task that returns one book at an instant.

import { type BookAtRequest, bookAt } from '../instant/book-at.ts'
import type { Task } from '../task.ts'

/** A request for a book. `subject` is written before the book in the answer. */
export type BookRequest = BookAtRequest & { subject: Readonly<Record<string, string>> }

const encoder = new TextEncoder()

export const bookTask: Task<BookRequest, object> = {
  name: 'book',
  weight: () => 0,
  async answer(store, { subject, ...request }) {
    const text = JSON.stringify({ ...subject, ...(await bookAt(store, request)) })
    return { head: {}, chunks: [encoder.encode(text)].values() }
  },
}
