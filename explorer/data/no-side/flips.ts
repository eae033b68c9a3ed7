// Converts answers about Yes to the No side: a No price is $1 minus the Yes price, bids become asks, and buying one is
// selling the other.

import type { Side } from '../columns/trade-columns.ts'

type Column = Float64Array

/** Prices are rounded to a dollar divided by this number. This is exact for half of 1e-6 dollars, which a mid price may
 *  contain. */
const PARTS = 1e7
export const flippedPrice = (dollars: number): number => Math.round((1 - dollars) * PARTS) / PARTS

const flipped = (prices: Column): Column => prices.map(flippedPrice)
const otherSides = (sides: readonly Side[]): Side[] =>
  sides.map((side) => (side === null ? null : side === 'buy' ? 'sell' : 'buy'))

const OTHERS: Record<string, string> = { bid: 'ask', ask: 'bid', low: 'high', high: 'low' }

/** Flips the prices of quotes: the lowest bid of No follows from the highest ask of Yes. Spreads and counts stay the
 *  same. */
export function flippedQuotes<T extends { columns: Readonly<Record<string, Column>> }>(window: T): T {
  const made = Object.entries(window.columns).map(([name, column]) => {
    if (!/^(?:best|mid)_/.test(name)) return [name, column]
    return [name.replace(/bid|ask|low|high/g, (word) => OTHERS[word]!), flipped(column)]
  })
  return { ...window, columns: Object.fromEntries(made) }
}

type Candled = { open: Column; high: Column; low: Column; close: Column }
type Traded = Candled & { vwap: Column; buyVolume: Column; sellVolume: Column }

export const flippedTrades = <T extends Traded>(window: T): T => ({
  ...window,
  ...{ open: flipped(window.open), close: flipped(window.close) },
  ...{ high: flipped(window.low), low: flipped(window.high) },
  vwap: window.vwap.map((dollars) => 1 - dollars),
  ...{ buyVolume: window.sellVolume, sellVolume: window.buyVolume },
})

export const flippedEach = <T extends { price: Column; side: readonly Side[] }>(trades: T): T => ({
  ...trades,
  price: flipped(trades.price),
  side: otherSides(trades.side),
})

/** `sides` holds 0 or 1; a larger number means no level. */
export const flippedChanges = <T extends { prices: Column; sides: Uint8Array }>(block: T): T => ({
  ...block,
  prices: flipped(block.prices),
  sides: block.sides.map((side) => (side > 1 ? side : 1 - side)),
})

type Levels = number[][]
type Booked = { bids: Levels; asks: Levels; last_trade: { price: number; side: Side } | null }

export function flippedBook<T extends Booked>(book: T): T {
  const levels = (all: Levels): Levels => all.map(([price, ...size]) => [flippedPrice(price!), ...size])
  const { bids, asks, last_trade: trade } = book
  const last =
    trade === null ? null : { ...trade, price: flippedPrice(trade.price), side: otherSides([trade.side])[0]! }
  return { ...book, bids: levels(asks), asks: levels(bids), last_trade: last }
}

type Studied = { imbalance: Column; bidDepth: Column; askDepth: Column }

export const flippedStudy = <T extends Studied>(study: T): T => ({
  ...study,
  imbalance: study.imbalance.map((share) => 0 - share),
  ...{ bidDepth: study.askDepth, askDepth: study.bidDepth },
})

type DepthGrid = { prices: Column; sizes: Float32Array; columns: number; priceStep: number }

const microsOf = (dollars: number): number => Math.round(dollars * 1e6)

/** The tick if the metadata does not give one, dollars. */
const TICK_UNKNOWN = 0.001

/** Flips a depth map. A row starts at the lowest price of No that it may contain. `tickAt` returns the tick at a price
 *  of Yes in dollars, null if unknown. */
export function flippedDepth<T extends DepthGrid>(
  window: T,
  tickAt: (dollars: number) => number | null,
  least: number | null,
): T {
  const { prices, sizes, columns, priceStep } = window
  const rows = prices.length
  const last = microsOf(priceStep) - microsOf(least ?? TICK_UNKNOWN)
  const starts = prices.map((low) => {
    const tick = microsOf(tickAt(low) ?? TICK_UNKNOWN)
    return (Math.ceil((1e6 - microsOf(low) - last) / tick) * tick) / 1e6
  })
  const flippedSizes = new Float32Array(sizes.length)
  for (let row = 0; row < rows; row++) {
    const [from, to] = [(rows - 1 - row) * columns, row * columns]
    for (let column = 0; column < columns; column++) flippedSizes[to + column] = 0 - sizes[from + column]!
  }
  return { ...window, prices: starts.toReversed(), sizes: flippedSizes }
}
