// The hashed text of a book equals the text that the venue hashes.

import { expect, test } from 'bun:test'
import { printedText } from '../venues/polymarket/book-hash.ts'
import { hashedText } from './hashed-text.ts'
import { ASK, BID } from './ladder.ts'
import { OrderBook } from './order-book.ts'

const message = { market: '0xab', assetId: '17', timestamp: '1786363200000', hash: 'x' }
const textOf = (book: OrderBook) => Buffer.from(hashedText(book, message)).toString()

test('levels of both sides, the best last, as decimals without trailing zeros', () => {
  const book = new OrderBook()
  for (const [height, size] of [
    [400_000, 5_000_000],
    [10_000, 216_216_215],
    [455_500, 1],
  ])
    book.setLevel(BID, height!, size!)
  for (const [price, size] of [
    [990_000, 7_500_000],
    [500_000, 10_000_000],
  ])
    book.setLevel(ASK, 1_000_000 - price!, size!)
  const bids = [
    ['0.01', '216.216215'],
    ['0.4', '5'],
    ['0.4555', '0.000001'],
  ] as const
  const asks = [
    ['0.99', '7.5'],
    ['0.5', '10'],
  ] as const
  expect(textOf(book)).toBe(printedText({ ...message, bids, asks }))
})

test('an empty book', () => expect(textOf(new OrderBook())).toBe(printedText({ ...message, bids: [], asks: [] })))
