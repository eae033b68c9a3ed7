// Iterates over the trades of one book in a block.

import type { Block } from '../../storage/format/block.ts'
import { NULL } from '../table/table.ts'
import { ALL_TRADES, type BlockTrades, tradeIds, tradesIn } from '../trades/block-trades.ts'
import type { TradeIds } from '../trades/trade-ids.ts'
import type { PresentTrade } from './book-events.ts'

const decoder = new TextDecoder('utf-8', { ignoreBOM: true })

export class PassedTrades {
  readonly #block: Block
  readonly #trades: BlockTrades | undefined
  readonly #present: PresentTrade = { price: 0, size: 0, side: 0, id: () => this.#idOf(this.#next - 1) }
  #ids: TradeIds | undefined
  #next = 0

  /** `book` is the number of the book in the block; 0 if the block does not have the book. Throws
   *  DataError('block_corrupt'). */
  constructor(block: Block, book: number) {
    this.#block = block
    const hasTrades = book > 0 && block.shapes.some(({ shape }) => shape.kind === 'trade')
    this.#trades = hasTrades ? tradesIn(block, { ...ALL_TRADES, book }) : undefined
  }

  /** Index in the block of the next trade's record; Infinity if no trade follows. */
  get nextRecord(): number {
    const trades = this.#trades
    if (trades === undefined || this.#next >= trades.count) return Number.POSITIVE_INFINITY
    return trades.records[this.#next]!
  }

  get nextTimeMs(): number {
    return this.#trades!.timesMs[this.#next]!
  }

  next(): PresentTrade {
    const trades = this.#trades!
    const i = this.#next++
    this.#present.price = trades.prices[i]!
    this.#present.size = trades.sizes[i]!
    this.#present.side = trades.sides[i]!
    return this.#present
  }

  #idOf(i: number): string | null {
    this.#ids ??= tradeIds(this.#block, this.#trades!)
    const { values, texts } = this.#ids
    const text = values[i]!
    return text === NULL ? null : decoder.decode(texts.arena.subarray(texts.offsets[text], texts.offsets[text + 1]))
  }
}
