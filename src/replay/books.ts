// Requests books from the workers, as messages in the form of their venue.

import type { BookMessageRequest } from '../../workers/replay/book-message.ts'
import type { Workers } from '../../workers/requests.ts'
import { replayBooksTask } from '../../workers/tasks/replay-books.ts'

const AT_ONCE = 50

export type AskBooks = (books: readonly BookMessageRequest[]) => Promise<(string | null)[]>

/** Returns the messages in the order of the requests; null for a book that is not known. */
export const booksOf =
  (workers: Pick<Workers, 'ask'>): AskBooks =>
  async (books) => {
    const messages: (string | null)[] = []
    for (let start = 0; start < books.length; start += AT_ONCE) {
      const answer = await workers.ask(replayBooksTask, { books: books.slice(start, start + AT_ONCE) })
      messages.push(...answer.books)
    }
    return messages
  }
