// The last trade of a book in a block.

import type { Block } from '../../storage/format/block.ts'
import { NULL } from '../table/table.ts'
import { ALL_TRADES, SIDES, tradeIds, tradesIn } from './block-trades.ts'

/** The price in 1e-6 dollars, the size in 1e-6 contracts; `record` is its place in the block. */
export type Trade = {
  timeMs: number
  price: number
  size: number
  side: 'buy' | 'sell' | null
  id: string | null
  record: number
}

/** Among the records before `endRecord`, of which 0 is the block's first. `book` is its number: its index in
 *  `PartitionHead.books` plus one. Throws DataError('block_corrupt'). */
export function lastTrade(block: Block, { book, endRecord }: { book: number; endRecord: number }): Trade | undefined {
  const trades = tradesIn(block, { ...ALL_TRADES, book, endRecord })
  const last = trades.count - 1
  if (last < 0) return undefined
  const { values, texts } = tradeIds(block, trades)
  const text = values[last]!
  return {
    timeMs: trades.timesMs[last]!,
    price: trades.prices[last]!,
    size: trades.sizes[last]!,
    side: SIDES[trades.sides[last]! - 1] ?? null,
    id: text === NULL ? null : utf8.decode(texts.arena.subarray(texts.offsets[text], texts.offsets[text + 1])),
    record: trades.records[last]!,
  }
}

const utf8 = new TextDecoder('utf-8', { ignoreBOM: true })
