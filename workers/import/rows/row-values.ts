// Values of an archive's rows, as integers in the archive's units.

/** Number of decimal places in the integers of an archive: with a scale of 2, 49 is 0.49. */
export type RowScales = { price: number; size: number }

/** The position and times of a row. `token` is a decimal id. */
export type RowPlace = { row: number; token: string; receivedMs: number; venueMs: number }

/** Levels in units of the archive's scales, best level last, as the venue prints them. */
export type RowSide = { prices: ArrayLike<number>; sizes: ArrayLike<number> }

/** A change of a level. Best prices are NaN if the row has none. */
export type RowChange = { side: 'BUY' | 'SELL'; price: number; size: number; bestBid: number; bestAsk: number }

/** A trade. `side` is null, `feeBps` NaN and `transaction` empty if the row has none. */
export type TradeRow = {
  side: 'BUY' | 'SELL' | null
  price: number
  size: number
  feeBps: number
  transaction: Uint8Array
}
