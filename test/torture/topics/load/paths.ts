// Paths that the load topics request: answers of every size about the busiest market of the synthetic day.

import type { SyntheticDay } from '../../../../workers/synthetic/synthetic-day.ts'

/** Returns the path of an answer of 39 MB as JSON. */
export const longSummary = (day: SyntheticDay, fill = 'range') => summary(day, 1, fill)
/** Returns the path of a page of 36 records. Pages are never cached. */
export const shortPage = (day: SyntheticDay) => page(day, 36)

export const summary = ({ kalshiTicker, date }: SyntheticDay, resolution: number, fill = 'range') =>
  `/kalshi/market/orderbook-summary?ticker=${kalshiTicker}&date=${date}&resolution=${resolution}&fill=${fill}`

export const page = ({ kalshiTicker, date }: SyntheticDay, limit: number, offset = 0) =>
  `/api/v1/kalshi/market/data?ticker=${kalshiTicker}&date=${date}&limit=${limit}&offset=${offset}`

export const range = ({ kalshiTicker, date }: SyntheticDay, limit: number, cursor = '') =>
  `/kalshi/market/data/range?ticker=${kalshiTicker}&start_timestamp=${Date.parse(date)}` +
  `&end_timestamp=${Date.parse(date) + 86_399_999}&limit=${limit}${cursor === '' ? '' : `&cursor=${cursor}`}`

export const list = '/kalshi/market/list?limit=100'
export const days = ({ kalshiTicker }: SyntheticDay) => `/kalshi/market/date-range?ticker=${kalshiTicker}`
