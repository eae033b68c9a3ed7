// Computes the best prices after each record, for spans so short that a column would hide changes.

import { ASK, BID, type ChangeBlock } from '../data/replay/change-block.ts'
import { bestOf, ReplayBook } from './replay-book.ts'

/** Each level is [price, contracts]. */
type Levels = readonly (readonly number[])[]

/** Best prices. The prices at each index are valid from the time at that index until the next time. */
export type HeldPrices = { resolutionMs: 0; times: Float64Array; bid: Float64Array; ask: Float64Array }

/** Returns the best prices after each record of the block. The levels are the book at `startMs`; all rows of the block
 *  must come after that book. */
export function bestAfterEach(
  { bids, asks }: { bids: Levels; asks: Levels },
  block: ChangeBlock,
  startMs: number,
): HeldPrices {
  const book = new ReplayBook(bids, asks, null)
  const prices: { ms: number; bid: number; ask: number }[] = []
  const note = (ms: number) => {
    const [bid, ask] = [bestOf(book.bids, BID) ?? Number.NaN, bestOf(book.asks, ASK) ?? Number.NaN]
    const last = prices.at(-1)
    if (last === undefined || !Object.is(last.bid, bid) || !Object.is(last.ask, ask)) prices.push({ ms, bid, ask })
  }
  note(startMs)
  for (let row = 0, first = 0; row < block.rows; row++) {
    if (block.records[row + 1] === block.records[row] && block.timesMs[row + 1] === block.timesMs[row]) continue
    book.move(block, first, row + 1)
    note(block.timesMs[row]!)
    first = row + 1
  }
  return {
    resolutionMs: 0,
    times: Float64Array.from(prices, ({ ms }) => ms),
    bid: Float64Array.from(prices, ({ bid }) => bid),
    ask: Float64Array.from(prices, ({ ask }) => ask),
  }
}

/** Joins consecutive windows. Nothing is recorded from `endMs` on, so the prices are NaN from there. */
export function joinedExact(windows: readonly HeldPrices[], endMs: number): HeldPrices {
  const end = { times: Float64Array.of(endMs), bid: Float64Array.of(Number.NaN), ask: Float64Array.of(Number.NaN) }
  const all = (name: 'times' | 'bid' | 'ask') => {
    const parts = windows.map(({ times, [name]: values }) => values.filter((_, i) => times[i]! < endMs))
    return Float64Array.from([...parts, end[name]].flatMap((values) => [...values]))
  }
  return { resolutionMs: 0, times: all('times'), bid: all('bid'), ask: all('ask') }
}
