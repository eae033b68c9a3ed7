// Tests books from the workers, fifty at a time, in the order of the request.

import { expect, test } from 'bun:test'
import type { BookMessageRequest } from '../../workers/replay/book-message.ts'
import type { Workers } from '../../workers/requests.ts'
import { booksOf } from './books.ts'

test.each([
  [0, []],
  [50, [50]],
  [101, [50, 50, 1]],
])('%d books', async (count, expected) => {
  const bookCounts: number[] = []
  const ask = async (_: unknown, { books }: { books: { book: string }[] }) => {
    bookCounts.push(books.length)
    return { books: books.map(({ book }) => (book === '7' ? null : `book ${book}`)) }
  }
  const books = Array.from({ length: count }, (_, n) => ({ book: String(n) }) as BookMessageRequest)
  const messages = await booksOf({ ask } as unknown as Pick<Workers, 'ask'>)(books)
  expect(messages).toEqual(books.map(({ book }) => (book === '7' ? null : `book ${book}`)))
  expect(bookCounts).toEqual(expected)
})
