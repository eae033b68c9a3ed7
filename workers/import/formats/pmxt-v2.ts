// Reads pmxt v2 (archive.pmxt.dev, docs/v2-data-overview): an hour of all Polymarket markets in a Parquet file, sorted
// by market, token and receipt time. A row is one change; a batch of rows shares one receipt time.

import { pause } from '../../collect-garbage.ts'
import type { RowReader } from '../../load/capture-reading.ts'
import type { ArchiveFormat, ArchiveOptions, ArchivePart, PartSums } from '../archive.ts'
import type { ByteFile } from '../byte-file.ts'
import { ParquetFile } from '../parquet/parquet-file.ts'
import type { WordColumn } from '../parquet/row-group.ts'
import { inMs } from '../rows/columns.ts'
import { levelsFromJson } from '../rows/json-levels.ts'
import { type Span, type SpanFormat, SpanWalk, spanParts } from '../rows/market-spans.ts'
import type { RowScales } from '../rows/row-values.ts'
import { type EventColumns, type EventForm, RowWriter } from '../rows/row-writer.ts'
import { WordTexts } from '../rows/word-texts.ts'

/** Returns the format. `windowRows` is the approximate number of rows to read at once. */
export const pmxtV2Of = (windowRows: number): ArchiveFormat => ({
  name: 'pmxt-v2',
  description: 'hours of all markets of Polymarket by pmxt, 2026-04-13 to 2026-08-09 (Parquet)',
  source: 'pmxt-v2',
  clock: 'batch',
  order: 'file',
  hashStored: false,
  isRebuilt: true,
  isByMarket: true,
  licence: 'CC BY 4.0',
  attribution: 'pmxt (archive.pmxt.dev)',
  open: (file, options) => readParts(file, options, windowRows),
})

/** The columns of this many rows fit into a processor's cache. */
const WINDOW_ROWS = 16_384
export const pmxtV2 = pmxtV2Of(WINDOW_ROWS)

type PmxtColumns = EventColumns & {
  receivedMs: Float64Array
  venueMs: Float64Array
  types: WordColumn
  bids: WordColumn
  asks: WordColumn
}

const TEXTS = ['event_type', 'asset_id', 'bids', 'asks', 'side', 'transaction_hash']
const TIMES = ['timestamp_received', 'timestamp']
const PRICES = ['price', 'best_bid', 'best_ask', 'old_tick_size', 'new_tick_size']
const NAMES = [...TEXTS, ...TIMES, ...PRICES, 'size', 'fee_rate_bps']
const NO_BYTES = new Uint8Array(0)
const decoder = new TextDecoder()
const encoder = new TextEncoder()

/** Yields the parts of a file. `next` is `group:row`. */
async function* readParts(file: ByteFile, options: ArchiveOptions, windowRows: number): AsyncGenerator<ArchivePart> {
  const parquet = await ParquetFile.open(file)
  parquet.needOneOf(['market', ...NAMES])
  // Hours without recorded data have a file too.
  if (parquet.rowCount === 0) return
  const scales = checkColumns(parquet)
  const [group = 0, row = 0] = (options.after ?? '0:0').split(':').map(Number)
  for await (const part of spanParts(parquet, spanFormat(parquet, windowRows), options.markets, [group, row])) {
    yield {
      next: part.next,
      read: async (lines, onProgress) => {
        const sums = await writeSpans(part.spans(), lines, options, scales)
        onProgress((file.byteLength * (part.group + 1)) / parquet.groupRows.length)
        return sums
      },
    }
  }
}

/** Returns the scales of prices and sizes. Throws ArchiveFault if a column is missing. */
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

function spanFormat(parquet: ParquetFile, windowRows: number): SpanFormat<PmxtColumns> {
  const { unitsInMs: receivedUnits } = parquet.column('timestamp_received', 'timestamp')
  const { unitsInMs: venueUnits } = parquet.column('timestamp', 'timestamp')
  return {
    names: NAMES,
    market: 'market',
    nameOf,
    cellOf: (market) => encoder.encode(market),
    windowRows,
    times: (of, range) => inMs(of.numbers('timestamp_received', range), receivedUnits),
    columns: (of, range) => ({
      receivedMs: inMs(of.numbers('timestamp_received', range), receivedUnits),
      venueMs: inMs(of.numbers('timestamp', range), venueUnits),
      types: of.words('event_type', range),
      tokens: of.words('asset_id', range),
      bids: of.words('bids', range),
      asks: of.words('asks', range),
      prices: of.numbers('price', range),
      sizes: of.numbers('size', range),
      sides: of.words('side', range),
      bestBids: of.numbers('best_bid', range),
      bestAsks: of.numbers('best_ask', range),
      fees: of.numbers('fee_rate_bps', range),
      transactions: of.words('transaction_hash', range),
      oldTicks: of.numbers('old_tick_size', range),
      newTicks: of.numbers('new_tick_size', range),
    }),
  }
}

function nameOf(cell: Uint8Array): string {
  const name = decoder.decode(cell).toLowerCase()
  if (/^0x[0-9a-f]{64}$/.test(name)) return name
  throw new Error(`has a row of the market ${JSON.stringify(name)}, which is not a condition id`)
}

async function writeSpans(
  spans: Iterable<Span<PmxtColumns>>,
  lines: RowReader,
  options: ArchiveOptions,
  scales: RowScales,
): Promise<PartSums> {
  const rowWriter = new RowWriter<PmxtColumns>(lines, options, scales, eventForm(scales))
  const types = new WordTexts()
  const walk = new SpanWalk<PmxtColumns>()
  for (const span of spans) {
    rowWriter.rows.begin(span.market)
    walk.walk(
      span,
      ({ receivedMs }) => receivedMs,
      ({ columns, firstRow }, row) => {
        const { receivedMs, venueMs } = columns
        rowWriter.write(types.of(columns.types, row), columns, row, firstRow + row, receivedMs[row]!, venueMs[row]!)
      },
    )
    await pause()
  }
  const { rows, repaired } = rowWriter.rows
  return { rows, repaired }
}

/** Returns how to read the columns: texts are as the venue prints them, and the bids and asks of a book are JSON. */
function eventForm(scales: RowScales): EventForm<PmxtColumns> {
  const levels = ({ places, words }: WordColumn, at: number) =>
    levelsFromJson((places[at] ?? -1) < 0 ? NO_BYTES : words.of(places[at]!), scales)
  return {
    tokenOf: (cell) => decoder.decode(cell),
    transactionOf: (cell) => cell,
    bidsOf: ({ bids }, at) => levels(bids, at),
    asksOf: ({ asks }, at) => levels(asks, at),
  }
}
