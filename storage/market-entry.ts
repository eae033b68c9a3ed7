// The stored summary of a market.

/** Enough to answer `date-range` with one read. Dates are YYYY-MM-DD. `recordCount` counts the records of all dates.
 *  `revision` grows by one with every commit. */
export type MarketEntry = {
  firstDate: string
  lastDate: string
  dateCount: number
  recordCount: number
  revision: number
}
