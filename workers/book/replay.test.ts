// A block is applied to its books, and each quote is reported when it is complete.

import { expect, test } from 'bun:test'
import type { JsonObject } from '../../test/model/json.ts'
import { book, kalshiDelta, kalshiSnapshot, NOON, priceChange, received } from '../../test/model/lines.ts'
import { storedBlock } from '../../test/support/books/made-block.ts'
import { type BookColumns, bookColumns } from './book-columns.ts'
import { BID } from './ladder.ts'
import { OrderBook } from './order-book.ts'
import { BlockReplay, finishReplay, type QuoteSink, replayBlock } from './replay.ts'

const columnsOf = (...lines: JsonObject[]): BookColumns => bookColumns(storedBlock(...lines))
const best = (of: OrderBook) => of.levels(BID)[0]?.[1] ?? 0
const eventsTo = (events: string[]): QuoteSink => ({
  quote: (of, number, record) =>
    void events.push(`quote ${number} ${of.openQuoteMs - NOON} size ${best(of) / 1e6} by ${record}`),
  gap: (of, number, timeMs, record) => void events.push(`gap ${number} ${timeMs - NOON} ${of.trust} by ${record}`),
  marketGap: (timeMs) => void events.push(`market gap ${timeMs - NOON}`),
  impossible: (number, record, what) => void events.push(`${what} ${number} by ${record}`),
})

function replayed(columns: BookColumns, ...steps: number[]) {
  const [events, books] = [[] as string[], [undefined, ...columns.bookIds.map(() => new OrderBook())]]
  const sink = eventsTo(events)
  if (steps.length === 0) replayBlock(columns, books, sink)
  else {
    const replay = new BlockReplay(columns, books)
    for (const end of [...steps, columns.recordCount]) replay.to(end, sink)
  }
  finishReplay(books, sink)
  return events
}

const kalshi = columnsOf(
  received(0, kalshiSnapshot([['0.40', '10']])),
  received(5, kalshiDelta(5, '0.40', '1')),
  received(5, kalshiDelta(5, '0.40', '2')),
  received(6, kalshiDelta(6, '0.40', '-20')),
  received(7, kalshiDelta(7, '0.40', '4')),
)
const KALSHI = [
  'quote 1 0 size 10 by 1',
  'quote 1 5 size 13 by 3',
  'below_zero 1 by 3',
  'quote 1 6 size 0 by 4',
  'quote 1 7 size 4 by 0',
]

test('changes of one time are one quote; a level below zero is reported', () =>
  expect(replayed(kalshi)).toEqual(KALSHI))

test.each([[1], [2], [1, 2, 3, 4]])('the same in steps to %p', (...steps) =>
  expect(replayed(kalshi, ...(steps.filter((step) => typeof step === 'number') as number[]))).toEqual(KALSHI),
)

test('books are independent, and a gap is of one book or of all', () => {
  const gap = (ms: number, of = {}) =>
    received(ms, {
      type: 'gap',
      venue: 'polymarket',
      market: book(0, [], []).market,
      ...of,
      msg: { reason: 'lag', from: NOON + ms, to: NOON + ms },
    })
  const columns = columnsOf(
    book(0, [['0.4', '1']], [], 'A'),
    book(1, [['0.4', '2']], [], 'B'),
    priceChange(2, { asset_id: 'A', price: '0.4', size: '3' }),
    gap(3, { asset_id: 'A' }),
    priceChange(4, { asset_id: 'A', price: '0.4', size: '9' }),
    gap(5),
  )
  expect(replayed(columns)).toEqual([
    ...['quote 1 0 size 1 by 2', 'quote 1 2 size 3 by 3', 'gap 1 3 lost by 3'],
    ...['quote 1 4 size 0 by 5', 'gap 1 5 lost by 5', 'quote 2 1 size 2 by 5', 'gap 2 5 lost by 5', 'market gap 5'],
  ])
})

test('a proof establishes a book after its record', () => {
  const columns = columnsOf(priceChange(0, { price: '0.4', size: '1' }), priceChange(1, { price: '0.4', size: '2' }))
  const of = new OrderBook()
  const replay = new BlockReplay(columns, [undefined, of], [{ number: 1, record: 0 }])
  const sink = eventsTo([])
  expect<string>(of.trust).toBe('observed')
  replay.to(1, sink)
  expect<string>(of.trust).toBe('established')
  const [later, trusts] = [new OrderBook(), [] as string[]]
  const atQuote = { ...sink, quote: ({ trust }: OrderBook) => void trusts.push(trust) }
  new BlockReplay(columns, [undefined, later], [{ number: 1, record: 1 }]).to(2, atQuote)
  expect<string[]>([...trusts, later.trust]).toEqual(['observed', 'established'])
  const early = new OrderBook()
  early.trust = 'observed'
  new BlockReplay(columns, [undefined, early], [{ number: 1, record: -1 }])
  expect<string>(early.trust).toBe('established')
})

test('books that are not wanted are passed over', () => {
  const columns = columnsOf(
    priceChange(0, { asset_id: 'A', price: '0.4', size: '1' }),
    priceChange(1, { asset_id: 'B', price: '0.4', size: '2' }),
  )
  const events: string[] = []
  const books = [undefined, undefined, new OrderBook()]
  replayBlock(columns, books, eventsTo(events))
  finishReplay(books, eventsTo(events))
  expect(events).toEqual(['quote 2 1 size 2 by 0'])
})
