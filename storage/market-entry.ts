// The stored summary of a market.

/** One read of this entry answers `date-range`. Dates are YYYY-MM-DD. `recordCount` counts the records of all dates.
 *  `revision` grows by one with every commit. */
export type MarketEntry = {
  firstDate: string
  lastDate: string
  dateCount: number
  recordCount: number
  revision: number
}
