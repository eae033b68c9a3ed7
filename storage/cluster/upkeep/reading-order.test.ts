// Goal: pieces that are read together are stored next to each other.

import { expect, test } from 'bun:test'
import type { PlacedPiece } from '../segment/pieces.ts'
import { inReadingOrder } from './reading-order.ts'

const piece = (kind: PlacedPiece['kind'], id: number, book = 0) => ({ kind, id, book }) as PlacedPiece

test('minutes and books, then seconds, states and blocks; by book, then by number', () => {
  const pieces = [
    ...[piece('block', 2), piece('block', 1), piece('state', 1), piece('seconds', 1, 1), piece('seconds', 9, 0)],
    ...[piece('books', 0), piece('minutes', 3, 1), piece('minutes', 4, 0)],
  ]
  const given = [...pieces]
  expect(inReadingOrder(pieces)).toEqual([
    ...[piece('minutes', 4, 0), piece('minutes', 3, 1), piece('books', 0), piece('seconds', 9, 0)],
    ...[piece('seconds', 1, 1), piece('state', 1), piece('block', 1), piece('block', 2)],
  ])
  expect(pieces).toEqual(given)
})
