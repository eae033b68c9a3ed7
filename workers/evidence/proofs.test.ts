// Tests the places where hashes establish a book: those of a block, of its own span, and added one by one.

import { expect, test } from 'bun:test'
import { addProof, isProven, proofsFrom, prove } from './proofs.ts'

const books = [{ provenAt: [5, 30] }, {}, { provenAt: 12 }]

test('the proofs for a block, ascending, by places in it', () => {
  expect(proofsFrom(books, 10, 0)).toEqual([
    { number: 1, record: -5 },
    { number: 3, record: 2 },
    { number: 1, record: 20 },
  ])
  expect(proofsFrom(books, 10, 12).map(({ record }) => record)).toEqual([2, 20])
  expect(proofsFrom(books, 10, 31)).toEqual([])
})

test.each([
  [books[0], 5, 6, true],
  [books[0], 6, 30, false],
  [books[0], 6, undefined, true],
  [books[2], 12, undefined, true],
  [books[2], 13, undefined, false],
  [books[1], 0, undefined, false],
  [undefined, 0, undefined, false],
])('%p from %p to %p: %p', (book, from, to, expected) => expect(isProven(book, from, to)).toBe(expected))

test('a second proof makes a list', () => {
  const book: { provenAt?: number | number[] } = {}
  addProof(book, 4)
  expect(book.provenAt).toBe(4)
  addProof(book, 9)
  addProof(book, 10)
  expect(book.provenAt).toEqual([4, 9, 10])
})

test('a proof establishes an observed book, and no lost one', () => {
  const [observed, lost] = [{ trust: 'observed' as const }, { trust: 'lost' as const }]
  for (const book of [observed, lost, undefined]) prove(book)
  expect<string[]>([observed.trust, lost.trust]).toEqual(['established', 'lost'])
})
