// Decides which gaps of a partition another recorder covers, after a capture was added.

import { type BookTimes, type GapEntry, isOfTwo, type PartitionHead } from '../../storage/format/partition-head.ts'
import { blockOf, type EncodedBlock } from '../block/block-builder.ts'
import { isCoveredGap, type ReceivedBook, receivedBooks } from './book-times.ts'

export class PartitionGaps {
  readonly #before: PartitionHead | undefined
  readonly #bookTimes: BookTimes[]
  readonly #capturedIds: string[]
  readonly #carriedIds: () => string[]
  #firstMarked: number | undefined
  #received: ReceivedBook[] | undefined

  /** `heard` includes the capture that is added to the partition; `bookIds` are the books of that capture.
   *  `carriedIds` returns the books that the partition continues. */
  constructor(
    before: PartitionHead | undefined,
    { heard, bookIds }: { heard: BookTimes[]; bookIds: string[] },
    carriedIds: () => string[],
  ) {
    this.#before = before
    this.#bookTimes = heard
    this.#capturedIds = bookIds
    this.#carriedIds = carriedIds
  }

  readonly isCovered = (gap: GapEntry): boolean => {
    this.#received ??= receivedBooks(this.#bookTimes)
    return isCoveredGap(this.#received, gap, () => this.#bookIds())
  }

  /** Index of the first stored block with a gap whose coverage has changed; the number of blocks if there is none. */
  get firstMarked(): number {
    this.#firstMarked ??= this.#findFirst()
    return this.#firstMarked
  }

  #findFirst(): number {
    const { gaps = [], blocks = [] } = this.#before ?? {}
    const gap = gaps.find((each) => this.isCovered(each) !== (each.isCovered === true))
    const block = gap === undefined ? -1 : blocks.findIndex(({ lastMs }) => lastMs >= gap.atMs)
    return block < 0 ? blocks.length : block
  }

  /** Returns whether a capture may have gaps that another recorder covers. */
  areIn({ heard, blocks }: { heard: BookTimes[]; blocks: EncodedBlock[] }): boolean {
    // Stored records that are collected again, and exports, may be from several recorders.
    const isOfSeveral = isOfTwo(heard) || new Set(heard.map(({ book }) => book)).size < heard.length
    const isOfOne = this.#before?.heard === undefined && !isOfSeveral
    return !isOfOne && blocks.some((block) => blockOf(block).shapes.some(({ shape }) => shape.kind === 'gap'))
  }

  /** Returns all books that the partition has or continues: a gap of the whole market concerns each of them. */
  #bookIds(): string[] {
    const known = this.#before?.books.map(({ id }) => id) ?? []
    return [...new Set([...this.#carriedIds(), ...known, ...this.#capturedIds])]
  }
}
