// What the rows of an archive say, as whole numbers of its units.

/** How many digits after the point the whole numbers of an archive count. */
export type RowScales = { price: number; size: number }

/** What every row says. `token` is a decimal id. */
export type RowPlace = { row: number; token: string; receivedMs: number; venueMs: number }

/** Whole numbers of the archive's scales, best last, as the venue prints them. */
export type RowSide = { prices: ArrayLike<number>; sizes: ArrayLike<number> }

/** Best prices are NaN where the row says none. */
export type RowChange = { side: 'BUY' | 'SELL'; price: number; size: number; bestBid: number; bestAsk: number }

/** `side` is null, `feeBps` NaN and `transaction` empty where the row says none. */
export type TradeRow = {
  side: 'BUY' | 'SELL' | null
  price: number
  size: number
  feeBps: number
  transaction: Uint8Array
}
