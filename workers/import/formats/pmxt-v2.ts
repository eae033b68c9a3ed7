// pmxt v2 (archive.pmxt.dev, docs/v2-data-overview): an hour of all markets of Polymarket in a file of Parquet, by
// market, token and time of receipt. A row is one change, with a time of receipt that a batch of rows shares.

import type { RowReader } from '../../load/read-capture.ts'
import type { ArchiveFormat, ArchiveOptions, ArchivePart, PartSums } from '../archive.ts'
import type { ByteFile } from '../byte-file.ts'
import { ParquetFile } from '../parquet/parquet-file.ts'
import type { RowGroup, WordColumn } from '../parquet/row-group.ts'
import { inMs } from '../rows/columns.ts'
import { levelsFromJson } from '../rows/json-levels.ts'
import { type Span, type SpanFormat, SpanWalk, spanParts } from '../rows/market-spans.ts'
import {
  PolymarketRows,
  type RowChange,
  type RowPlace,
  type RowScales,
  type TradeRow,
} from '../rows/polymarket-rows.ts'
import { WordTexts } from '../rows/word-texts.ts'

export const pmxtV2: ArchiveFormat = {
  name: 'pmxt-v2',
  description: 'hours of all markets of Polymarket by pmxt, 2026-04-13 to 2026-08-09 (Parquet)',
  source: 'pmxt-v2',
  clock: 'batch',
  order: 'file',
  hashKept: false,
  isRebuilt: true,
  licence: 'CC BY 4.0',
  attribution: 'pmxt (archive.pmxt.dev)',
  marketName: (given) => given.toLowerCase(),
  open: readParts,
}

type PmxtColumns = {
  receivedMs: Float64Array
  venueMs: Float64Array
  types: WordColumn
  tokens: WordColumn
  bids: WordColumn
  asks: WordColumn
  prices: Float64Array
  sizes: Float64Array
  sides: WordColumn
  bestBids: Float64Array
  bestAsks: Float64Array
  fees: Float64Array
  transactions: WordColumn
  oldTicks: Float64Array
  newTicks: Float64Array
}

const TEXTS = ['event_type', 'asset_id', 'bids', 'asks', 'side', 'transaction_hash']
const TIMES = ['timestamp_received', 'timestamp']
const PRICES = ['price', 'best_bid', 'best_ask', 'old_tick_size', 'new_tick_size']
const NAMES = [...TEXTS, ...TIMES, ...PRICES, 'size', 'fee_rate_bps']
const NO_BYTES = new Uint8Array(0)
const decoder = new TextDecoder()
const encoder = new TextEncoder()

/** The place of a part is `group:row`. */
async function* readParts(file: ByteFile, options: ArchiveOptions): AsyncGenerator<ArchivePart> {
  const parquet = await ParquetFile.open(file)
  const scales = checkColumns(parquet)
  const [group = 0, row = 0] = (options.after ?? '0:0').split(':').map(Number)
  for await (const part of spanParts(parquet, spanFormat(parquet), options.markets, [group, row])) {
    yield {
      next: part.next,
      read: async (lines, onProgress) => {
        const sums = await tellSpans(part.spans, lines, options, scales)
        onProgress((file.byteLength * (part.group + 1)) / parquet.groupRows.length)
        return sums
      },
    }
  }
}

/** Throws ArchiveFault where one is missing. */
function checkColumns(parquet: ParquetFile): RowScales {
  for (const name of ['market', ...TEXTS]) parquet.column(name, 'text')
  for (const name of TIMES) parquet.column(name, 'timestamp')
  const [price, ...others] = PRICES.map((name) => parquet.column(name, 'decimal'))
  parquet.column('fee_rate_bps', 'whole')
  for (const { name, scale } of others) {
    if (scale !== price!.scale) throw parquet.fault(`has ${name} in other units than price`)
  }
  return { price: price!.scale, size: parquet.column('size', 'decimal').scale }
}

function spanFormat(parquet: ParquetFile): SpanFormat<PmxtColumns> {
  const { unitsInMs: receivedUnits } = parquet.column('timestamp_received', 'timestamp')
  const { unitsInMs: venueUnits } = parquet.column('timestamp', 'timestamp')
  return {
    names: NAMES,
    market: 'market',
    nameOf,
    cellOf: (market) => encoder.encode(market),
    columns: (of: RowGroup, before) => ({
      receivedMs: inMs(of.numbers('timestamp_received', fitting(before?.receivedMs, of)), receivedUnits),
      venueMs: inMs(of.numbers('timestamp', fitting(before?.venueMs, of)), venueUnits),
      types: of.words('event_type', fitting(before?.types.places, of)),
      tokens: of.words('asset_id', fitting(before?.tokens.places, of)),
      bids: of.words('bids', fitting(before?.bids.places, of)),
      asks: of.words('asks', fitting(before?.asks.places, of)),
      prices: of.numbers('price', fitting(before?.prices, of)),
      sizes: of.numbers('size', fitting(before?.sizes, of)),
      sides: of.words('side', fitting(before?.sides.places, of)),
      bestBids: of.numbers('best_bid', fitting(before?.bestBids, of)),
      bestAsks: of.numbers('best_ask', fitting(before?.bestAsks, of)),
      fees: of.numbers('fee_rate_bps', fitting(before?.fees, of)),
      transactions: of.words('transaction_hash', fitting(before?.transactions.places, of)),
      oldTicks: of.numbers('old_tick_size', fitting(before?.oldTicks, of)),
      newTicks: of.numbers('new_tick_size', fitting(before?.newTicks, of)),
    }),
  }
}

/** An array that may be used again, if it is as long as the row group. */
const fitting = <Of extends { length: number }>(array: Of | undefined, { rows }: RowGroup): Of | undefined =>
  array?.length === rows ? array : undefined

function nameOf(cell: Uint8Array): string {
  const name = decoder.decode(cell).toLowerCase()
  if (/^0x[0-9a-f]{64}$/.test(name)) return name
  throw new Error(`has a row of the market ${JSON.stringify(name)}, which is no condition id`)
}

async function tellSpans(
  spans: readonly Span<PmxtColumns>[],
  lines: RowReader,
  options: ArchiveOptions,
  scales: RowScales,
): Promise<PartSums> {
  const teller = new PmxtRows(lines, options, scales)
  const walk = new SpanWalk<PmxtColumns>()
  for (const span of spans) {
    await teller.rows.begin(span.market)
    walk.walk(
      span,
      ({ receivedMs }) => receivedMs,
      ({ columns, firstRow }, row) => teller.tell(columns, row, firstRow + row),
    )
    options.quality.forgetBooks()
  }
  return { rows: teller.rows.rows, leftOut: teller.rows.leftOut }
}

/** What a row says is filled in anew for each: none has an object of its own. */
class PmxtRows {
  readonly rows: PolymarketRows
  readonly #scales: RowScales
  readonly #types = new WordTexts()
  readonly #tokens = new WordTexts()
  readonly #sides = new WordTexts()
  readonly #place: RowPlace = { row: 0, token: '', receivedMs: 0, venueMs: 0 }
  readonly #change: RowChange = { side: 'BUY', price: 0, size: 0, bestBid: 0, bestAsk: 0 }
  readonly #trade: TradeRow = { side: null, price: 0, size: 0, feeBps: 0, transaction: NO_BYTES }

  constructor(lines: RowReader, options: ArchiveOptions, scales: RowScales) {
    this.rows = new PolymarketRows(lines, options, scales)
    this.#scales = scales
  }

  tell(columns: PmxtColumns, at: number, row: number): void {
    const place = this.#place
    place.row = row
    place.token = this.#tokens.of(columns.tokens, at)
    place.receivedMs = columns.receivedMs[at]!
    place.venueMs = columns.venueMs[at]!
    const type = this.#types.of(columns.types, at)
    if (type === 'price_change') this.#tellChange(columns, at)
    else if (type === 'last_trade_price') this.#tellTrade(columns, at)
    else if (type === 'book') this.#tellBook(columns, at)
    else if (type === 'tick_size_change') this.#tellTick(columns, at)
    else this.#reject(columns, at, 'the type of the event is not known')
  }

  #tellChange(columns: PmxtColumns, at: number): void {
    const change = this.#change
    const side = this.#sides.of(columns.sides, at)
    change.price = columns.prices[at]!
    change.size = columns.sizes[at]!
    if (!(change.price >= 0 && change.size >= 0)) return this.#reject(columns, at, NO_PRICE)
    if (side !== 'BUY' && side !== 'SELL') return this.#reject(columns, at, 'the change says no side')
    change.side = side
    change.bestBid = columns.bestBids[at]!
    change.bestAsk = columns.bestAsks[at]!
    this.rows.change(this.#place, change)
  }

  #tellTrade(columns: PmxtColumns, at: number): void {
    const trade = this.#trade
    const side = this.#sides.of(columns.sides, at)
    trade.price = columns.prices[at]!
    trade.size = columns.sizes[at]!
    if (!(trade.price >= 0 && trade.size >= 0)) return this.#reject(columns, at, NO_PRICE)
    trade.side = side === 'BUY' || side === 'SELL' ? side : null
    trade.feeBps = columns.fees[at]!
    const { places, words } = columns.transactions
    trade.transaction = places[at]! < 0 ? NO_BYTES : words.of(places[at]!)
    this.rows.trade(this.#place, trade)
  }

  #tellBook(columns: PmxtColumns, at: number): void {
    const bids = this.#levels(columns.bids, at)
    const asks = this.#levels(columns.asks, at)
    if (bids === undefined || asks === undefined) {
      return this.#reject(columns, at, 'a side of the book is no list of levels')
    }
    this.rows.book(this.#place, bids, asks)
  }

  #tellTick(columns: PmxtColumns, at: number): void {
    const [before, after] = [columns.oldTicks[at]!, columns.newTicks[at]!]
    if (!(before > 0 && after > 0)) return this.#reject(columns, at, 'the row has no tick size')
    this.rows.tickSize(this.#place, before, after)
  }

  /** An empty cell is an empty side. */
  #levels({ places, words }: WordColumn, at: number) {
    const place = places[at]!
    return levelsFromJson(place < 0 ? '' : decoder.decode(words.of(place)), this.#scales)
  }

  #reject(columns: PmxtColumns, at: number, reason: string): void {
    const [price, size] = [columns.prices[at], columns.sizes[at]]
    const said = { type: this.#types.of(columns.types, at), side: this.#sides.of(columns.sides, at), price, size }
    this.rows.reject(this.#place, reason, said)
  }
}

const NO_PRICE = 'the row has no price, or no size'
