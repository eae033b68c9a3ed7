// Checks what a client of a stream knows at the end: the same as the model of the contract, for the same captures.

import { expect } from 'bun:test'
import type { Level } from '../../model/book.ts'
import { topAfter, unseenBook } from '../../model/book.ts'
import { toNumber } from '../../model/exact.ts'
import type { ModelStore, Venue } from '../../model/model.ts'
import { bookAt } from '../../model/questions/book-at.ts'
import { tradeRow } from '../../model/questions/trades.ts'
import { type Partition, recordsOf, stepsOf } from '../../model/quotes.ts'
import type { Began, StreamClient, StreamMessage } from './stream-client.ts'

export function expectAsModel(client: StreamClient, model: ModelStore, venue: Venue, market: string): void {
  const partitions = model.partitions(venue, market)
  expectRecords(client, model, { venue, market, partitions })
  expectTrades(client, partitions)
  expectBooks(client, partitions, venue, market)
  expectQuotes(client, partitions, venue, market)
}

type Place = { date: string; record: number }
const isSince = ({ date, record }: Place, began: Began | undefined): boolean =>
  began !== undefined && (began.date === null || date > began.date || (date === began.date && record >= began.record))

type Of = { venue: Venue; market: string; partitions: Partition[] }

function expectRecords(client: StreamClient, model: ModelStore, { venue, market, partitions }: Of): void {
  const began = client.began.get('records')
  const stored = partitions.flatMap(({ date }) =>
    model.records(venue, market, date).filter((_, record) => isSince({ date, record }, began)),
  )
  expect(client.records.map(({ channel: _, ...record }) => record)).toEqual(stored as object[] as never)
}

function expectTrades(client: StreamClient, partitions: Partition[]): void {
  const began = client.began.get('trades')
  const rows = partitions.flatMap(({ date, records }) =>
    records.flatMap((record, place) => {
      const row = isSince({ date, record: place }, began) ? tradeRow({ record, date, place }) : undefined
      return row === undefined ? [] : [row]
    }),
  )
  expect(client.trades.map(({ channel: _, type: __, ...row }) => row)).toEqual(rows as object[] as never)
}

/** Returns the ids of the books that records name. */
const booksIn = (partitions: Partition[], venue: Venue, market: string): string[] =>
  venue === 'kalshi'
    ? [market]
    : [...new Set(partitions.flatMap(({ records }) => records.flatMap(({ book }) => book ?? [])))]

function expectBooks(client: StreamClient, partitions: Partition[], venue: Venue, market: string): void {
  const last = partitions.at(-1)
  if (last === undefined) return
  for (const id of booksIn(partitions, venue, market)) {
    const until = { date: last.date, place: last.records.length - 1 }
    const { trust, ...at } = bookAt(partitions, id, { until, inferredGaps: () => [] })
    // Changes report no price without a size.
    const bids = at.bids.filter(([, size]) => size > 0)
    const asks = at.asks.filter(([, size]) => size > 0)
    const known = client.books.get(id)
    const levelsOf = (levels: Map<number, number> | undefined) => [...(levels ?? [])]
    const shown = {
      id,
      bids: levelsOf(known?.bid).sort(([one], [other]) => other - one),
      asks: levelsOf(known?.ask).sort(([one], [other]) => one - other),
    }
    expect(shown).toEqual({ id, bids, asks })
    // A book without changes appears only in a gap of the whole market. A message with trust `doubtful` does not say
    // what the trust would be without the doubt.
    if (known?.trust === 'doubtful') expect([id, trust]).not.toEqual([id, 'lost'])
    else if (known !== undefined && known.trust !== 'observed' && trust !== 'doubtful')
      expect([id, known.trust]).toEqual([id, trust])
  }
}

/** Expects every complete quote, and an incomplete quote only if it was the last one stored at that time. */
function expectQuotes(client: StreamClient, partitions: Partition[], venue: Venue, market: string): void {
  const began = client.began.get('quotes')
  const quotesByPlace = new Map<string, StreamMessage>()
  for (const id of booksIn(partitions, venue, market)) {
    const book = unseenBook()
    const received = client.quotes.filter((quote) => (quote['asset_id'] ?? quote['ticker']) === id)
    for (const quote of received) quotesByPlace.set(`${quote['timestamp']} ${quote['record']}`, quote)
    let isComplete = new Set<StreamMessage>()
    for (const partition of partitions) {
      const { date, records } = partition
      for (const { record, isQuote } of stepsOf(book, recordsOf(partition, id))) {
        const place = records.indexOf(record)
        if (!isQuote || !isSince({ date, record: place }, began)) continue
        const { bid, ask } = topAfter(book)
        const found = received.filter((quote) => quote['record'] === place && dateOf(quote) === date)
        expect(found.length, `${id} ${date} ${place}`).toBe(1)
        isComplete = isComplete.add(found[0]!)
        const top: object = { timestamp: record.timestamp, ...printed(bid, 'bid'), ...printed(ask, 'ask') }
        expect<object>(topOf(found[0]!)).toEqual(top)
      }
    }
    for (const quote of received) {
      const isOfStart = began !== undefined && !isSince({ date: dateOf(quote), record: Number(quote['record']) }, began)
      if (!isComplete.has(quote) && !isOfStart) expect(quote['open']).toBe(true)
    }
  }
}

const dateOf = ({ timestamp }: StreamMessage) => new Date(timestamp as number).toISOString().slice(0, 10)

const printed = (level: Level | null, side: string) => ({
  [`best_${side}`]: level === null ? null : toNumber(level.price),
  [`best_${side}_size`]: level === null ? 0 : toNumber(level.size),
})

const topOf = ({ timestamp, best_bid, best_bid_size, best_ask, best_ask_size }: StreamMessage) => ({
  ...{ timestamp, best_bid, best_bid_size },
  ...{ best_ask, best_ask_size },
})
