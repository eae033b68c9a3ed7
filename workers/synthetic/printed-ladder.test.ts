// Tests levels as text, of a token and of its mirrored token.

import { expect, test } from 'bun:test'
import { BidLadder } from './bid-ladder.ts'
import { PrintedLadder, sizeText } from './printed-ladder.ts'

test('PrintedLadder prints bids ascending, their mirror descending, and every change', () => {
  const ladder = new BidLadder()
  ladder.add(480, 21_622)
  const printed = new PrintedLadder(ladder)
  expect(printed.bidsJson).toBe('[{"price":"0.48","size":"216.22"}]')
  ladder.add(7, 500)
  printed.change(7)
  expect(printed.bidsJson).toBe('[{"price":"0.007","size":"5"},{"price":"0.48","size":"216.22"}]')
  expect(printed.asksJson).toBe('[{"price":"0.993","size":"5"},{"price":"0.52","size":"216.22"}]')
  ladder.add(480, -21_622)
  printed.change(480)
  expect(printed.asksJson).toBe('[{"price":"0.993","size":"5"}]')
  ladder.add(7, -500)
  printed.change(7)
  expect(printed.bidsJson).toBe('[]')
})

test('sizeText has no zeros at the end', () => {
  expect([0, 1, 10, 100, 1_000_000_000].map(sizeText)).toEqual(['0', '0.01', '0.1', '1', '10000000'])
})
