// Counts the records and trades of a partition's books block by block. Also finds whether each book starts from a
// snapshot of the day.

import type { TradeTotals } from '../../storage/format/partition-head.ts'
import type { RecordKind } from '../../storage/format/shape.ts'
import type { BookColumns } from '../book/book-columns.ts'
import type { MarkedBlock } from '../book/book-mark.ts'
import type { Books } from '../book/order-book.ts'
import { addSkippedLevels } from '../book/skipped-levels.ts'
import { addTrades } from '../book/trade-amounts.ts'
import type { BookCounts } from './book-evidence.ts'

export class RecordCounts {
  /** Books with records of the day, but without a snapshot, delta or gap so far. */
  readonly unchanged: Set<string>
  hasMarketGap = false
  /** Totals of the trades that belong to no book; undefined if there are none. */
  bookless: TradeTotals | undefined
  /** The entries of the books; the index is the book number minus 1. */
  readonly #entries: BookCounts[]

  constructor(entries: BookCounts[], unchanged: readonly string[]) {
    this.#entries = entries
    this.unchanged = new Set(unchanged)
  }

  /** Must be called before the block is replayed. The index of `books` is the book number. */
  add(columns: BookColumns, tradeSizes: MarkedBlock['tradeSizes'], books: Books): void {
    this.#countRecords(columns, books)
    const bookless = { tradeCount: 0, tradeVolume: '0', ...this.bookless }
    addTrades([bookless, ...this.#entries], columns, tradeSizes)
    if (bookless.tradeCount > 0) this.bookless = bookless
    addSkippedLevels(this.#entries, columns)
  }

  #countRecords({ recordCount, books: numbers, operations, shapes }: BookColumns, books: Books): void {
    for (let record = 0; record < recordCount; record++) {
      const entry = this.#entries[numbers[record]! - 1]
      const { kind } = shapes[operations[record]! >>> 1]!
      if (entry === undefined) {
        if (kind === 'gap') this.hasMarketGap = true
        continue
      }
      if (kind === 'snapshot') entry.snapshotCount++
      // A gap of the whole market counts as the first record of each book that is carried into the day.
      const continues = entry.opening !== null && this.hasMarketGap
      entry.recordCount++
      if (isChange(kind) && this.unchanged.delete(entry.id) && kind === 'snapshot' && !continues) {
        entry.startsFrom = 'snapshot'
        entry.opening = null
        if (entry.trust?.[0]?.[0] === 0) delete entry.trust
        books[numbers[record]!]!.reset()
      }
    }
  }
}

const isChange = (kind: RecordKind): boolean => kind === 'snapshot' || kind === 'delta' || kind === 'gap'
