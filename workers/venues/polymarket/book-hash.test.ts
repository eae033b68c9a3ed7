// Compares the hash recipes with real books, if the shared captures exist.

import { describe, expect, test } from 'bun:test'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { isPresent } from '../../../test/run/missing.ts'
import { type BookHashExtra, type PrintedLevel, polymarketBookHash } from './book-hash.ts'

type Level = { price: string; size: string }
type Book = { market: string; asset_id: string; timestamp: string; hash: string; bids: Level[]; asks: Level[] }
type RestBook = Book & { min_order_size: string; tick_size: string; neg_risk: boolean; last_trade_price: string }
type Change = { asset_id: string; price: string; size: string; side: 'BUY' | 'SELL'; hash: string }
type Frame = Book & { event_type: string; price_changes: Change[]; price: string; last_trade_price: string }

const captures = fileURLToPath(new URL('../../../../shared/captures/polymarket/', import.meta.url))
const here = isPresent(existsSync(captures), 'the real captures in ../shared/captures')

const linesOf = (name: string) =>
  readFileSync(captures + name, 'utf8')
    .trim()
    .split('\n')
const pairs = (levels: Level[]): PrintedLevel[] => levels.map(({ price, size }) => [price, size])
const ascending = (levels: PrintedLevel[]) => [...levels].sort(([a], [b]) => Number(a) - Number(b))
const hashOf = (book: Book, extra?: BookHashExtra) =>
  polymarketBookHash(
    { ...book, assetId: book.asset_id, bids: ascending(pairs(book.bids)), asks: ascending(pairs(book.asks)).reverse() },
    extra,
  )

test('polymarketBookHash is the SHA-1 of the compact book in each recipe', () => {
  const book = { market: '0xab', assetId: '7', timestamp: '1', bids: [['0.4', '10']] as const, asks: [] }
  const old = '{"market":"0xab","asset_id":"7","timestamp":"1","hash":"","bids":[{"price":"0.4","size":"10"}],"asks":[]'
  const added = ',"min_order_size":"5","tick_size":"0.01","neg_risk":false'
  const extra = { minOrderSize: '5', tickSize: '0.01', negRisk: false }
  expect(polymarketBookHash(book)).toBe(Bun.SHA1.hash(`${old}}`, 'hex'))
  expect(polymarketBookHash(book, { ...extra, lastTradePrice: null })).toBe(Bun.SHA1.hash(`${old}${added}}`, 'hex'))
  expect(polymarketBookHash(book, { ...extra, lastTradePrice: '0.400' })).toBe(
    Bun.SHA1.hash(`${old}${added},"last_trade_price":"0.400"}`, 'hex'),
  )
})

describe.skipIf(!here)('polymarketBookHash on real captures', () => {
  test('agrees with every REST book', () => {
    const names = readdirSync(`${captures}rest-books`)
    expect(names.length).toBeGreaterThan(20)
    for (const name of names) {
      const text = readFileSync(`${captures}rest-books/${name}`, 'utf8')
      const book = JSON.parse(text) as Partial<RestBook>
      if (book.hash === undefined) continue
      const full = book as RestBook
      const extra = {
        minOrderSize: full.min_order_size,
        tickSize: full.tick_size,
        negRisk: full.neg_risk,
        lastTradePrice: full.last_trade_price,
      }
      expect(hashOf(full, extra), name).toBe(full.hash)
    }
  })

  test('agrees with the books of 2024 in the older recipe', () => {
    for (const line of linesOf('books-2024-12-22.ndjson')) {
      const book = JSON.parse(line) as Book
      expect(hashOf(book)).toBe(book.hash)
    }
  })

  test('agrees with every book and every change of a stream', () => {
    const books = new Map<string, { bids: Map<string, string>; asks: Map<string, string> }>()
    const extra = { minOrderSize: '5', tickSize: '0.001', negRisk: true, lastTradePrice: '' }
    let checks = 0
    const check = (frame: Frame, assetId: string, hash: string) => {
      const { bids, asks } = books.get(assetId)!
      const book = { market: frame.market, assetId, timestamp: frame.timestamp }
      const levels = { bids: ascending([...bids]), asks: ascending([...asks]).reverse() }
      expect(polymarketBookHash({ ...book, ...levels }, extra)).toBe(hash)
      checks++
    }
    for (const line of linesOf('fed-no-change-2026-07-20.ndjson')) {
      for (const frame of [JSON.parse(line)].flat() as Frame[]) {
        if (frame.event_type === 'book') {
          books.set(frame.asset_id, { bids: new Map(pairs(frame.bids)), asks: new Map(pairs(frame.asks)) })
          if (frame.last_trade_price !== undefined) extra.lastTradePrice = frame.last_trade_price
          check(frame, frame.asset_id, frame.hash)
        } else if (frame.event_type === 'last_trade_price') {
          extra.lastTradePrice = Number(frame.price).toFixed(3)
        } else {
          for (const { asset_id, price, size, side } of frame.price_changes) {
            const levels = books.get(asset_id)?.[side === 'BUY' ? 'bids' : 'asks']
            if (size === '0') levels?.delete(price)
            else levels?.set(price, size)
          }
          // Changes arrive for both tokens, though only one was subscribed and has an opening book.
          for (const { asset_id, hash } of frame.price_changes) if (books.has(asset_id)) check(frame, asset_id, hash)
        }
      }
    }
    expect(checks).toBeGreaterThan(20)
  })
})
