// Reads Kalshi books by pmxt (archive.pmxt.dev): snapshots and deltas in Parquet, without `seq` and `sid`. Up to 5,000
// rows share one receipt time, and within such a batch only deltas have a venue time.

import type { ArchiveFormat, ArchiveOptions, ArchivePart } from '../archive.ts'
import type { ByteFile } from '../byte-file.ts'
import { ParquetFile } from '../parquet/parquet-file.ts'
import type { ListColumn, RowGroup, WordColumn } from '../parquet/row-group.ts'
import { orderOf } from '../rows/batch-order.ts'
import { type BatchColumns, type BatchFormat, type BatchRows, batchParts } from '../rows/batch-parts.ts'
import { inMs, sideOf } from '../rows/columns.ts'
import { type KalshiPlace, KalshiRows } from '../rows/kalshi-rows.ts'
import type { RowScales } from '../rows/row-values.ts'
import { WordTexts } from '../rows/word-texts.ts'

export const pmxtKalshi: ArchiveFormat = {
  name: 'pmxt-kalshi',
  description: 'hours of books of Kalshi by pmxt, 2026-05-14 to 2026-06-11 (Parquet)',
  source: 'pmxt-kalshi',
  clock: 'batch',
  order: 'none',
  hashStored: false,
  isRebuilt: true,
  licence: 'CC BY 4.0',
  attribution: 'pmxt (archive.pmxt.dev)',
  open: readParts,
}

type KalshiColumns = BatchColumns & {
  venueUs: Float64Array
  marketIds: WordColumn
  types: WordColumn
  sides: WordColumn
  prices: Float64Array
  deltas: Float64Array
  yesPrices: ListColumn
  yesSizes: ListColumn
  noPrices: ListColumn
  noSizes: ListColumn
}

/** Names of a level's fields. */
const [PRICE, SIZE] = ['1', '2']
const NAMES = ['timestamp_received', 'timestamp', 'market_ticker', 'market_id', 'event_type', 'yes_bids', 'no_bids']
const TRADED = ['price', 'delta', 'side']
const NO_BYTES = new Uint8Array(0)
const [SNAPSHOT_EVENT, DELTA_EVENT] = ['orderbook_snapshot', 'orderbook_delta']

/** Reads the file as one part: a snapshot gets the time of the record that follows it, and that record may be in the
 *  next row group. */
async function* readParts(file: ByteFile, options: ArchiveOptions): AsyncGenerator<ArchivePart> {
  const parquet = await ParquetFile.open(file)
  parquet.needOneOf([...NAMES, ...TRADED])
  // Hours without recorded data have a file too.
  if (parquet.rowCount === 0) return
  const scales = checkColumns(parquet)
  const tickers = new WordTexts()
  const format: BatchFormat<KalshiColumns> = {
    names: [...NAMES, ...TRADED],
    columns: columnsOf.bind(null, parquet),
    market: 'market_ticker',
    marketOf: (column, at) => tickers.of(column, at),
  }
  yield {
    next: null,
    read: async (lines, onProgress) => {
      const rows = new KalshiRows(lines, options, scales)
      const writer = new MarketWriter(rows)
      const books: Books = new Map()
      for await (const part of batchParts(parquet, format, options.markets)) {
        for (const [market, of] of part.markets) {
          rows.begin(market)
          writer.write(market, of, books)
        }
        onProgress((file.byteLength * (part.group + 1)) / parquet.groupRows.length)
      }
      return { rows: rows.rows }
    },
  }
}

function checkColumns(parquet: ParquetFile): RowScales {
  for (const name of ['timestamp_received', 'timestamp']) parquet.column(name, 'timestamp')
  for (const name of ['market_ticker', 'market_id', 'event_type', 'side']) parquet.column(name, 'text')
  const price = parquet.column('price', 'decimal').scale
  const size = parquet.column('delta', 'decimal').scale
  for (const name of ['yes_bids', 'no_bids']) {
    const isSame =
      parquet.field(name, PRICE!, 'decimal').scale === price && parquet.field(name, SIZE!, 'decimal').scale === size
    if (!isSame) throw parquet.fault(`has levels of ${name} in other units than price and delta`)
  }
  return { price, size }
}

function columnsOf(parquet: ParquetFile, of: RowGroup): KalshiColumns {
  const venue = parquet.column('timestamp', 'timestamp')
  const venueUs = of.numbers('timestamp')
  const usPerUnit = 1_000 / venue.unitsInMs
  if (usPerUnit !== 1) for (let i = 0; i < venueUs.length; i++) venueUs[i] = Math.floor(venueUs[i]! * usPerUnit)
  return {
    receivedMs: inMs(of.numbers('timestamp_received'), parquet.column('timestamp_received', 'timestamp').unitsInMs),
    venueUs,
    markets: of.words('market_ticker'),
    marketIds: of.words('market_id'),
    types: of.words('event_type'),
    sides: of.words('side'),
    prices: of.numbers('price'),
    deltas: of.numbers('delta'),
    yesPrices: of.lists('yes_bids', PRICE!),
    yesSizes: of.lists('yes_bids', SIZE!),
    noPrices: of.lists('no_bids', PRICE!),
    noSizes: of.lists('no_bids', SIZE!),
  }
}

/** Book of each market at the end of the previous row groups. It is used to place snapshots. */
type Books = Map<string, Map<string, number> | undefined>

class MarketWriter {
  readonly #rows: KalshiRows
  readonly #types = new WordTexts()
  readonly #sides = new WordTexts()
  readonly #place: KalshiPlace = { row: 0, receivedMs: 0, venueUs: 0 }

  constructor(rows: KalshiRows) {
    this.#rows = rows
  }

  write(market: string, rows: BatchRows<KalshiColumns>, books: Books): void {
    const columnsOfRow = (row: number) => rows.sliceOf(row).columns
    const { order, book } = orderOf(
      {
        count: rows.count,
        receivedOf: (row) => columnsOfRow(row).receivedMs[rows.atOf(row)]!,
        venueUsOf: (row) => columnsOfRow(row).venueUs[rows.atOf(row)]!,
        isSnapshot: (row) => this.#types.of(columnsOfRow(row).types, rows.atOf(row)) === SNAPSHOT_EVENT,
        levelOf: (row) => this.#levelOf(columnsOfRow(row), rows.atOf(row)),
        sizeOf: (row) => columnsOfRow(row).deltas[rows.atOf(row)]!,
        levelsOf: (row) => levelsOf(columnsOfRow(row), rows.atOf(row)),
      },
      books.get(market),
    )
    books.set(market, book)
    for (const row of order)
      this.#writeRow(columnsOfRow(row), rows.atOf(row), rows.sliceOf(row).firstRow + rows.atOf(row))
  }

  #levelOf({ sides, prices }: KalshiColumns, at: number): string {
    return `${this.#sides.of(sides, at)} ${prices[at]}`
  }

  #writeRow(columns: KalshiColumns, at: number, row: number): void {
    const place = this.#place
    place.row = row
    place.receivedMs = columns.receivedMs[at]!
    place.venueUs = columns.venueUs[at]!
    const type = this.#types.of(columns.types, at)
    const id = columns.marketIds.places[at]!
    const marketId = id < 0 ? NO_BYTES : columns.marketIds.words.of(id)
    if (Number.isNaN(place.receivedMs)) return this.#rows.reject(place, 'the row has no time of receipt', { type })
    if (type === SNAPSHOT_EVENT) {
      const [yes, no] = [sideOf(columns.yesPrices, columns.yesSizes, at), sideOf(columns.noPrices, columns.noSizes, at)]
      if (yes !== undefined && no !== undefined) return this.#rows.snapshot(place, marketId, yes, no)
      return this.#rows.reject(place, 'a level of the snapshot has no price, or no size', { type })
    }
    const side = this.#sides.of(columns.sides, at)
    const [price, delta] = [columns.prices[at]!, columns.deltas[at]!]
    const reject = (reason: string) => this.#rows.reject(place, reason, { type, side, price, delta })
    if (type !== DELTA_EVENT) return reject('the type of the event is not known')
    if (side !== 'yes' && side !== 'no') return reject('the delta has no side')
    if (!(price >= 0) || Number.isNaN(delta)) return reject('the row has no price, or no delta')
    this.#rows.delta(place, marketId, side, price, delta)
  }
}

function levelsOf({ yesPrices, yesSizes, noPrices, noSizes }: KalshiColumns, at: number): Map<string, number> {
  const levels = new Map<string, number>()
  const add = (side: string, prices: ListColumn, sizes: ListColumn) => {
    for (let i = prices.starts[at]!; i < prices.starts[at + 1]!; i++) {
      if (sizes.values[i]! > 0) levels.set(`${side} ${prices.values[i]}`, sizes.values[i]!)
    }
  }
  add('yes', yesPrices, yesSizes)
  add('no', noPrices, noSizes)
  return levels
}
