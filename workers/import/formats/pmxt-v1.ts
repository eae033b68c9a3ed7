// pmxt v1 (archive.pmxt.dev): books and changes of Polymarket as JSON in a column of Parquet, without trades. Rows
// share times of receipt, and stand in the order that they were written.

import type { ArchiveFormat, ArchiveOptions, ArchivePart } from '../archive.ts'
import type { ByteFile } from '../byte-file.ts'
import { ParquetFile } from '../parquet/parquet-file.ts'
import type { RowGroup, WordColumn } from '../parquet/row-group.ts'
import { AscendingOrder } from '../rows/ascending-order.ts'
import { type BatchColumns, type BatchFormat, type BatchRows, batchParts } from '../rows/batch-parts.ts'
import { inMs } from '../rows/columns.ts'
import { decimalUnits } from '../rows/decimal-units.ts'
import { PolymarketRows } from '../rows/polymarket-rows.ts'
import type { RowSide } from '../rows/row-values.ts'
import { WordTexts } from '../rows/word-texts.ts'

export const pmxtV1: ArchiveFormat = {
  name: 'pmxt-v1',
  description: 'hours of books of Polymarket by pmxt, 2026-02-21 to 2026-04-16 (Parquet)',
  source: 'pmxt-v1',
  clock: 'batch',
  order: 'file',
  hashKept: false,
  isRebuilt: true,
  licence: 'CC BY 4.0',
  attribution: 'pmxt (archive.pmxt.dev)',
  open: readParts,
}

type V1Columns = BatchColumns & { types: WordColumn; data: WordColumn }
type Said = Record<string, unknown>

const SCALES = { price: 4, size: 6 }
const MARKET = /^0x[0-9a-f]{64}$/
const decoder = new TextDecoder()

/** A file is one part: a market is in many row groups, and its records follow each other as those of one capture. */
async function* readParts(file: ByteFile, options: ArchiveOptions): AsyncGenerator<ArchivePart> {
  const parquet = await ParquetFile.open(file)
  // Hours in which nothing was recorded have a file all the same.
  if (parquet.rowCount === 0) return
  const { unitsInMs } = parquet.column('timestamp_received', 'timestamp')
  for (const name of ['market_id', 'update_type', 'data']) parquet.column(name, 'text')
  const markets = new WordTexts((cell) => decoder.decode(cell).toLowerCase())
  const format: BatchFormat<V1Columns> = {
    names: ['timestamp_received', 'market_id', 'update_type', 'data'],
    market: 'market_id',
    columns: (of: RowGroup) => ({
      receivedMs: inMs(of.numbers('timestamp_received'), unitsInMs),
      markets: of.words('market_id'),
      types: of.words('update_type'),
      data: of.words('data'),
    }),
    marketOf: (column, at) => markets.of(column, at),
  }
  yield {
    next: null,
    read: async (lines, onProgress) => {
      const rows = new PolymarketRows(lines, options, SCALES)
      for await (const part of batchParts(parquet, format, options.markets)) {
        for (const [market, of] of part.markets) {
          if (!MARKET.test(market)) throw parquet.fault(`has a row of the market ${JSON.stringify(market)}`)
          await rows.begin(market)
          tellMarket(rows, of)
          options.quality.forgetBooks()
        }
        onProgress((file.byteLength * (part.group + 1)) / parquet.groupRows.length)
      }
      return { rows: rows.rows, leftOut: rows.leftOut, repaired: rows.repaired }
    },
  }
}

/** By time of receipt; those of one time in the order of the file. */
function tellMarket(rows: PolymarketRows, of: BatchRows<V1Columns>): void {
  const times = new Float64Array(of.count)
  for (let row = 0; row < of.count; row++) times[row] = of.sliceOf(row).columns.receivedMs[of.atOf(row)]!
  const order = new AscendingOrder().of(times, of.count)
  const types = new WordTexts()
  for (let i = 0; i < of.count; i++) {
    const { columns, firstRow } = of.sliceOf(order[i]!)
    const at = of.atOf(order[i]!)
    const place = columns.data.places[at]!
    const text = place < 0 ? '' : decoder.decode(columns.data.words.of(place))
    tellRow(rows, firstRow + at, times[order[i]!]!, types.of(columns.types, at), text)
  }
}

function tellRow(rows: PolymarketRows, row: number, receivedMs: number, type: string, text: string): void {
  const said = parsed(text)
  const token = typeof said?.['token_id'] === 'string' ? said['token_id'] : ''
  // Its publisher's seconds as a double: the milliseconds that the venue says are the nearest ones.
  const seconds = said?.['timestamp']
  const venueMs = typeof seconds === 'number' ? Math.round(seconds * 1_000) : Number.NaN
  const place = { row, token, receivedMs, venueMs }
  const reject = (why: string) => rows.reject(place, why, { type, data: text })
  if (said === undefined || token === '') return reject('the data is no JSON object with a token_id')
  if (type === 'book_snapshot') {
    const [bids, asks] = [levelsOf(said['bids']), levelsOf(said['asks'])]
    if (bids === undefined || asks === undefined) return reject('a side of the book is no list of levels')
    return rows.book(place, bids, asks)
  }
  if (type !== 'price_change') return reject('the type of the update is not known')
  const side = said['change_side']
  const [price, size] = [unitsOf(said['change_price'], SCALES.price), unitsOf(said['change_size'], SCALES.size)]
  if (!(price >= 0 && size >= 0)) return reject('the row has no price, or no size')
  if (side !== 'BUY' && side !== 'SELL') return reject('the change says no side')
  const [bestBid, bestAsk] = [unitsOf(said['best_bid'], SCALES.price), unitsOf(said['best_ask'], SCALES.price)]
  rows.change(place, { side, price, size, bestBid, bestAsk })
}

function parsed(text: string): Said | undefined {
  try {
    const said: unknown = JSON.parse(text)
    return typeof said === 'object' && said !== null ? (said as Said) : undefined
  } catch {
    return undefined
  }
}

const unitsOf = (value: unknown, places: number): number =>
  typeof value === 'string' || typeof value === 'number' ? decimalUnits(String(value), places) : Number.NaN

/** Pairs of a price and a size, or objects with them; nothing is an empty side. */
function levelsOf(levels: unknown): RowSide | undefined {
  if (levels === null || levels === undefined) return { prices: [], sizes: [] }
  if (!Array.isArray(levels)) return undefined
  const pairs = levels.map((level) => (Array.isArray(level) ? level : [level?.price, level?.size]))
  const prices = pairs.map(([price]) => unitsOf(price, SCALES.price))
  const sizes = pairs.map(([, size]) => unitsOf(size, SCALES.size))
  return prices.every((price) => price >= 0) && sizes.every((size) => size >= 0) ? { prices, sizes } : undefined
}
