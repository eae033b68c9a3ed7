// Builds one table of all books' seconds on a day: book after book, with the columns of a summary.

import type { StoredDay } from '../../storage/catalogue.ts'
import type { Store } from '../../storage/open-store.ts'
import type { PartitionKey } from '../../storage/partition-key.ts'
import { DAY_MS, dateStartMs } from '../../storage/units.ts'
import { IDENTITIES } from '../../storage/venue.ts'
import { SUMMARY_COLUMNS } from '../summary/summary-table.ts'
import { tableOfSummary } from '../summary/table-of-summary.ts'
import type { Column, Table, TableChunk, Texts } from '../table/table.ts'

/** Returns only seconds with a quote: whether the book is known in the seconds between depends on neighbouring days.
 *  Books are sorted by id. Rejects with DataError. */
export async function candlesTable(
  store: Store,
  { venue, market, date }: PartitionKey,
  { books }: Pick<StoredDay['head'], 'books'>,
): Promise<{ rows: number; table: Table }> {
  const ids = books.map(({ id }) => id).sort()
  const fromMs = dateStartMs(date)
  const toMs = fromMs + DAY_MS - 1
  const window = { fromMs, toMs, nowMs: toMs, resolutionSeconds: 1, fill: 'none', timestampUnit: 'ms' } as const
  let rows = 0
  const tables: Table[] = []
  for (const book of ids) {
    const { head, table } = await tableOfSummary(store, { venue, market, book, ...window })
    rows += head.dataPoints
    tables.push(table)
  }
  const constants = [{ name: 'market', text: market }]
  const { hasAssets, bookField } = IDENTITIES[venue]
  if (!hasAssets) {
    return { rows, table: { constants, timestampUnit: 'ms', columns: SUMMARY_COLUMNS, chunks: inTurn(tables) } }
  }
  const book: Column = { name: bookField, type: { names: ids }, isNullable: false }
  return { rows, table: { constants, timestampUnit: 'ms', columns: [book, ...SUMMARY_COLUMNS], chunks: named(tables) } }
}

function* inTurn(tables: readonly Table[]): Generator<TableChunk> {
  for (const { chunks } of tables) for (let next = chunks.next(); !next.done; next = chunks.next()) yield next.value
}

function* named(tables: readonly Table[]): Generator<TableChunk> {
  for (const [book, table] of tables.entries()) {
    for (const chunk of inTurn([table])) yield new ChunkOfBook(chunk, book)
  }
}

/** A chunk with the number of its book before the other columns. */
class ChunkOfBook implements TableChunk {
  readonly rowCount: number
  readonly timestampsMs: Float64Array
  readonly entryCount: number
  readonly entries: Int32Array
  readonly #chunk: TableChunk
  readonly #book: number

  constructor(chunk: TableChunk, book: number) {
    this.#chunk = chunk
    this.#book = book
    this.rowCount = chunk.rowCount
    this.timestampsMs = chunk.timestampsMs
    this.entryCount = chunk.entryCount
    this.entries = chunk.entries
  }

  values(column: number): Float64Array {
    return column === 0 ? new Float64Array(this.entryCount).fill(this.#book) : this.#chunk.values(column - 1)
  }

  texts(column: number): Texts {
    return this.#chunk.texts(column - 1)
  }
}
