// Prints every real book as the venue prints it, from integer prices and sizes. So the hashes agree with the venue's.

import { describe, expect, test } from 'bun:test'
import { readdirSync, readFileSync } from 'node:fs'
import { hashedText } from '../../workers/book/hashed-text.ts'
import { ASK, BID } from '../../workers/book/ladder.ts'
import { OrderBook } from '../../workers/book/order-book.ts'
import { agreeingExtra } from '../../workers/venues/polymarket/book-hash.ts'
import { type HashFacts, hashExtras } from '../../workers/venues/polymarket/hash-recipe.ts'
import { capture, hasCaptures } from '../support/captures.ts'
import { withStore } from '../support/store.ts'
import { FED, linesOf } from './capture-text.ts'

type Level = { price: string; size: string }
type Body = {
  market: string
  asset_id: string
  timestamp: string
  hash: string
  bids: Level[]
  asks: Level[]
  min_order_size?: string
  tick_size: string
  neg_risk: boolean
  last_trade_price: string
}

function realBooks(): Body[] {
  const folder = capture('polymarket/rest-books')
  const lines = ['archives/rest-books-2026-07-23/polymarket.ndjson', 'polymarket/books-2024-12-22.ndjson']
  const texts = readdirSync(folder).map((name) => readFileSync(`${folder}/${name}`, 'utf8'))
  const bodies = [...texts, ...lines.flatMap(linesOf)].map((text) => JSON.parse(text) as Body)
  return bodies.filter(({ hash }) => hash !== undefined)
}

function bookOf({ bids, asks }: Body): OrderBook {
  const book = new OrderBook()
  book.reset('snapshot')
  const micros = (text: string) => Math.round(Number(text) * 1_000_000)
  for (const { price, size } of bids) book.setLevel(BID, micros(price), micros(size))
  for (const { price, size } of asks) book.setLevel(ASK, 1_000_000 - micros(price), micros(size))
  return book
}

function factsOf({ min_order_size: minOrderSize, neg_risk: negRisk, tick_size, last_trade_price }: Body): HashFacts {
  const recipe = minOrderSize === undefined ? null : { minOrderSize, negRisk, hasTradePrice: true }
  return { recipe, tickSize: tick_size, tradePrices: [last_trade_price] }
}

const agrees = (book: OrderBook, body: Body, facts: HashFacts): boolean =>
  agreeingExtra(hashedText(book, messageOf(body)), body.hash, hashExtras(facts)) !== undefined

const messageOf = ({ market, asset_id: assetId, timestamp, hash }: Body) => ({ market, assetId, timestamp, hash })

describe.skipIf(!hasCaptures)('the real books', () => {
  test('are printed as they came, and have their hashes', () => {
    const bodies = realBooks()
    for (const body of bodies) {
      const text = new TextDecoder().decode(hashedText(bookOf(body), messageOf(body)))
      const printed = (levels: Level[]) => JSON.stringify(levels.map(({ price, size }) => ({ price, size })))
      const byPrice = (sign: number) => (a: Level, b: Level) => sign * (Number(a.price) - Number(b.price))
      const [bids, asks] = [body.bids.toSorted(byPrice(1)), body.asks.toSorted(byPrice(-1))]
      expect(text).toEndWith(`"bids":${printed(bids)},"asks":${printed(asks)}`)
      expect(agrees(bookOf(body), body, factsOf(body))).toBe(true)
    }
    expect(bodies).toHaveLength(141)
  })

  test('agree if the recipe is found by trial, but not without a trade price', () => {
    for (const body of realBooks()) {
      const facts = { ...factsOf(body), recipe: undefined, tickSize: undefined }
      expect(agrees(bookOf(body), body, facts)).toBe(true)
      expect(agrees(bookOf(body), body, { ...facts, tradePrices: [] })).toBe(body.min_order_size === undefined)
    }
  })

  test('have other hashes after a change of a level', () => {
    const [body] = realBooks()
    const changed = bookOf(body!)
    changed.setLevel(BID, 1_000, 7_000_000_000_000)
    expect(agrees(changed, body!, factsOf(body!))).toBe(false)
  })

  // The capture has no snapshot of the other token, so trades of that token may be missing. A hash that contains the
  // price of a missing trade cannot be checked.
  test.each([
    { name: 'with all messages', isLost: false, expected: [16, 16, 0, 0] },
    { name: 'after a lost message', isLost: true, expected: [9, 9, 0, 0] },
  ])('of a recorder have the hashes of a sample, $name', async ({ isLost, expected }) => {
    await withStore(async (store) => {
      const lines = linesOf(FED)
      await store.loadLines('fed.ndjson', isLost ? lines.toSpliced(4, 1) : lines)
      const { market } = JSON.parse(lines[1]!) as { market: string }
      const [day] = await store.store.catalogue.heads('polymarket', market)
      const counts = day!.head.books.flatMap(({ quality }) => [quality.hashesAgreed, quality.hashesChecked])
      expect(counts).toEqual([...expected])
    })
  })
})
