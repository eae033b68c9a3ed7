// Heads, books and parts of a partition open under their key as they were sealed. An error of damage names the day.

import { expect, test } from 'bun:test'
import { HEAD } from '../../test/support/made-markets.ts'
import { blockPart, statePart } from '../block-store.ts'
import { openBooks, openHead, openPart, placeOf, sealBooks, sealHead, sealPart } from './stored-parts.ts'

const KEY = { venue: 'polymarket', market: '0xab', date: '2026-08-10' } as const
const OTHER = { ...KEY, date: '2026-08-11' }
const bytes = (...all: number[]) => Uint8Array.from(all)

test('a head', () => {
  expect(openHead(KEY, sealHead(KEY, HEAD))).toEqual(HEAD)
  expect(() => openHead(OTHER, sealHead(KEY, HEAD))).toThrow(
    'Stored data of the polymarket market 0xab on 2026-08-11 is damaged (head)',
  )
})

test.each([
  [{ opening: null, closing: null }],
  [{ opening: bytes(1), closing: bytes(2, 3) }],
  [{ opening: bytes(1), closing: null, carried: { date: '2026-08-01', closing: bytes(4) } }],
  [
    {
      ...{ opening: bytes(1), closing: bytes(2) },
      layers: [
        { source: null, opening: null, closing: bytes(5) },
        { source: 'ag', opening: bytes(6), closing: null, carried: { date: '2026-08-02', closing: null } },
      ],
    },
  ],
])('books %#', (books) => {
  const opened = openBooks(KEY, sealBooks(KEY, books))
  expect(JSON.stringify(opened)).toBe(JSON.stringify(books))
  expect(() => openBooks(OTHER, sealBooks(KEY, books))).toThrow('(books)')
})

test('a part', () => {
  const content = bytes(0, 1, 2, 3, 4, 5, 6, 7, 8, 9)
  for (const part of [blockPart(3), statePart(3)]) {
    const sealed = sealPart(KEY, part, content)
    expect(openPart(KEY, part, sealed.slice())).toEqual(content)
    expect(openPart(OTHER, part, sealed.slice())).not.toEqual(content)
    expect(sealed).toHaveLength(content.length)
  }
  expect(placeOf(KEY, blockPart(3)).place).toBe('blocks')
  expect(placeOf(KEY, statePart(3)).place).toBe('parts')
})
