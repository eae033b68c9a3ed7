// The task that returns a page of trades.

import { encodeCursor } from '../read/cursor.ts'
import type { TradesHead, TradesRequest } from '../requests.ts'
import { readTrades } from '../trades/trades-page.ts'
import { tradesTable } from '../trades/trades-table.ts'
import { tableTask } from './table-task.ts'
import { weightOf } from './weight.ts'

/** Bytes per trade: its columns, and the venue's id, which has 66 characters on Polymarket. */
const TRADE_BYTES = 140

export const TRADES_PATH = '/market/trades'

export const tradesTask = tableTask<TradesRequest, TradesHead>({
  name: 'trades',
  weight: ({ limit }) => weightOf(limit * TRADE_BYTES),
  async table(store, request, names) {
    const { venue, market, book, fromMs, toMs } = request
    const page = await readTrades(store, request, names?.includes('trade_id') ?? true)
    const query = { path: TRADES_PATH, venue, market, book, fromMs, toMs }
    const { count: dataCount, next } = page
    const nextCursor = next === null ? null : encodeCursor(await store.catalogue.cursorSecret(), query, next)
    const about = { data_count: dataCount, has_more: next !== null, next_cursor: nextCursor }
    return { head: { dataCount, nextCursor }, table: tradesTable(request, page), about }
  },
})
