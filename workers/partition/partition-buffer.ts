// Collects the records of one partition from one capture, in capture order, as encoded blocks and one open block.

import type { PartitionKey } from '../../storage/partition-key.ts'
import { DAY_MS, dateStartMs } from '../../storage/units.ts'
import { onlyBook } from '../../storage/venue.ts'
import { BlockBuilder, type EncodedBlock } from '../block/block-builder.ts'
import { BookTable } from '../block/book-table.ts'
import { QuoteClock } from '../block/quote-clock.ts'
import { ownIdOf } from '../block/record-identity.ts'
import type { RecordRow } from '../block/record-row.ts'
import type { SpilledBytes } from '../block/spill-file.ts'
import { withMarketGaps } from '../book-times/book-times.ts'
import { BookTimesTracker, type FollowedBooks, type RecordedBookTimes } from '../book-times/book-times-tracker.ts'
import { slotTimeUs } from '../venues/venue-time.ts'
import type { CollectedPartition } from './collected-partition.ts'

const US_PER_MS = 1_000
/** Older forms of a trade print its time in whole seconds. */
const ONE_SECOND_MS = 1_000
/** A day with more interruptions mixes several connections, so it covers no gap after this many interruptions. */
const INTERRUPTIONS_MAX = 1_024

export class PartitionBuffer {
  readonly key: PartitionKey
  readonly startMs: number
  readonly endMs: number
  readonly blocks: EncodedBlock[] = []
  isSorted = true
  readonly looseSnapshots: number[] = []
  startsMs = Number.NaN
  earliestTwinMs = Number.POSITIVE_INFINITY
  /** Number of the capture's message that added the last record. It shows which buffers are idle. */
  touchedAt = 0
  #lastMs = Number.NEGATIVE_INFINITY
  #stretch = 0
  readonly #stretchStarts: number[] = []
  #interruptions = 0
  #hasTradeAgain = false
  #isLastUntimed = false
  #recordCount = 0
  readonly #books: BookTable
  readonly #clock = new QuoteClock()
  /** Short hashes of the ids of trades (see `ownIdOf`). */
  readonly #tradeIds: Set<number>
  readonly #followed: FollowedBooks
  #bookTimes: BookTimesTracker
  /** Book times of earlier runs, if each run counts as a capture. */
  readonly #ofRuns: RecordedBookTimes[] = []
  #builder: BlockBuilder | undefined

  /** `tradeIds` has the trades of the market from earlier parts of the capture; the buffer adds its own trades.
   *  `followed` has what the capture's earlier parts and dates received. */
  constructor(key: PartitionKey, tradeIds = new Set<number>(), followed: FollowedBooks = new Map()) {
    this.#followed = followed
    this.#bookTimes = new BookTimesTracker(key.date, followed)
    this.#tradeIds = tradeIds
    this.key = key
    this.startMs = dateStartMs(key.date)
    this.endMs = this.startMs + DAY_MS
    this.#books = new BookTable(onlyBook(key))
  }

  /** Ends the buffer and returns its records. `hasStretches` says whether the stretches of the capture are sound. */
  collect(hasStretches: boolean): CollectedPartition {
    this.closeBlock()
    this.endRun()
    const { key, blocks, isSorted, looseSnapshots, startsMs, earliestTwinMs } = this
    const stretchStarts = hasStretches ? this.#stretchStarts : []
    const mayRepeat = this.#hasTradeAgain || stretchStarts.length > 0
    const recordCount = this.#recordCount
    const [bookIds, firstUs] = [this.#books.ids(), this.#clock.first()]
    const order = { isSorted, looseSnapshots, startsMs, earliestTwinMs, mayRepeat, stretchStarts }
    const none = { planned: null, ongoing: null, sequenceHoles: [] }
    return { key, recordCount, blocks, bookIds, firstUs, heard: this.#received(), ...order, ...none }
  }

  /** Ends a run: no record follows, or the market's next record has an earlier time or is of another day. If the last
   *  record of the run is a snapshot without a venue time, notes its place. */
  endRun(): void {
    if (this.#isLastUntimed) this.looseSnapshots.push(this.#recordCount - 1)
    this.#isLastUntimed = false
  }

  /** Bytes of the closed blocks that are in memory. */
  get closedBytes(): number {
    return this.blocks.reduce((sum, { content }) => sum + (content instanceof Uint8Array ? content.length : 0), 0)
  }

  /** Moves the closed blocks out of memory. */
  spill(write: (bytes: Uint8Array) => SpilledBytes): void {
    for (const block of this.blocks) if (block.content instanceof Uint8Array) block.content = write(block.content)
  }

  /** Approximate bytes of the open block. */
  get openBytes(): number {
    return this.#builder?.bytes ?? 0
  }

  /** Returns whether the row's book is a book of the partition, or can become one. */
  hasRoomFor({ bytes, bookStart, bookEnd }: RecordRow): boolean {
    return bookStart < 0 || this.#books.hasRoomFor(bytes, bookStart, bookEnd)
  }

  /** Adds a record. `isOwnTime` says that `twinMs` is the message's own time. Then a gap starts at `twinMs` if that is
   *  before the row's time. */
  push(row: RecordRow, twinMs: number, isOwnTime: boolean): void {
    this.touchedAt = row.message
    if (row.timeMs < this.#lastMs) {
      this.isSorted = false
      this.endRun()
    }
    this.#lastMs = row.timeMs
    if (row.stretch !== this.#stretch && this.#recordCount > 0) this.#stretchStarts.push(this.#recordCount)
    this.#stretch = row.stretch
    this.#isLastUntimed = row.form.shape.kind === 'snapshot' && Number.isNaN(row.venueUs)
    if (this.#recordCount++ === 0) this.startsMs = row.timeMs
    const tradeId = ownIdOf(row.form.shape.trade)
    if (tradeId >= 0) this.#noteTrade(row, row.form.firstSlot + tradeId)
    const earliestMs = tradeId < 0 ? twinMs : twinMs - ONE_SECOND_MS
    if (earliestMs < this.earliestTwinMs) this.earliestTwinMs = earliestMs
    this.#builder ??= new BlockBuilder(this.#books, this.#clock)
    this.#trackReceived(row, this.#builder.push(row), isOwnTime ? Math.min(twinMs, row.timeMs) : row.timeMs)
    if (this.#builder.isFull) this.blocks.push(this.#builder.finish())
  }

  /** Begins a run that counts as a capture of its own. */
  beginRun(): void {
    this.#ofRuns.push(...withMarketGaps(this.#bookTimes.take()))
    this.#bookTimes = new BookTimesTracker(this.key.date, this.#followed)
  }

  #received(): RecordedBookTimes[] {
    const last = this.#bookTimes.take()
    return this.#ofRuns.length === 0 ? last : [...this.#ofRuns, ...withMarketGaps(last)]
  }

  /** Notes that messages of the market may be missing since a record at `lastMs`. */
  interrupt(lastMs: number): void {
    if (++this.#interruptions <= INTERRUPTIONS_MAX) this.#bookTimes.gap(0, this.#idOf, Math.max(lastMs, this.startMs))
  }

  /** Tracks the book times and gaps that the recorder received. Skips printed exports, which do not name the recorder
   *  of a record. */
  #trackReceived(row: RecordRow, book: number, gapMs: number): void {
    const { form, timeMs } = row
    const { kind } = form.shape
    if (form.isPrinted || this.#interruptions > INTERRUPTIONS_MAX) return
    if (kind === 'gap') {
      this.#bookTimes.gap(book, this.#idOf, gapMs)
      // A gap of more than an hour is placed where it was received: at its end.
      const fromMs = Math.floor(slotTimeUs(form.eventTime, row.bytes, row.match) / US_PER_MS)
      if (fromMs < gapMs) this.#bookTimes.gap(book, this.#idOf, fromMs)
    } else if (book > 0 && (kind === 'snapshot' || kind === 'delta'))
      this.#bookTimes.note(book, this.#idOf, kind, timeMs)
  }

  readonly #idOf = (book: number): string => this.#books.ids()[book - 1]!

  /** Notes a trade by the hash of its id. If two ids have the same hash by chance, the partition is merged without
   *  need. */
  #noteTrade({ bytes, match }: RecordRow, id: number): void {
    const hash = Bun.hash.xxHash32(bytes.subarray(match.starts[id]!, match.ends[id]!))
    if (this.#tradeIds.has(hash)) this.#hasTradeAgain = true
    else this.#tradeIds.add(hash)
  }

  /** Encodes the open block, full or not, and frees its memory. */
  closeBlock(): void {
    if (this.#builder !== undefined && this.#builder.recordCount > 0) this.blocks.push(this.#builder.finish())
    this.#builder = undefined
  }
}
