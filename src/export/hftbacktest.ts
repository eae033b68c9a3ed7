// `--to hftbacktest`: a .npz per book and date, with a JSON file that describes its clocks.

import { passBook } from '../../workers/export/book-pass.ts'
import { EventBook, type EventCounts } from '../../workers/export/hftbacktest/event-book.ts'
import type { BeginFile } from '../../workers/export/new-file.ts'
import { partOfPath } from './part-of-path.ts'
import { type ExportTarget, UNSEEN_BOOK } from './target.ts'

export const hftbacktest: ExportTarget = {
  name: 'hftbacktest',
  about: 'hftbacktest: a .npz of each book and date',
  version: 2,
  options: [],
  async writeDay(store, { venue, market, date, books }, begin) {
    const figures = { trades: 0, 'trades without a side': 0, 'rows there twice': 0, [UNSEEN_BOOK]: 0 }
    for (const book of books) {
      const path = `${venue}/${partOfPath(book)}_${date.replaceAll('-', '')}`
      const of = { venue, market, date, book }
      const made = await passBook(store, of, () => new EventBook(begin(), `${path}.npz`))
      figures.trades += made.trades
      figures['trades without a side'] += made.tradesWithoutSide
      figures['rows there twice'] += made.rowsTwice
      figures[UNSEEN_BOOK] += made.unseenBook
      writeSidecar(begin, `${path}.json`, { ...of, ...made })
    }
    return { figures }
  },
}

function writeSidecar(begin: BeginFile, path: string, made: EventCounts & Record<string, unknown>): void {
  const { venue, market, book, date, rows, trades, ...clocks } = made
  const sidecar = {
    ...{ venue, market, book, date, rows, trades },
    trades_without_side: clocks.tradesWithoutSide,
    venue_times_raised: clocks.raisedVenueTimes,
    records_without_receive_time: clocks.withoutReceiveTime,
    receive_times_moved_us: clocks.receiveTimesMovedUs,
    rows_twice: clocks.rowsTwice,
    changes_of_unseen_book: clocks.unseenBook,
  }
  const file = begin()
  file.write(Buffer.from(`${JSON.stringify(sidecar, null, 2)}\n`))
  file.finish(path, 0)
}
