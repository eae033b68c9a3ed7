// The list of all market endpoints. A new endpoint needs a file in src/questions and a line here.

import { book } from '../book.ts'
import { bookChanges } from '../book-changes.ts'
import { coverage } from '../coverage.ts'
import { dateRange } from '../date-range.ts'
import { depthMap } from '../depth-map.ts'
import { depthSummary } from '../depth-summary.ts'
import { dayFile } from '../files/day-file.ts'
import { dayFiles } from '../files/day-files.ts'
import { activeMarkets } from '../finding/active-markets.ts'
import { calendar } from '../finding/calendar.ts'
import { eventList } from '../finding/event-list.ts'
import { marketInfo } from '../finding/market-info.ts'
import { marketList } from '../finding/market-list.ts'
import { search } from '../finding/search.ts'
import { seriesList } from '../finding/series-list.ts'
import { ofMany } from '../many/many-books.ts'
import { marketData } from '../market-data.ts'
import { marketDataRange } from '../market-data-range.ts'
import { orderbookSummary } from '../orderbook-summary.ts'
import type { Question, RecordsQuestion } from '../question.ts'
import { tradeSummary } from '../trade-summary.ts'
import { trades } from '../trades.ts'

/** Questions about one book that also have an endpoint for many books. */
const OF_BOOKS: readonly RecordsQuestion<string>[] = [orderbookSummary, tradeSummary, depthSummary, book]

/** All questions, in the order of the documentation. */
export const QUESTIONS: readonly Question[] = [
  orderbookSummary,
  trades,
  tradeSummary,
  book,
  bookChanges,
  depthSummary,
  depthMap,
  marketData,
  marketDataRange,
  marketList,
  dateRange,
  coverage,
  marketInfo,
  calendar,
  activeMarkets,
  seriesList,
  eventList,
  search,
  ...OF_BOOKS.map(ofMany),
  dayFiles,
  dayFile,
]
