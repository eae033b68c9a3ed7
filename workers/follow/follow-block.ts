// Reads the records of one block as messages of a stream, piece by piece: each record unchanged, trades, changed
// levels, and the top of a book where a quote ends.

import type { Block } from '../../storage/format/block.ts'
import type { GapEntry, PartitionHead } from '../../storage/format/partition-head.ts'
import { effectOf, type RecordKind } from '../../storage/format/shape.ts'
import { MICROS } from '../../storage/units.ts'
import { bookFields, type Venue } from '../../storage/venue.ts'
import { type DecodedBlock, decodeWholeBlock } from '../block/decoded-block.ts'
import { gapsIn } from '../block/gaps-in-block.ts'
import { type BookColumns, bookColumns } from '../book/book-columns.ts'
import type { OrderBook } from '../book/order-book.ts'
import { BlockReplay, type QuoteSink, SILENT } from '../book/replay.ts'
import { ChangedLevels, KINDS } from '../changes/changed-levels.ts'
import { proofsFrom } from '../evidence/proofs.ts'
import { RecordWriter } from '../table/record-writer.ts'
import { NULL } from '../table/table.ts'
import { ALL_TRADES, SIDES as TAKER_SIDES, tradeIds, tradesIn } from '../trades/block-trades.ts'
import { shownTrust, type TrustStep } from '../trust/trust-steps.ts'
import type { Channel } from './follow-request.ts'
import type { MarketBooks } from './market-books.ts'
import { quoteMessage } from './quote-message.ts'
import { changeRow, type SentMessages } from './sent-messages.ts'

/** Books during a stream. `lastRecords`: the index of each book's last applied record. `steps`: the trust of each book
 *  over time, by id. `head` is the head of the day. */
export type FollowedBooks = {
  books: MarketBooks
  lastRecords: Map<OrderBook, number>
  steps: ReadonlyMap<string, TrustStep[]>
  head: Pick<PartitionHead, 'books'>
}

export type FollowedMarket = { venue: Venue; market: string; channels: readonly Channel[] }

const utf8 = new TextDecoder('utf-8', { ignoreBOM: true })

export class FollowedBlock {
  readonly #of: FollowedMarket
  readonly #block: Block
  readonly #firstRecord: number
  readonly #messages: SentMessages
  readonly #columns: BookColumns
  readonly #kinds: RecordKind[]
  readonly #books: MarketBooks
  readonly #numbered: (OrderBook | undefined)[]
  readonly #replay: BlockReplay
  readonly #lastRecords: FollowedBooks['lastRecords']
  readonly #steps: FollowedBooks['steps']
  #decoded: DecodedBlock | undefined
  #gaps: Map<number, GapEntry> | undefined

  /** Throws DataError('block_corrupt'). */
  constructor(
    of: FollowedMarket,
    { block, firstRecord, spanStart }: { block: Block; firstRecord: number; spanStart: number },
    { books, lastRecords, steps, head }: FollowedBooks,
    sent: SentMessages,
  ) {
    this.#of = of
    this.#block = block
    this.#firstRecord = firstRecord
    this.#books = books
    this.#lastRecords = lastRecords
    this.#steps = steps
    this.#messages = sent
    this.#columns = bookColumns(block)
    this.#kinds = block.shapes.map(({ shape }) => effectOf(shape))
    this.#numbered = books.numbered(block.books)
    this.#replay = new BlockReplay(this.#columns, this.#numbered, proofsFrom(head.books, firstRecord, spanStart))
  }

  /** Writes the records from `first` up to `end`, exclusive. The records before `first` must have been written, or
   *  applied by `pass`. */
  writeRecords(first: number, end: number): void {
    const { channels } = this.#of
    if (channels.includes('records')) this.#writeRecords(first, end)
    if (channels.includes('trades')) this.#writeTrades(first, end)
    if (channels.includes('book')) this.#writeBook(first, end)
    else if (channels.includes('quotes')) this.#replay.to(end, this.#sink())
    for (const channel of ['trades', 'quotes'] as const)
      if (channels.includes(channel)) this.#writeGaps(channel, first, end)
  }

  /** Applies the records before `end`, which were sent earlier. */
  pass(end: number): void {
    if (needsBooks(this.#of.channels)) this.#replay.to(end, this.#sink())
  }

  /** Ends the block after its records up to `end` were written. Call it before the next block, and at the end. */
  leave(end: number): void {
    if (!needsBooks(this.#of.channels)) return
    this.#numbered.forEach((book, number) => {
      const last = book === undefined ? -1 : this.#lastBefore(end, number)
      if (last >= 0) this.#lastRecords.set(book!, this.#firstRecord + last)
    })
  }

  #writeRecords(first: number, end: number): void {
    const { venue, market } = this.#of
    this.#decoded ??= decodeWholeBlock(this.#block)
    const records = new RecordWriter(venue, market, this.#decoded)
    const { writer } = this.#messages
    for (let record = first; record < end; record++) {
      const start = writer.length
      records.write(writer, record)
      this.#messages.written('records', this.#firstRecord + record, start)
    }
  }

  #writeTrades(first: number, end: number): void {
    if (!this.#kinds.includes('trade')) return
    const trades = tradesIn(this.#block, { ...ALL_TRADES, firstRecord: first, endRecord: end })
    const { values, texts } = tradeIds(this.#block, trades)
    for (let i = 0; i < trades.count; i++) {
      const record = this.#firstRecord + trades.records[i]!
      const id = values[i]!
      this.#messages.add('trades', record, {
        type: 'trade',
        timestamp: trades.timesMs[i]!,
        ...this.#named(trades.books[i]!),
        price: trades.prices[i]! / MICROS,
        size: trades.sizes[i]! / MICROS,
        side: TAKER_SIDES[trades.sides[i]! - 1] ?? null,
        trade_id: id === NULL ? null : utf8.decode(texts.arena.subarray(texts.offsets[id], texts.offsets[id + 1])),
        record,
      })
    }
  }

  #writeBook(first: number, end: number): void {
    const levels = new ChangedLevels()
    levels.block({ firstRecord: this.#firstRecord, columns: this.#columns })
    this.#replay.to(end, {
      ...this.#sink(),
      losing: levels.losing.bind(levels),
      snapshot: levels.snapshot.bind(levels),
      snapshotApplied: levels.snapshotApplied.bind(levels),
      isComparing: () => true,
      comparedLevels: levels.comparedLevels.bind(levels),
    })
    levels.finish()
    let row = 0
    for (let record = first; record < end; record++) {
      const kind = this.#kindOf(record)
      const place = this.#firstRecord + record
      const changes: object[] = []
      for (; row < levels.count && levels.records[row] === place; row++) {
        if (KINDS[levels.kinds[row]!] === 'gap') continue
        changes.push(changeRow(levels, row))
      }
      if (kind === 'gap') this.#writeGap('book', record)
      else if (changes.length > 0 || (kind === 'snapshot' && this.#columns.books[record]! > 0)) {
        const type = kind === 'snapshot' ? 'snapshot' : 'level'
        const timestamp = this.#columns.timesMs[record]!
        const about = { type, timestamp, ...this.#named(this.#columns.books[record]!), record: place }
        this.#messages.add('book', place, { ...about, changes })
      }
    }
  }

  /** Returns a sink that writes quotes if the stream has them. */
  #sink(): QuoteSink {
    const marketGap = () => this.#books.loseAllBut(this.#block.books)
    if (!this.#of.channels.includes('quotes')) return { ...SILENT, marketGap }
    const quote = (book: OrderBook, number: number, record: number) => {
      const last = this.#lastBefore(record, number)
      const place = last >= 0 ? this.#firstRecord + last : (this.#lastRecords.get(book) ?? -1)
      if (!this.#messages.takes('quotes', place)) return
      const steps = this.#steps.get(this.#block.books[number - 1]!)
      const trust = shownTrust(book.trust, steps, book.openQuoteMs)
      const sent = { ...this.#named(number), record: place, isOpen: false, trust }
      this.#messages.add('quotes', place, quoteMessage(book, sent))
    }
    return { ...SILENT, quote, marketGap }
  }

  #writeGaps(channel: Channel, first: number, end: number): void {
    if (!this.#kinds.includes('gap')) return
    for (let record = first; record < end; record++) if (this.#kindOf(record) === 'gap') this.#writeGap(channel, record)
  }

  #writeGap(channel: Channel, record: number): void {
    const { reason, fromMs, toMs } = this.#gapAt(record)
    const place = this.#firstRecord + record
    const about = {
      type: 'gap',
      timestamp: this.#columns.timesMs[record]!,
      ...this.#named(this.#columns.books[record]!),
    }
    this.#messages.add(channel, place, { ...about, reason, from: fromMs, to: toMs, record: place })
  }

  #gapAt(record: number): GapEntry {
    if (this.#gaps === undefined) {
      this.#decoded ??= decodeWholeBlock(this.#block)
      const gaps = gapsIn(this.#decoded).filter(({ isCovered }) => isCovered !== true)
      const records = Array.from({ length: this.#block.recordCount }, (_, i) => i)
      const places = records.filter((each) => this.#kindOf(each) === 'gap')
      this.#gaps = new Map(places.map((place, i) => [place, gaps[i]!]))
    }
    return this.#gaps.get(record)!
  }

  #kindOf(record: number): RecordKind {
    return this.#kinds[this.#columns.operations[record]! >>> 1]!
  }

  /** Returns the last snapshot or delta of a book before a record of the block; -1 if there is none. */
  #lastBefore(record: number, number: number): number {
    const { books } = this.#columns
    for (let last = record - 1; last >= 0; last--) {
      if (books[last] !== number) continue
      const kind = this.#kindOf(last)
      if (kind === 'snapshot' || kind === 'delta') return last
    }
    return -1
  }

  #named(number: number): Record<string, string | null> {
    return bookFields(this.#of, this.#block.books[number - 1] ?? null)
  }
}

/** Returns whether a stream of these channels needs the books of the market. */
export const needsBooks = (channels: readonly Channel[]): boolean =>
  channels.includes('book') || channels.includes('quotes')
