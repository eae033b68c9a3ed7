// What is stored of a market, in a few words.

/** Enough to answer `date-range` with one read. Dates are YYYY-MM-DD; `recordCount` is of all of them. `revision` grows
 *  by one with every commit. */
export type MarketEntry = {
  firstDate: string
  lastDate: string
  dateCount: number
  recordCount: number
  revision: number
}
