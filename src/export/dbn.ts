// `--to dbn`: files of DBN version 3, which Databento's readers take.

import { createHash } from 'node:crypto'
import { passBook } from '../../workers/export/book-pass.ts'
import { type DbnAbout, DbnFile, type DbnSchema, SCHEMAS, SYMBOL_BYTES } from '../../workers/export/dbn/dbn-file.ts'
import { MbpBook, SizeUnfit } from '../../workers/export/dbn/mbp-book.ts'
import { CANDLES, OhlcvBook } from '../../workers/export/dbn/ohlcv-book.ts'
import type { BeginFile } from '../../workers/export/new-file.ts'
import { partOfPath } from './part-of-path.ts'
import { ExportError, type ExportedDay, type ExportTarget, UNSEEN_BOOK } from './target.ts'

const DATASETS = { kalshi: 'BACKBOOK.KALSHI', polymarket: 'BACKBOOK.POLY' } as const
const isCandles = (schema: DbnSchema): schema is keyof typeof CANDLES => Object.hasOwn(CANDLES, schema)

export const dbn: ExportTarget = {
  name: 'dbn',
  about: "Databento's readers: DBN of candles of trades, and of the ten best levels where sizes fit",
  version: 1,
  options: [
    {
      name: 'schema',
      value: 'schema',
      about: 'what a file holds',
      choices: Object.keys(SCHEMAS),
      default: 'ohlcv-1m',
    },
  ],
  async writeDay(store, day, begin) {
    const figures = { records: 0, [UNSEEN_BOOK]: 0 }
    for (const book of day.books) {
      const { rowCount, unseenBook } = await writeBook(store, day, book, begin)
      figures.records += rowCount
      figures[UNSEEN_BOOK] += unseenBook
    }
    return { figures }
  },
}

type WriteDay = ExportTarget['writeDay']

async function writeBook(
  store: Parameters<WriteDay>[0],
  { venue, market, date, options }: ExportedDay,
  book: string,
  begin: BeginFile,
): Promise<DbnFile> {
  const schema = options['schema'] as DbnSchema
  const about = { dataset: DATASETS[venue], schema, symbol: symbolOf(book), instrumentId: idOf(venue, book), date }
  try {
    const made = await passBook(store, { venue, market, date, book }, () => exportOf(begin, about))
    made.finish(`${venue}/${schema}/${partOfPath(about.symbol)}_${date.replaceAll('-', '')}.dbn`)
    return made
  } catch (error) {
    if (!(error instanceof SizeUnfit)) throw error
    throw new ExportError('failed', `${date} of ${book} cannot be DBN: ${error.message}`)
  }
}

function exportOf(begin: BeginFile, about: DbnAbout) {
  const file = new DbnFile(begin(), about)
  const { schema, instrumentId, date } = about
  return isCandles(schema) ? new OhlcvBook(file, instrumentId, schema) : new MbpBook(file, instrumentId, date)
}

/** A token of Polymarket has more digits than a symbol has room for: it is written in hexadecimal. Throws ExportError
 *  for another name that is too long. */
function symbolOf(book: string): string {
  const symbol = /^\d{60,78}$/.test(book) ? `0x${BigInt(book).toString(16)}` : book
  if (Buffer.byteLength(symbol) < SYMBOL_BYTES) return symbol
  throw new ExportError('failed', `${book} cannot be a symbol of DBN, which has at most ${SYMBOL_BYTES - 1} bytes`)
}

/** The same for a book in all files. */
const idOf = (venue: string, book: string): number =>
  createHash('sha256').update(`${venue} ${book}`).digest().readUInt32LE(0)
