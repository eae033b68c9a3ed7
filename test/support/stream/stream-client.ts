// A slow and simple client of a stream. Stores only what the messages say about one market.

import { expect } from 'bun:test'

export type StreamMessage = { type: string; channel: string } & Record<string, unknown>
type Level = { side: 'bid' | 'ask'; price: number; before: number; after: number }
/** Size by price. */
type Levels = Map<number, number>
export type ClientBook = { trust: string; bid: Levels; ask: Levels }

/** The place where a channel began last: the stream has sent all later records. Null before the first record. */
export type Began = { date: string | null; record: number }

export class StreamClient {
  readonly began = new Map<string, Began>()
  readonly books = new Map<string, ClientBook>()
  records: StreamMessage[] = []
  trades: StreamMessage[] = []
  quotes: StreamMessage[] = []
  /** The latest top of each book. */
  readonly tops = new Map<string, StreamMessage>()
  gaps: StreamMessage[] = []
  resets = 0

  apply(message: StreamMessage): void {
    const { channel, type } = message
    if (type === 'begin' || type === 'reset') this.#begin(message)
    else if (channel === 'records') this.records.push(message)
    else if (channel === 'trades' && type === 'trade') this.trades.push(message)
    else if (channel === 'quotes') this.#quote(message)
    else if (channel === 'book') this.#book(message)
    else this.gaps.push(message)
  }

  copy(): StreamClient {
    const copy = new StreamClient()
    for (const [channel, began] of this.began) copy.began.set(channel, began)
    for (const [id, { trust, bid, ask }] of this.books) {
      copy.books.set(id, { trust, bid: new Map(bid), ask: new Map(ask) })
    }
    for (const [id, top] of this.tops) copy.tops.set(id, top)
    copy.records = [...this.records]
    copy.trades = [...this.trades]
    copy.quotes = [...this.quotes]
    return copy
  }

  #begin({ channel, type, date, record }: StreamMessage): void {
    if (type === 'reset') this.resets++
    this.began.set(channel, { date: date as string | null, record: record as number })
    if (channel === 'records') this.records = []
    if (channel === 'trades') this.trades = []
    if (channel === 'quotes') {
      this.quotes = []
      this.tops.clear()
    }
    if (channel === 'book') this.books.clear()
  }

  #quote(message: StreamMessage): void {
    if (message.type === 'gap') this.gaps.push(message)
    else {
      this.quotes.push(message)
      this.tops.set(idOf(message), message)
    }
  }

  #book(message: StreamMessage): void {
    const id = idOf(message)
    if (message.type === 'book') {
      const levels = (side: string) => new Map(message[side] as [number, number][])
      this.books.set(id, { trust: message['trust'] as string, bid: levels('bids'), ask: levels('asks') })
      return
    }
    if (message.type === 'gap') {
      this.gaps.push(message)
      for (const [each, book] of this.books) if (id === '' || id === each) clear(book)
      if (id !== '' && !this.books.has(id)) this.books.set(id, { trust: 'lost', bid: new Map(), ask: new Map() })
      return
    }
    const book = this.books.get(id) ?? { trust: 'observed', bid: new Map(), ask: new Map() }
    this.books.set(id, book)
    for (const { side, price, before, after } of message['changes'] as Level[]) {
      expect({ side, price, before }).toEqual({ side, price, before: book[side].get(price) ?? 0 })
      if (after === 0) book[side].delete(price)
      else book[side].set(price, after)
    }
    if (message.type === 'snapshot') book.trust = 'established'
  }
}

/** Returns the id of the message's book; an empty text for a gap of the whole market. */
const idOf = (message: StreamMessage): string => String(message['asset_id'] ?? message['ticker'] ?? '')

function clear(book: ClientBook): void {
  book.trust = 'lost'
  book.bid.clear()
  book.ask.clear()
}
