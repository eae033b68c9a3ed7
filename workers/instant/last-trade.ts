// Finds the last trade of a book at an instant. This is the last trade among the records, or a later trade that a date
// borrows from an archive (docs/sources.md). A borrowed trade is not a record of the date.

import type { Store } from '../../storage/open-store.ts'
import { MICROS, utcDate } from '../../storage/units.ts'
import { bookFields, type Venue } from '../../storage/venue.ts'
import type { RecordPlace } from '../book/book-mark.ts'
import { type Trade, tradeAt, tradesIn } from '../trades/block-trades.ts'
import { planTrades } from '../trades/trades-page.ts'
import type { Days } from './book-at.ts'
import { DayBlocks } from './day-blocks.ts'

type BookRequest = { venue: Venue; market: string; book: string }

/** Price in dollars, size in contracts. Also has the book's id, under the venue's name for that id. `record` is null
 *  for a borrowed trade. */
export type TradeRow = {
  timestamp: number
  price: number
  size: number
  side: Trade['side']
  trade_id: string | null
  record: number | null
} & Record<string, unknown>

/** Returns the last trade up to `untilMs`; null if there is none. `shown` is the place of the last trade by the mark of
 *  the book. It counts only on the date of `untilMs`: on an earlier date, it may be a trade of a source that this date
 *  does not show. Rejects with DataError('block_corrupt'). */
export async function lastTrade(
  store: Store,
  days: Pick<Days, 'at' | 'lastUntil' | 'before'>,
  request: BookRequest,
  shown: RecordPlace | null,
  untilMs: number,
): Promise<TradeRow | null> {
  const today = utcDate(untilMs)
  const isToday = shown !== null && utcDate(shown.timeMs) === today
  const asked = { ...request, toMs: untilMs, after: null, limit: Number.POSITIVE_INFINITY }
  const range = { ...asked, fromMs: isToday ? shown.timeMs : Number.NEGATIVE_INFINITY }
  for (let day = await days.lastUntil(today); day !== undefined; day = await days.before(day.date)) {
    const ofDay = planTrades(range, [day]).filter(({ stretch }) => stretch.isBorrowed || day!.date !== today)
    for (const { key, stretch, index, wanted } of ofDay.toReversed()) {
      const { block, firstRecord } = await new DayBlocks(store, key, stretch.head).block(index)
      const { count, timesMs, records, shapes, rows } = tradesIn(block, wanted)
      if (count === 0) continue
      const record = stretch.isBorrowed ? null : firstRecord + records[count - 1]!
      return rowOf(request, timesMs[count - 1]!, record, tradeAt(block, shapes[count - 1]!, rows[count - 1]!))
    }
    if (isToday) break
  }
  if (!isToday) return null
  const day = await days.at(today)
  const { block, fields, firstRecord } = await day.block(day.indexOf(shown.record))
  const record = shown.record - firstRecord
  return rowOf(request, shown.timeMs, shown.record, tradeAt(block, fields.shapeOf(record), fields.rowOf(record)))
}

function rowOf(request: BookRequest, timestamp: number, record: number | null, trade: Trade): TradeRow {
  const { price, size, side, id } = trade
  return {
    timestamp,
    ...bookFields(request, request.book),
    ...{ price: price / MICROS, size: size / MICROS, side, trade_id: id, record },
  }
}
