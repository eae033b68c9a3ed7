// Reads Tardis' `incremental_book_L2`: each row is a level that a message set, with its new size. Rows of one message
// share both times and are joined into one message again, so that no reader sees the book in between.

import type { RowReader } from '../../../load/capture-reading.ts'
import type { ArchiveFormat, ArchiveOptions, ArchivePart, PartSums } from '../../archive.ts'
import type { ByteFile } from '../../byte-file.ts'
import { TARDIS_FACTS } from './tardis-facts.ts'
import { DECIMAL, type TardisRow, TardisRows, venueMsText } from './tardis-rows.ts'

export const tardisBook: ArchiveFormat = {
  ...TARDIS_FACTS,
  name: 'tardis-book',
  description: "Tardis' incremental_book_L2 of Polymarket (CSV)",
  async *open(file, options) {
    yield { next: null, read: (lines, onProgress) => readBook(file, options, lines, onProgress) } satisfies ArchivePart
  },
}

const COLUMNS = 'exchange,symbol,timestamp,local_timestamp,is_snapshot,side,price,amount'

async function readBook(
  file: ByteFile,
  options: ArchiveOptions,
  lines: RowReader,
  onProgress: (fileBytes: number) => void,
): Promise<PartSums> {
  const rows = new TardisRows(file, options, COLUMNS)
  const messages = new BookMessages(lines)
  await rows.read(lines, (row) => messages.add(row), onProgress)
  messages.end()
  return { rows: rows.rows }
}

/** `price` and `amount` are as the file prints them. */
type Level = { isBid: boolean; price: string; amount: string; tick: number; size: number }

const encoder = new TextEncoder()
const TICKS_IN_DOLLAR = 10_000

class BookMessages {
  readonly #lines: RowReader
  /** The first row of the message in progress, and the message's levels. */
  #first: TardisRow | undefined
  #levels: Level[] = []
  /** Levels of the snapshot in progress. */
  readonly #snapshotLevels = new Set<string>()

  constructor(lines: RowReader) {
    this.#lines = lines
  }

  add(row: TardisRow): void {
    const level = levelOf(row)
    if (typeof level === 'string') return this.#lines.reject(row.row, level, encoder.encode(JSON.stringify(row)))
    if (!this.#isSameMessage(row, level)) {
      this.end()
      this.#first = row
    }
    this.#levels.push(level)
    if (isSnapshot(row)) this.#snapshotLevels.add(keyOf(level))
  }

  /** Ends the message in progress. */
  end(): void {
    const [first, levels] = [this.#first, this.#levels]
    if (first === undefined) return
    this.#first = undefined
    this.#levels = []
    this.#snapshotLevels.clear()
    if (isSnapshot(first)) this.#book(first, levels)
    else this.#write(first, polymarketChange(first, levels))
  }

  /** Returns whether a row belongs to the message in progress. Rows of a message share both times. A snapshot has each
   *  level once, so a repeated level begins another snapshot. */
  #isSameMessage(row: TardisRow, level: Level): boolean {
    const first = this.#first
    if (first === undefined || first.token !== row.token || isSnapshot(first) !== isSnapshot(row)) return false
    if (first.receivedUs !== row.receivedUs || first.venueUs !== row.venueUs) return false
    return !isSnapshot(row) || !this.#snapshotLevels.has(keyOf(level))
  }

  /** Writes a book as the venue prints it: the best level of each side last. Leaves out levels with an amount of 0. */
  #book(first: TardisRow, levels: readonly Level[]): void {
    const there = levels.filter(({ size }) => size > 0).sort((one, other) => Number(one.price) - Number(other.price))
    const bids = there.filter(({ isBid }) => isBid)
    const asks = there.filter(({ isBid }) => !isBid).reverse()
    this.#write(first, polymarketBook(first, bids, asks))
  }

  #write({ receivedUs, row }: TardisRow, message: string): void {
    const line = encoder.encode(`{"recv_us":${receivedUs},"msg":${message}}`)
    this.#lines.line(line, 0, line.length, row)
  }
}

const printed = (side: readonly Level[]): string =>
  side.map(({ price, amount }) => `{"price":"${price}","size":"${amount}"}`).join(',')

const polymarketBook = (
  { market, token, venueUs }: TardisRow,
  bids: readonly Level[],
  asks: readonly Level[],
): string =>
  `{"market":"${market}","asset_id":"${token}","timestamp":"${venueMsText(venueUs)}",` +
  `"bids":[${printed(bids)}],"asks":[${printed(asks)}],"event_type":"book"}`

function polymarketChange({ market, token, venueUs }: TardisRow, levels: readonly Level[]): string {
  const entries = levels.map(
    ({ isBid, price, amount }) =>
      `{"asset_id":"${token}","price":"${price}","size":"${amount}","side":"${isBid ? 'BUY' : 'SELL'}"}`,
  )
  return (
    `{"market":"${market}","price_changes":[${entries.join(',')}],"timestamp":"${venueMsText(venueUs)}",` +
    '"event_type":"price_change"}'
  )
}

const keyOf = ({ isBid, tick }: Level): string => `${isBid} ${tick}`
const isSnapshot = ({ values }: TardisRow): boolean => values[0] === 'true'

/** Returns the level of a row, or why the row is not valid. */
function levelOf({ values: [snapshot, side, price = '', amount = ''] }: TardisRow): Level | string {
  if (snapshot !== 'true' && snapshot !== 'false') return 'is_snapshot is neither true nor false'
  if (side !== 'bid' && side !== 'ask') return 'side is neither bid nor ask'
  if (!DECIMAL.test(price) || Number(price) > 1) return 'price must be a decimal between 0 and 1'
  if (!DECIMAL.test(amount)) return 'amount must be a decimal'
  const tick = Math.round(Number(price) * TICKS_IN_DOLLAR)
  return { isBid: side === 'bid', price, amount, tick, size: Number(amount) }
}
