// Tests Kalshi's books change by change, and as REST prints them.

import { describe, expect, test } from 'bun:test'
import { LevelBook, levelsOf, orderbooksPath, readOrderbook, readOrderbooks } from './level-book.ts'

describe('LevelBook', () => {
  const delta = (side: string, price: string, change: string) => ({ side, price_dollars: price, delta_fp: change })

  test('is exact over signed changes, and stores no empty level', () => {
    const book = new LevelBook()
    book.apply(delta('yes', '0.5', '1'))
    expect(book.isKnown).toBe(false)
    book.replace({ yes_dollars_fp: [['0.4800', '0.30']] })
    book.apply(delta('yes', '0.4800', '-0.10'))
    expect([...book.levels]).toEqual([[480_000, 200_000]])
    book.apply(delta('yes', '0.4800', '-0.20'))
    book.apply(delta('no', '0.0010', '0.01'))
    expect([...book.levels]).toEqual([[-1_000, 10_000]])
  })

  test('a side that is absent is empty', () => {
    const book = new LevelBook()
    book.replace({})
    expect([book.isKnown, book.levels.size]).toEqual([true, 0])
  })

  test.each([
    { side: 'yes', price_dollars: '0.5' },
    { side: 'maybe', price_dollars: '0.5', delta_fp: '1' },
    { side: 'yes', price_dollars: 50, delta_fp: '1' },
    { side: 'yes', price_dollars: '0.5', delta_fp: '1e3' },
  ])('%j makes the book unknown until the next snapshot', (msg) => {
    const book = new LevelBook()
    book.replace({ yes_dollars_fp: [['0.4800', '0.30']] })
    book.apply(msg)
    expect([book.isKnown, book.levels.size]).toEqual([false, 0])
    book.replace({ yes_dollars_fp: [['0.4800', '0.30']] })
    expect(book.isKnown).toBe(true)
  })
})

describe('order books of REST', () => {
  test('names each market by itself', () => {
    expect(orderbooksPath(['A-1', 'B&2'])).toBe('/markets/orderbooks?tickers=A-1&tickers=B%262')
  })

  test('reads one, and many by their tickers', () => {
    const book = '{"orderbook_fp":{"yes_dollars":[["0.0100","2.00"]],"no_dollars":null}}'
    expect([...readOrderbook(JSON.parse(book))!]).toEqual([[10_000, 2_000_000]])
    const many = `{"orderbooks":[{"ticker":"A-1",${book.slice(1)},{"ticker":"B"},{"orderbook_fp":{}}]}`
    expect([...readOrderbooks(JSON.parse(many))!].map(([ticker, each]) => [ticker, each.size])).toEqual([['A-1', 1]])
  })

  test.each(['null', '[]', '{"orderbook":{}}', '{"orderbook_fp":null}', '{"orderbook_fp":{"yes_dollars":5}}'])(
    '%j is no order book',
    (body) => expect(readOrderbook(JSON.parse(body))).toBeUndefined(),
  )

  test('a level that cannot be read makes no book', () => {
    expect(levelsOf([['0.5', '1'], ['0.6']], undefined)).toBeUndefined()
  })
})
