// Asks the workers for books as the messages of their venue.

import type { BookMessageRequest } from '../../workers/replay/book-message.ts'
import type { Workers } from '../../workers/requests.ts'
import { replayBooksTask } from '../../workers/tasks/replay-books.ts'

const AT_ONCE = 50

export type AskBooks = (books: readonly BookMessageRequest[]) => Promise<(string | null)[]>

/** In the order asked; null where nothing is known of a book. */
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
