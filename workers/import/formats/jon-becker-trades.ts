// Reads Kalshi trades from Jon Becker's data set (github.com/Jon-Becker/prediction-market-analysis): rows of Parquet or
// CSV, made from trades of the REST API. Rebuilds the API's trades; the data set has only whole cents and whole
// contracts.

import { TICKER } from '../../../storage/venues/kalshi.ts'
import type { ArchiveFormat } from '../archive.ts'
import { ArchiveFault } from '../archive-fault.ts'
import type { ByteFile } from '../byte-file.ts'
import { ParquetFile } from '../parquet/parquet-file.ts'
import { WordTexts } from '../rows/word-texts.ts'
import { textLines } from '../text/text-lines.ts'
import { type TradeSource, tradeParts } from '../trades/trade-shares.ts'
import { instantText, messageBytesOf, timeUsOf } from '../trades/trade-values.ts'

export const jonBeckerTrades: ArchiveFormat = {
  name: 'jon-becker-trades',
  description: "Kalshi's trades in Jon Becker's data set, 2021 to 2026 (Parquet or CSV)",
  source: 'jon-becker',
  clock: 'none',
  order: 'none',
  hashStored: false,
  isRebuilt: true,
  isByMarket: true,
  licence: 'MIT',
  attribution: 'Jon Becker (prediction-market-analysis)',
  async *open(file, options) {
    yield* tradeParts(file, options, await sourceOf(file))
  },
}

type Row = { id: string; ticker: string; count: string; yes: string; no: string; side: string; timeUs: number }

const TEXTS = ['trade_id', 'ticker', 'taker_side'] as const
const WHOLES = ['count', 'yes_price', 'no_price'] as const
const TIME = 'created_time'
const COLUMNS = [...TEXTS, ...WHOLES, TIME]
const MAGIC = new TextEncoder().encode('PAR1')
/** Approximate size, in bytes, of the message that is built from one row. */
const MESSAGE_BYTES = 256
const NS_IN_MS = 1_000_000
const decoder = new TextDecoder()

async function sourceOf(file: ByteFile): Promise<TradeSource> {
  const head = new Uint8Array(await file.slice(0, Math.min(file.byteLength, MAGIC.length)))
  if (!MAGIC.every((byte, i) => head[i] === byte)) {
    return { messageBytes: 2 * messageBytesOf(file), read: (...to) => readLines(file, ...to) }
  }
  const parquet = await ParquetFile.open(file)
  parquet.needOneOf(COLUMNS)
  for (const name of TEXTS) parquet.column(name, 'text')
  for (const name of WHOLES) parquet.column(name, 'whole')
  parquet.column(TIME, 'timestamp')
  const messageBytes = MESSAGE_BYTES * parquet.rowCount
  return { messageBytes, read: (...to) => readGroups(parquet, file, ...to) }
}

type ReadArguments = Parameters<TradeSource['read']>

async function readGroups(
  parquet: ParquetFile,
  file: ByteFile,
  ...[take, reject, onProgress]: ReadArguments
): Promise<void> {
  const { unitsInMs } = parquet.column(TIME, 'timestamp')
  let number = 0
  for (let group = 0; group < parquet.groupRows.length; group++) {
    const rows = await parquet.group(group, COLUMNS)
    const [ids, tickers, sides] = TEXTS.map((name) => rows.words(name))
    const [counts, yes, no] = WHOLES.map((name) => rows.numbers(name))
    // A double cannot hold a time in nanoseconds exactly.
    const times = unitsInMs === NS_IN_MS ? rows.wholes(TIME) : rows.numbers(TIME)
    const texts = new WordTexts()
    for (let row = 0; row < rows.rows; row++) {
      sendTrade(++number, take, reject, {
        id: texts.of(ids!, row),
        ticker: texts.of(tickers!, row),
        side: texts.of(sides!, row),
        count: String(counts![row]),
        yes: String(yes![row]),
        no: String(no![row]),
        timeUs: usOf(times[row]!, unitsInMs),
      })
    }
    onProgress((file.byteLength * (group + 1)) / parquet.groupRows.length)
  }
}

function usOf(units: number | bigint, unitsInMs: number): number {
  if (typeof units === 'bigint') return units === 0n ? Number.NaN : Number(units / 1_000n)
  return unitsInMs === 1 ? units * 1_000 : units
}

async function readLines(file: ByteFile, ...[take, reject, onProgress]: ReadArguments): Promise<void> {
  let places: number[] | undefined
  for await (const batch of textLines(file)) {
    for (let i = 0; i < batch.length; i++) {
      const text = decoder.decode(batch.line(i))
      const cells = text.split(',')
      if (places === undefined) {
        places = placesOf(file, cells)
        continue
      }
      const [id = '', ticker = '', side = '', count = '', yes = '', no = '', time] = places.map((place) => cells[place])
      sendTrade(batch.numbers[i]!, take, reject, { id, ticker, side, count, yes, no, timeUs: timeUsOf(time) })
    }
    onProgress(batch.fileBytes)
  }
  if (places === undefined) throw new ArchiveFault(file.name, `is empty: its first line names ${COLUMNS.join(', ')}`)
}

/** Returns the index of each column in the header line. Throws ArchiveFault if a column is missing. */
function placesOf(file: ByteFile, names: readonly string[]): number[] {
  return COLUMNS.map((name) => {
    const place = names.indexOf(name)
    if (place < 0) throw new ArchiveFault(file.name, `has no column ${name}`)
    return place
  })
}

const WHOLE = /^\d{1,15}$/
const ID = /^[\w-]{1,80}$/
const DOLLAR_CENTS = 100

function sendTrade(number: number, take: ReadArguments[0], reject: ReadArguments[1], row: Row): void {
  const wrong = faultOf(row)
  if (wrong !== undefined) return reject(number, wrong, JSON.stringify(row))
  const { id, ticker, count, yes, no, side, timeUs } = row
  const taker = side === '' ? '' : `"taker_side":"${side}",`
  const message =
    `{"trade_id":"${id}","ticker":"${ticker}","count_fp":"${Number(count)}.00","yes_price_dollars":"${dollars(yes)}",` +
    `"no_price_dollars":"${dollars(no)}",${taker}"created_time":"${instantText(timeUs)}"}`
  take({ market: ticker.toUpperCase(), timeUs, row: number, message })
}

function faultOf({ id, ticker, count, yes, no, side, timeUs }: Row): string | undefined {
  if (!ID.test(id)) return 'the row has no trade_id'
  if (!TICKER.test(ticker)) return 'the row names no ticker'
  if (!(timeUs > 0)) return 'created_time must be a time'
  if (side !== '' && side !== 'yes' && side !== 'no') return 'taker_side is neither yes nor no'
  if (!WHOLE.test(count) || Number(count) === 0) return 'count must be a whole number of contracts above 0'
  if (!WHOLE.test(yes) || !WHOLE.test(no)) return 'yes_price and no_price must be whole numbers of cents'
  // A later version of the data set truncated prices: 0.29 dollars became 28 cents, and 0.419 became 41.
  if (Number(yes) + Number(no) !== DOLLAR_CENTS) return 'yes_price and no_price must add up to 100 cents: one was cut'
  return undefined
}

/** Returns a price as the API prints it: 48 cents are 0.4800. */
const dollars = (cents: string): string =>
  `${Number(cents) === DOLLAR_CENTS ? 1 : 0}.${cents.slice(-2).padStart(2, '0')}00`
