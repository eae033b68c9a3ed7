// `--to parquet-dataset`: candles, trades, changes and depth in folders by venue, market and date; DuckDB, polars and
// pandas read each as one table.

import { passBook } from '../../workers/export/book-pass.ts'
import { ChangesFile } from '../../workers/export/dataset/changes-file.ts'
import { candleRows, depthRows, tradeRows, writeRows } from '../../workers/export/dataset/tables.ts'
import { partOfPath } from './part-of-path.ts'
import { type ExportedDay, type ExportTarget, UNSEEN_BOOK } from './target.ts'

export const parquetDataset: ExportTarget = {
  name: 'parquet-dataset',
  about: 'DuckDB, polars and pandas: Parquet by venue, market and date of candles, trades, book changes and depth',
  version: 5,
  options: [],
  async writeDay(store, day, begin) {
    const { venue, market, date, books, head } = day
    const key = { venue, market, date }
    const figures = { candles: 0, trades: 0, 'book changes': 0, 'depth rows': 0, [UNSEEN_BOOK]: 0 }
    const candles = await candleRows(store, key, head, books)
    figures.candles = await writeRows(candles, pathOf('candles-1s', day, 'candles'), begin)
    const trades = await tradeRows(store, key, head, books)
    figures.trades = await writeRows(trades, pathOf('trades', day, 'trades'), begin)
    for (const book of books) {
      const path = pathOf('changes', day, book)
      const changes = await passBook(store, { ...key, book }, () => new ChangesFile(path, book, begin))
      figures['book changes'] += changes.rows
      figures[UNSEEN_BOOK] += changes.unseenBook
      figures['depth rows'] += await writeRows(await depthRows(store, key, book), pathOf('depth-1m', day, book), begin)
    }
    return { figures }
  },
}

const pathOf = (rows: string, { venue, market, date }: ExportedDay, file: string): string =>
  `${rows}/venue=${venue}/market=${partOfPath(market)}/date=${date}/${partOfPath(file)}.parquet`
