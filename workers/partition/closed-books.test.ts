// Tests the books that a day closes with, and which of them a later date continues as doubtful.

import { expect, test } from 'bun:test'
import { kalshiDelta, kalshiSnapshot, received } from '../../test/model/lines.ts'
import { collectLines } from '../../test/support/collected.ts'
import { MemoryPartition } from '../../test/support/stored-partition.ts'
import { BID } from '../book/ladder.ts'
import { closedBooks } from './closed-books.ts'

const TICKER = 'KXTEST-1'

function storedOf(...lines: object[]) {
  const memory = new MemoryPartition()
  for (const collected of collectLines(lines.map((line) => JSON.stringify(line)))) memory.add(collected)
  return memory.stored!.books
}
const snapshot = received(0, kalshiSnapshot([['0.40', '10']]))
const [NEXT, LATER] = ['2026-08-11', '2026-08-12']
const doubts = (closing: Uint8Array | null) => {
  const { isDoubtful } = closedBooks(closing)
  return [isDoubtful(TICKER, NEXT), isDoubtful(TICKER, LATER)]
}

test('levels after the last record', () => {
  const { books, isOpening } = closedBooks(storedOf(snapshot, received(5, kalshiDelta(5, '0.40', '-4'))).closing)
  expect(books.map(({ id, book }) => [id, book.trust, book.levels(BID)])).toEqual([
    [TICKER, 'established', [[400_000, 6_000_000]]],
  ])
  expect(isOpening).toBe(false)
})

test('an established book is doubtful after days without data', () =>
  expect(doubts(storedOf(snapshot).closing)).toEqual([false, true]))

test('one that closed doubtful is doubtful on the next date too', () => {
  expect(doubts(storedOf(snapshot, received(5, kalshiDelta(5, '0.40', '-40'))).closing)).toEqual([true, true])
})

test('a book that was only observed is not', () =>
  expect(doubts(storedOf(kalshiDelta(0, '0.40', '1')).closing)).toEqual([false, false]))

test('nothing before, and opening books', () => {
  expect(closedBooks(null)).toMatchObject({ books: [], isOpening: false })
  const memory = new MemoryPartition()
  const [day] = collectLines([JSON.stringify(kalshiDelta(86_400_000, '0.40', '1'))])
  memory.add(day!, storedOf(snapshot).closing)
  const opening = closedBooks(memory.stored!.books.opening)
  expect([opening.isOpening, opening.books.map(({ id }) => id), opening.isDoubtful(TICKER, NEXT)]).toEqual([
    true,
    [TICKER],
    false,
  ])
})
