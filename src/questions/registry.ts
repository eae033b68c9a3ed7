// Every market endpoint. Another one is a file beside this, and a line here.

import { activeMarkets } from './active-markets.ts'
import { calendar } from './calendar.ts'
import { coverage } from './coverage.ts'
import { dateRange } from './date-range.ts'
import { marketData } from './market-data.ts'
import { marketDataRange } from './market-data-range.ts'
import { marketInfo } from './market-info.ts'
import { marketList } from './market-list.ts'
import { orderbookSummary } from './orderbook-summary.ts'
import type { Question } from './question.ts'
import { search } from './search.ts'

/** In the order of the documentation. */
export const QUESTIONS: readonly Question[] = [
  orderbookSummary,
  marketData,
  marketDataRange,
  marketList,
  dateRange,
  coverage,
  marketInfo,
  calendar,
  activeMarkets,
  search,
]
