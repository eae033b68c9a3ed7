// `--to nautilus`: a Parquet catalog of nautilus_trader.

import { passBook } from '../../workers/export/book-pass.ts'
import { CatalogBook } from '../../workers/export/nautilus/catalog-book.ts'
import { catalogPath } from '../../workers/export/nautilus/catalog-names.ts'
import { instrumentFile, instrumentOf, tickPrecision } from '../../workers/export/nautilus/instrument.ts'
import { type ExportTarget, UNSEEN_BOOK } from './target.ts'

/** Decimals of a price if the tick size of the market is not known: cents. */
const PRICE_PRECISION = 2

export const nautilus: ExportTarget = {
  name: 'nautilus',
  about: 'nautilus_trader: a Parquet catalog of order book deltas, quotes, trades and instruments',
  version: 3,
  options: [
    {
      name: 'precision',
      value: 'bits',
      about: 'bits of a price or size: as the build of nautilus_trader has them',
      choices: ['128', '64'],
      default: '128',
    },
  ],
  reads: tickPrecision,
  async writeDay(store, { books, options, known, ...day }, begin) {
    const figures = { 'order book deltas': 0, quotes: 0, trades: 0, 'receive times moved': 0, [UNSEEN_BOOK]: 0 }
    let pricePrecision = tickPrecision(day.venue, known) ?? PRICE_PRECISION
    const fixedBytes = options['precision'] === '64' ? 8 : 16
    for (const book of books) {
      const of = { venue: day.venue, market: day.market, date: day.date, book }
      const made = await passBook(store, of, () => new CatalogBook(of, begin, { fixedBytes, pricePrecision }))
      figures['order book deltas'] += made.deltas
      figures.quotes += made.quotes
      figures.trades += made.trades
      figures['receive times moved'] += made.movedTimes
      figures[UNSEEN_BOOK] += made.unseenBook
      pricePrecision = Math.max(pricePrecision, made.pricePrecision)
    }
    return { figures, notes: { pricePrecision, books: books.join(' ') } }
  },
  writeMarket({ venue, market, known, days }, begin) {
    const notes = Array.from(days.values())
    const lastDate = Array.from(days.keys()).sort().at(-1)!
    const pricePrecision = Math.max(...notes.map((each) => Number(each['pricePrecision'])))
    const books = new Set(notes.flatMap((each) => String(each['books']).split(' ')))
    for (const book of Array.from(books).sort()) {
      const instrument = instrumentOf({ venue, market, book, known, pricePrecision, lastDate })
      const file = begin()
      file.write(instrumentFile(instrument))
      file.finish(catalogPath('instruments', instrument.id, 0, 0), 1)
    }
    return { instruments: books.size }
  },
}
