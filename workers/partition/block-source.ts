// Reads a sequence of blocks as one sequence of records, decoded a few blocks at a time.

import type { Block } from '../../storage/format/block.ts'
import type { GapEntry } from '../../storage/format/partition-head.ts'
import type { Venue } from '../../storage/venue.ts'
import { type DecodedBlock, decodeWholeBlock } from '../block/decoded-block.ts'
import { RecordIdentities } from '../block/record-identity.ts'
import { storedFullUs, storedVenueUs } from '../block/stored-venue-time.ts'
import { withCoveredGaps } from '../book-times/covered-gaps.ts'
import {
  emptySequence,
  GAP_MARK,
  type RecordSequence,
  SNAPSHOT_MARK,
  TIMED_MARK,
  TRADE_MARK,
} from './record-sequence.ts'

const DECODED_MAX = 32
/** Subscription ids above this are not compared. */
const SID_MAX = 0x7fff_ffff

const MARKS: Partial<Record<string, number>> = { gap: GAP_MARK, snapshot: SNAPSHOT_MARK }

export class BlockSource {
  readonly recordCount: number
  readonly #venue: Venue
  readonly #firstRecords: number[] = []
  readonly #read: (index: number) => Block
  readonly #isCovered: (gap: GapEntry) => boolean
  readonly #open = new Map<number, DecodedBlock>()
  #compared: { block: number; identities: RecordIdentities } | undefined

  /** `isCovered` returns whether a gap is covered, as known now. The gaps' stored marks are ignored. */
  constructor(
    venue: Venue,
    recordCounts: number[],
    read: (index: number) => Block,
    isCovered: (gap: GapEntry) => boolean,
  ) {
    this.#venue = venue
    this.#isCovered = isCovered
    this.#read = read
    let first = 0
    for (const count of recordCounts) {
      this.#firstRecords.push(first)
      first += count
    }
    this.recordCount = first
  }

  /** Returns the index of the block that has a record. */
  blockOf(record: number): number {
    let low = 0
    let high = this.#firstRecords.length - 1
    while (low < high) {
      const middle = (low + high + 1) >>> 1
      if (this.#firstRecords[middle]! <= record) low = middle
      else high = middle - 1
    }
    return low
  }

  firstRecordOf(block: number): number {
    return this.#firstRecords[block]!
  }

  /** Returns the first record of a block at or after `timeMs`. The block must not end before `timeMs`. */
  firstRecordFrom(block: number, timeMs: number): number {
    return this.firstRecordOf(block) + this.block(block).timesMs.findIndex((recordMs) => recordMs >= timeMs)
  }

  /** Returns the times and identities of the records from `from` on. `loose` are snapshots without a venue time that
   *  need not stay before the next record, although both have the same time. */
  sequence(from: number, loose: number[]): RecordSequence {
    const count = this.recordCount - from
    const sequence = emptySequence(count)
    if (count === 0) return sequence
    for (let block = this.blockOf(from); block < this.#firstRecords.length; block++)
      this.#addBlock(sequence, block, from)
    const { timesMs, isUntimed, isGlued } = sequence
    for (let i = 0; i + 1 < count; i++) if (timesMs[i] === timesMs[i + 1]) isGlued[i] = isUntimed[i]!
    for (const record of loose) if (record >= from) isGlued[record - from] = 0
    return sequence
  }

  #addBlock(sequence: RecordSequence, block: number, from: number): void {
    const decoded = this.block(block)
    const identities = new RecordIdentities(decoded, this.#venue)
    const first = this.#firstRecords[block]!
    for (let record = Math.max(0, from - first); record < decoded.recordCount; record++) {
      const at = first + record - from
      const shape = decoded.shapes[decoded.shapeIndexes[record]!]!
      const isTimeless = Number.isNaN(storedVenueUs(shape, decoded.rows[record]!))
      sequence.timesMs[at] = decoded.timesMs[record]!
      sequence.fullUs[at] = storedFullUs(shape, decoded.rows[record]!)
      const [sid, seq] = [shape.sid?.[decoded.rows[record]!] ?? -1, shape.seq?.[decoded.rows[record]!] ?? -1]
      if (sid <= SID_MAX) sequence.sids[at] = sid
      sequence.seqs[at] = seq
      const isTradeId = identities.hash(record, sequence.hashes, sequence.checks, at)
      sequence.marks[at] = isTradeId ? TRADE_MARK : (MARKS[shape.shape.kind] ?? (isTimeless ? 0 : TIMED_MARK))
      sequence.books[at] = decoded.books[record]!
      sequence.isUntimed[at] = shape.shape.kind === 'snapshot' && isTimeless ? 1 : 0
    }
  }

  /** Returns the receipt times of all records, Unix ms; NaN for a record without a receipt time. */
  receivedMs(): Float64Array {
    const all = new Float64Array(this.recordCount).fill(Number.NaN)
    for (let index = 0; index < this.#firstRecords.length; index++) {
      const { shapes, shapeIndexes, rows, recordCount } = this.block(index)
      for (let record = 0; record < recordCount; record++)
        all[this.#firstRecords[index]! + record] =
          shapes[shapeIndexes[record]!]!.receivedMs?.[rows[record]!] ?? Number.NaN
    }
    return all
  }

  /** Returns the text that decides which of several trades with one id is stored. */
  comparedText(record: number): string {
    const block = this.blockOf(record)
    if (this.#compared?.block !== block) {
      this.#compared = { block, identities: new RecordIdentities(this.block(block), this.#venue) }
    }
    return this.#compared.identities.comparedText(record - this.#firstRecords[block]!)
  }

  block(index: number): DecodedBlock {
    let block = this.#open.get(index)
    if (block !== undefined) {
      // Reinserted, so the most recently used is last.
      this.#open.delete(index)
    } else {
      block = withCoveredGaps(decodeWholeBlock(this.#read(index)), this.#isCovered)
      if (this.#open.size >= DECODED_MAX) this.#open.delete(this.#open.keys().next().value!)
    }
    this.#open.set(index, block)
    return block
  }
}
