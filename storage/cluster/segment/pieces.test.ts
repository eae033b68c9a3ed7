// Goal: a placement is read as it was stored, and a commit leaves only segments that still hold a piece.

import { expect, test } from 'bun:test'
import { BOOKS, changedPieces, checksumOfPiece, openPlacement, type PlacedPiece, sealPlacement } from './pieces.ts'

const KEY = { venue: 'kalshi', market: 'KXA', date: '2026-08-10' } as const
const piece = (id: number, segment: number, kind: PlacedPiece['kind'] = 'block'): PlacedPiece => ({
  ...{ kind, id, book: 0, segment, start: 10 * id, length: 5, checksum: `${id}`.padStart(16, '0') },
})
const put = ({ segment: _, ...rest }: PlacedPiece) => rest

const keyOf = (digit: string) => `segments/2026-08-1${digit}/${digit.repeat(64)}`

test('a placement is read as it was stored, under its own key alone', () => {
  const pieces = [piece(1, 0), piece(2, 3, 'minutes'), { ...piece(0, 1, 'books'), checksum: 'ff'.repeat(8) }]
  const placement = { segments: [keyOf('0'), keyOf('9')], pieces, isCompacted: true }
  const bytes = sealPlacement(KEY, placement)
  expect(openPlacement(KEY, bytes)).toEqual(placement)
  expect(openPlacement(KEY, bytes)).toEqual(placement)
  expect(() => openPlacement({ ...KEY, date: '2026-08-11' }, bytes)).toThrow(
    '2026-08-11 is damaged (index of its pieces)',
  )
})

test('new pieces are in the commit’s segment and replace those of their name', () => {
  const before = { segments: ['a', 'b'], pieces: [piece(1, 0), piece(2, 1), piece(3, 1)], isCompacted: true }
  const after = changedPieces(before, { put: [put(piece(2, 9)), put(piece(4, 9))], removed: [piece(3, 1)] }, 'c')
  expect(after).toEqual({ segments: ['a', 'c'], pieces: [piece(1, 0), piece(2, 1), piece(4, 1)] })
})

test('a segment without a piece is left out, and the others keep theirs', () => {
  const before = { segments: ['a', 'b'], pieces: [piece(1, 0), piece(2, 1)], isCompacted: false }
  expect(changedPieces(before, { put: [], removed: [piece(1, 0)] }, null)).toEqual({
    segments: ['b'],
    pieces: [piece(2, 0)],
  })
  expect(changedPieces(null, { put: [put({ ...piece(0, 0), ...BOOKS })], removed: [] }, 'c').segments).toEqual(['c'])
})

test('the same number of another kind or book is another piece', () => {
  const before = {
    segments: ['a'],
    pieces: [piece(1, 0), piece(1, 0, 'state'), { ...piece(1, 0, 'seconds'), book: 1 }],
    isCompacted: false,
  }
  const removed = [piece(1, 0, 'state'), { ...piece(1, 0, 'seconds'), book: 2 }]
  expect(changedPieces(before, { put: [], removed }, null).pieces).toHaveLength(2)
})

test('the checksum is the first eight bytes', () => {
  expect(checksumOfPiece(Uint8Array.of(0, 1, 2, 0xab, 4, 5, 6, 0xff, 8))).toBe('000102ab040506ff')
})
