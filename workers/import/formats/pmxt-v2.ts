// pmxt v2 (archive.pmxt.dev, docs/v2-data-overview): an hour of all markets of Polymarket in a file of Parquet, by
// market, token and time of receipt. A row is one change, with a time of receipt that a batch of rows shares.

import type { RowReader } from '../../load/read-capture.ts'
import type { ArchiveFormat, ArchiveOptions, ArchivePart, PartSums } from '../archive.ts'
import { ArchiveFault } from '../archive-fault.ts'
import type { ByteFile } from '../byte-file.ts'
import { type ByteCells, ParquetFile } from '../parquet-file.ts'
import { decimalUnits } from '../rows/decimal-units.ts'
import { byTime, marketsIn, type Span } from '../rows/market-spans.ts'
import { PolymarketRows, type RowScales, type RowSide } from '../rows/polymarket-rows.ts'
import { TextCells } from '../rows/text-cells.ts'

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

type Columns = {
  group: number
  /** Of the first row in the file. */
  firstRow: number
  receivedMs: Float64Array
  venueMs: Float64Array
  types: ByteCells
  tokens: ByteCells
  bids: ByteCells
  asks: ByteCells
  prices: Float64Array
  sizes: Float64Array
  sides: ByteCells
  bestBids: Float64Array
  bestAsks: Float64Array
  fees: Float64Array
  transactions: ByteCells
  oldTicks: Float64Array
  newTicks: Float64Array
}

const NO_BYTES = new Uint8Array(0)
const decoder = new TextDecoder()

/** A part is a row group, less a market that may go on in the next one, and with what the group before left of one. Its
 *  place is `group:row`. */
async function* readParts(file: ByteFile, options: ArchiveOptions): AsyncGenerator<ArchivePart> {
  const parquet = await ParquetFile.open(file)
  const scales = checkColumns(parquet)
  const groups = parquet.groupRows.length
  const [firstGroup = 0, firstRow = 0] = (options.after ?? '0:0').split(':').map(Number)
  let left: Span<Columns> | undefined
  for (let group = firstGroup; group < groups; group++) {
    const found = await spansOf(parquet, file, group, group === firstGroup ? firstRow : 0, options.markets)
    const spans = left === undefined ? found : joined(left, found)
    left = group === groups - 1 || isEnded(spans.at(-1), parquet, group) ? undefined : spans.pop()
    if (spans.length === 0 && group < groups - 1) continue
    yield {
      next: group === groups - 1 ? null : (left?.begins ?? `${group + 1}:0`),
      read: async (lines, onProgress) => {
        const sums = await readSpans(spans, lines, options, scales)
        onProgress((file.byteLength * (group + 1)) / groups)
        return sums
      },
    }
  }
}

/** Throws ArchiveFault where one is missing. */
function checkColumns(parquet: ParquetFile): RowScales {
  for (const name of ['market', 'event_type', 'asset_id', 'bids', 'asks', 'side', 'transaction_hash']) {
    parquet.column(name, 'text')
  }
  for (const name of ['timestamp_received', 'timestamp']) parquet.column(name, 'timestamp')
  const [price, ...others] = ['price', 'best_bid', 'best_ask', 'old_tick_size', 'new_tick_size'].map((name) =>
    parquet.column(name, 'decimal'),
  )
  parquet.column('fee_rate_bps', 'other')
  for (const { name, scale } of others) {
    if (scale !== price!.scale) throw parquet.fault(`has ${name} in other units than price`)
  }
  return { price: price!.scale, size: parquet.column('size', 'decimal').scale }
}

async function spansOf(
  parquet: ParquetFile,
  file: ByteFile,
  group: number,
  firstRow: number,
  chosen: ReadonlySet<string> | null,
): Promise<Span<Columns>[]> {
  if (!mayHold(parquet, group, chosen)) return []
  const markets = marketsIn(await parquet.bytes(group, 'market'), firstRow, (cell) => nameOf(cell, file))
  const wanted = markets.filter(({ market }) => chosen?.has(market) !== false)
  if (wanted.length === 0) return []
  const columns = await readColumns(parquet, group)
  return wanted.map(({ market, start, end }) => ({
    market,
    begins: `${group}:${start}`,
    slices: [{ columns, start, end }],
  }))
}

function mayHold(parquet: ParquetFile, group: number, chosen: ReadonlySet<string> | null): boolean {
  const range = parquet.bytesRange(group, 'market')
  if (chosen === null || range === undefined) return true
  const [least, greatest] = [range.least, range.greatest].map((bytes) => decoder.decode(bytes).toLowerCase())
  return [...chosen].some((market) => market >= least! && market <= greatest!)
}

const joined = (left: Span<Columns>, [first, ...others]: Span<Columns>[]): Span<Columns>[] =>
  first?.market === left.market
    ? [{ ...left, slices: [...left.slices, ...first.slices] }, ...others]
    : [left, ...(first === undefined ? [] : [first, ...others])]

/** Whether rows of another market follow in the same row group. */
function isEnded(last: Span<Columns> | undefined, parquet: ParquetFile, group: number): boolean {
  return (
    last === undefined ||
    !(last.slices.at(-1)!.columns.group === group && last.slices.at(-1)!.end === parquet.groupRows[group])
  )
}

function nameOf(cell: Uint8Array, file: ByteFile): string {
  const name = decoder.decode(cell).toLowerCase()
  if (/^0x[0-9a-f]{64}$/.test(name)) return name
  throw new ArchiveFault(file.name, `has a row of the market ${JSON.stringify(name)}, which is no condition id`)
}

async function readColumns(parquet: ParquetFile, group: number): Promise<Columns> {
  const times = async (name: string) => {
    const { unitsInMs } = parquet.column(name, 'timestamp')
    const units = await parquet.numbers(group, name)
    return unitsInMs === 1 ? units : units.map((unit) => Math.floor(unit / unitsInMs))
  }
  const [bytes, numbers] = [
    (name: string) => parquet.bytes(group, name),
    (name: string) => parquet.numbers(group, name),
  ]
  return {
    group,
    firstRow: parquet.groupRows.slice(0, group).reduce((sum, rows) => sum + rows, 0),
    receivedMs: await times('timestamp_received'),
    venueMs: await times('timestamp'),
    types: await bytes('event_type'),
    tokens: await bytes('asset_id'),
    bids: await bytes('bids'),
    asks: await bytes('asks'),
    prices: await numbers('price'),
    sizes: await numbers('size'),
    sides: await bytes('side'),
    bestBids: await numbers('best_bid'),
    bestAsks: await numbers('best_ask'),
    fees: await numbers('fee_rate_bps'),
    transactions: await bytes('transaction_hash'),
    oldTicks: await numbers('old_tick_size'),
    newTicks: await numbers('new_tick_size'),
  }
}

async function readSpans(
  spans: readonly Span<Columns>[],
  lines: RowReader,
  options: ArchiveOptions,
  scales: RowScales,
): Promise<PartSums> {
  const rows = new PolymarketRows(lines, options, scales)
  const texts = new TextCells()
  for (const span of spans) {
    await rows.begin(span.market)
    for (const { columns, row } of byTime(span, ({ receivedMs }, at) => receivedMs[at]!)) {
      tell(rows, columns, row, texts, scales)
    }
    options.quality.forgetBooks()
  }
  return { rows: rows.rows, leftOut: rows.leftOut }
}

function tell(rows: PolymarketRows, columns: Columns, row: number, texts: TextCells, scales: RowScales): void {
  const place = {
    row: columns.firstRow + row + 1,
    token: texts.of(columns.tokens[row]),
    receivedMs: columns.receivedMs[row]!,
    venueMs: columns.venueMs[row]!,
  }
  const type = texts.of(columns.types[row])
  const side = sideOf(texts.of(columns.sides[row]))
  const [price, size] = [columns.prices[row]!, columns.sizes[row]!]
  const reject = (why: string) => rows.reject(place, why, { type, side, price, size })
  if (type === 'price_change' || type === 'last_trade_price') {
    if (Number.isNaN(price) || Number.isNaN(size)) return reject('the row has no price, or no size')
    if (type === 'last_trade_price') {
      const [feeBps, transaction] = [columns.fees[row]!, columns.transactions[row] ?? NO_BYTES]
      return rows.trade(place, { side, price, size, feeBps, transaction })
    }
    if (side === null) return reject('the change says no side')
    return rows.change(place, { side, price, size, bestBid: columns.bestBids[row]!, bestAsk: columns.bestAsks[row]! })
  }
  if (type === 'book') {
    const [bids, asks] = [columns.bids[row], columns.asks[row]].map((cell) => levelsOf(cell, scales))
    if (bids === undefined || asks === undefined) return reject('a side of the book is no list of levels')
    return rows.book(place, bids, asks)
  }
  if (type !== 'tick_size_change') return reject('the type of the event is not known')
  const [before, after] = [columns.oldTicks[row]!, columns.newTicks[row]!]
  if (Number.isNaN(before) || Number.isNaN(after)) return reject('the row has no tick size')
  rows.tickSize(place, before, after)
}

const sideOf = (text: string): 'BUY' | 'SELL' | null => (text === 'BUY' || text === 'SELL' ? text : null)

/** `[["0.01","5"], …]`; an empty cell is an empty side. */
function levelsOf(cell: Uint8Array | null | undefined, scales: RowScales): RowSide | undefined {
  const side = { prices: [] as number[], sizes: [] as number[] }
  if (cell === null || cell === undefined || cell.length === 0) return side
  const levels = parsed(decoder.decode(cell))
  if (!Array.isArray(levels)) return undefined
  for (const level of levels) {
    if (!Array.isArray(level) || level.length !== 2) return undefined
    side.prices.push(decimalUnits(String(level[0]), scales.price))
    side.sizes.push(decimalUnits(String(level[1]), scales.size))
  }
  return side.prices.some(Number.isNaN) || side.sizes.some(Number.isNaN) ? undefined : side
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
