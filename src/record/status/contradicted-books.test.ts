// Tests what the status and the log report about books that contradict themselves.

import { expect, test } from 'bun:test'
import { ContradictedBooks } from './contradicted-books.ts'
import { RecorderStats } from './recorder-stats.ts'

function made() {
  const stats = new RecorderStats(0)
  const logged: string[] = []
  return { stats, logged, books: new ContradictedBooks('kalshi', stats, (_, text) => void logged.push(text)) }
}

const CROSSED = { reason: 'crossed', seen: 'they meet' }

test('a book is logged once, counted each time, and named until it is sound', () => {
  const { stats, logged, books } = made()
  books.set('A', CROSSED)
  books.set('A', CROSSED)
  books.set('B', { reason: 'below_zero', seen: 'too much' })
  expect(logged).toHaveLength(2)
  expect([...stats.venues.kalshi.contradictions]).toEqual([
    ['crossed', 2],
    ['below_zero', 1],
  ])
  const text = 'Books of kalshi contradict themselves: A (crossed: they meet) and 1 more'
  expect([...stats.problems.values()]).toEqual([text])
  books.set('A', null)
  books.set('B', null)
  expect(stats.problems.size).toBe(0)
})

test('many crossed books have one warning, which names the flag, and again after all were sound', () => {
  const { stats, logged, books } = made()
  for (let round = 0; round < 2; round++) {
    for (const book of ['A', 'B', 'C', 'D', 'E']) books.set(book, CROSSED)
    expect([...stats.problems.values()][0]).toContain('5 books are crossed: the venue may count NO prices')
    for (const book of ['A', 'B', 'C', 'D', 'E']) books.set(book, null)
  }
  expect(logged).toHaveLength(6)
  expect(logged.filter((text) => text.includes('use_yes_price'))).toHaveLength(2)
})
