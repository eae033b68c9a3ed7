// A page of trades as a table, with a chunk for each block.

import { BLOCK_RECORDS_MAX } from '../../storage/format/block.ts'
import { IDENTITIES, type Venue } from '../../storage/venue.ts'
import { PRICE_PLACES, PRICE_UNITS } from '../table/print-price.ts'
import { type Column, columnNames, NULL, type Table, type TableChunk, type Texts } from '../table/table.ts'
import { NO_SIDE, SIDES } from './block-trades.ts'
import type { ListedTrades, TradesPage } from './trades-page.ts'

type Market = { venue: Venue; market: string }

const ENTRIES = Int32Array.from({ length: BLOCK_RECORDS_MAX }, (_, row) => row)
const [BOOK, PRICE, SIZE, SIDE, TRADE_ID, RECORD] = [0, 1, 2, 3, 4, 5]

const columnsOf = (venue: Venue, books: readonly string[], hasBorrowed = false): Column[] => [
  { name: IDENTITIES[venue].bookField, type: { names: books }, isNullable: IDENTITIES[venue].hasAssets },
  { name: 'price', type: { places: PRICE_PLACES }, isNullable: false },
  { name: 'size', type: { places: 6 }, isNullable: false },
  { name: 'side', type: { names: SIDES }, isNullable: true },
  { name: 'trade_id', type: 'text', isNullable: true },
  { name: 'record', type: 'whole', isNullable: hasBorrowed },
]

const constantsOf = ({ market }: Market) => [{ name: 'market', text: market }]

/** Returns the names of the table's columns in flat formats. */
export const tradesColumns = (about: Market): string[] => columnNames(columnsOf(about.venue, []), constantsOf(about))

export function tradesTable(about: Market, { blocks, bookIds, hasBorrowed }: TradesPage): Table {
  return {
    constants: constantsOf(about),
    timestampUnit: 'ms',
    columns: columnsOf(about.venue, bookIds, hasBorrowed),
    chunks: chunksOf(blocks, bookIds),
  }
}

function* chunksOf(blocks: TradesPage['blocks'], names: readonly string[]): Generator<TableChunk> {
  for (const block of blocks) yield new TradesChunk(block, names)
}

class TradesChunk implements TableChunk {
  readonly rowCount: number
  readonly entries = ENTRIES
  readonly #block: ListedTrades
  readonly #names: readonly string[]

  constructor(block: ListedTrades, names: readonly string[]) {
    this.rowCount = block.count
    this.#block = block
    this.#names = names
  }

  get entryCount(): number {
    return this.rowCount
  }

  get timestampsMs(): Float64Array {
    return this.#block.trades.timesMs
  }

  values(column: number): Float64Array {
    const { trades, ids, firstRecord } = this.#block
    const { rowCount } = this
    if (column === TRADE_ID) return ids.values
    if (column === SIZE) return trades.sizes
    const values = new Float64Array(rowCount)
    if (column === PRICE) for (let i = 0; i < rowCount; i++) values[i] = PRICE_UNITS * trades.prices[i]!
    if (column === RECORD && firstRecord === null) values.fill(NULL)
    else if (column === RECORD) for (let i = 0; i < rowCount; i++) values[i] = firstRecord! + trades.records[i]!
    if (column === SIDE) {
      const { sides } = trades
      for (let i = 0; i < rowCount; i++) values[i] = sides[i] === NO_SIDE ? NULL : sides[i]! - 1
    }
    if (column === BOOK) {
      const names = this.#namesOfBooks()
      for (let i = 0; i < rowCount; i++) values[i] = names[trades.books[i]!]!
    }
    return values
  }

  texts(): Texts {
    return this.#block.ids.texts
  }

  /** Returns, for each book number of the date, the index of the book's name in the table. */
  #namesOfBooks(): number[] {
    return [NULL, ...this.#block.bookIds.map((id) => this.#names.indexOf(id))]
  }
}
