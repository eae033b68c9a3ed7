// Makes the quotes of a day, for peers that cannot rebuild a book: the top of the book after every instant in which it
// changed.

import { blockPart } from '../../storage/block-store.ts'
import { decodeBlock } from '../../storage/format/block.ts'
import type { Store } from '../../storage/open-store.ts'
import { MICROS } from '../../storage/units.ts'
import { bookColumns } from '../../workers/book/book-columns.ts'
import { NO_PRICE, OrderBook, type Top } from '../../workers/book/order-book.ts'
import { finishReplay, type QuoteSink, replayBlock } from '../../workers/book/replay.ts'

/** Returns CSV lines: time in ms, then price and size of both sides; the price is empty if a side is empty. */
export async function quoteLines(store: Store, { market, date }: { market: string; date: string }): Promise<string[]> {
  const key = { venue: 'kalshi', market, date } as const
  const lines = ['time_ms,bid,bid_size,ask,ask_size']
  const top: Top = { bid: NO_PRICE, bidSize: 0, ask: NO_PRICE, askSize: 0 }
  const price = (micros: number) => (micros === NO_PRICE ? '' : micros / MICROS)
  const sink: QuoteSink = {
    quote(book) {
      book.readTop(top)
      const bid = `${price(top.bid)},${top.bidSize / MICROS}`
      lines.push(`${book.openQuoteMs},${bid},${price(top.ask)},${top.askSize / MICROS}`)
    },
    gap() {},
    marketGap() {},
  }
  const books = [undefined, new OrderBook()]
  const blocks = (await store.catalogue.head(key))!.blocks.map(({ id }) => blockPart(id))
  const parts = await store.blocks.fetch(blocks.map((part) => ({ key, ...part })))
  for (const part of blocks) replayBlock(bookColumns(decodeBlock(parts.bytes(key, part))), books, sink)
  finishReplay(books, sink)
  return lines
}
