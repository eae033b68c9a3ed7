// `--to tardis`: CSV files in Tardis' format, compressed with gzip.

import { passBook } from '../../workers/export/book-pass.ts'
import { TardisBook } from '../../workers/export/tardis/tardis-book.ts'
import { type ExportTarget, UNSEEN_BOOK } from './target.ts'

export const tardis: ExportTarget = {
  name: 'tardis',
  about: "Tardis' CSV files: incremental_book_L2, book_snapshot_25, quotes and trades",
  version: 3,
  options: [],
  async writeDay(store, { books, venue, market, date }, begin) {
    const figures = {
      changes: 0,
      'book snapshots': 0,
      quotes: 0,
      trades: 0,
      'receive times moved': 0,
      [UNSEEN_BOOK]: 0,
    }
    for (const book of books) {
      const of = { venue, market, date, book }
      const made = await passBook(store, of, () => new TardisBook(of, begin))
      figures.changes += made.changes
      figures['book snapshots'] += made.bookSnapshots
      figures.quotes += made.quotes
      figures.trades += made.trades
      figures['receive times moved'] += made.movedTimes
      figures[UNSEEN_BOOK] += made.unseenBook
    }
    return { figures }
  },
}
