// Plans what a summary reads of a day, from the head alone. The summary reads rollups where they are stored. It reads
// blocks elsewhere, and where the end of the range cuts a row of a rollup.

import { blockPart, type PartId, statePart } from '../../storage/block-store.ts'
import {
  type BlockEntry,
  type PartitionHead,
  type RollupEntry,
  startMsOf,
} from '../../storage/format/partition-head.ts'
import { MINUTE_MS, SECOND_MS } from '../../storage/units.ts'
import { isRead } from '../read/book-cursor.ts'

export type RollupLevel = 'seconds' | 'minutes'

/** Rows of a rollup that start before `beforeMs`. `openMs` is the time of the book's quote that is open at the end of
 *  the rollup; -1 if none is open. */
export type RollupPiece = { kind: 'rollup'; level: RollupLevel; id: number; beforeMs: number; openMs: number }
/** Blocks [from, to). Quotes before `fromMs` are already known from a rollup. `isLast`: these blocks end the day, so
 *  the quote that is open after them is complete. */
export type BlocksPiece = { kind: 'blocks'; from: number; to: number; fromMs: number; isLast: boolean }
/** `isBeyond`: the piece is after the range, and is read only while a quote of the range is open. `begins`: index of
 *  the piece's first block, if that block switches to another source. */
export type Piece = (RollupPiece | BlocksPiece) & { isBeyond: boolean; begins?: number }

export type PlannedDay = {
  bookIndex: number
  pieces: Piece[]
  /** Index of the first block of the first piece. */
  firstBlock: number
}

type Range = { fromMs: number; toMs: number; resolutionSeconds: number }

export function planDay(head: PartitionHead, bookIndex: number, range: Range): PlannedDay {
  const { blocks } = head
  let first = 0
  while (first + 1 < blocks.length && startMsOf(blocks[first + 1]!) < range.fromMs) first++
  if (bookIndex < 0 || startMsOf(blocks[first]!) > range.toMs) return { bookIndex, pieces: [], firstBlock: first }
  const planner = new DayPlanner(head, bookIndex, range, first)
  const firstBlock = planner.startOf(first)
  return { bookIndex, pieces: planner.pieces(firstBlock), firstBlock }
}

/** Returns the parts that the pieces of a day need; `isFirst` marks the day in which the range begins. */
export function partsOfDay(
  head: PartitionHead,
  { bookIndex, pieces, firstBlock }: PlannedDay,
  { toMs, toEnd, isFirst }: { toMs: number; toEnd: boolean; isFirst: boolean },
): (PartId | { kind: 'books' })[] {
  const parts: (PartId | { kind: 'books' })[] = []
  const addStart = (block: number) =>
    parts.push(block === 0 ? { kind: 'books' } : statePart(head.blocks[block]!.stateId))
  if (isFirst && firstBlock > 0) addStart(firstBlock)
  const firstBeyond = pieces.findIndex(({ isBeyond }) => isBeyond)
  const read = toEnd || firstBeyond < 0 ? pieces : pieces.slice(0, firstBeyond + 1)
  for (const piece of read) {
    if (piece.kind === 'rollup') {
      if (piece.begins === 0) addStart(0)
      if (piece.begins !== undefined) parts.push(statePart(head.blocks[piece.begins]!.stateId))
      const rollup = head.rollups.find(({ id }) => id === piece.id)!
      if ((rollup[piece.level]?.[bookIndex] ?? 0) > 0) parts.push({ kind: piece.level, id: piece.id, book: bookIndex })
      continue
    }
    addStart(piece.from)
    const isWanted = (block: BlockEntry) => block.begins !== undefined || isRead(head, block, bookIndex)
    const blocks = head.blocks.slice(piece.from, piece.to).filter(isWanted)
    const beyond = blocks.findIndex((block) => startMsOf(block) > toMs)
    for (const block of blocks.slice(0, toEnd || beyond < 0 ? undefined : beyond + 1)) {
      const isStart = piece.from > 0 && block === head.blocks[piece.from]
      if (block.begins !== undefined && !isStart) parts.push(statePart(block.stateId))
      if (isRead(head, block, bookIndex)) parts.push(blockPart(block.id))
    }
  }
  return parts
}

/** Reading a row of a rollup takes as long as replaying this number of records. */
const ROW_RECORDS = 12

class DayPlanner {
  readonly #head: PartitionHead
  /** Rollups that have the needed level, and are read faster than the records that they replace. */
  readonly #rollups: RollupEntry[]
  readonly #book: number
  readonly #toMs: number
  readonly #level: RollupLevel
  /** Start of the rollup row that the end of the range cuts. If the range cuts no row, a time after the range. */
  readonly #cutMs: number

  constructor(head: PartitionHead, book: number, { toMs, resolutionSeconds }: Range, firstBlock: number) {
    this.#head = head
    this.#book = book
    this.#toMs = toMs
    this.#level = resolutionSeconds % 60 === 0 ? 'minutes' : 'seconds'
    const rowMs = this.#level === 'minutes' ? MINUTE_MS : SECOND_MS
    this.#cutMs = Math.floor((toMs + 1) / rowMs) * rowMs
    const needed = head.blocks.slice(firstBlock).filter((block) => startMsOf(block) <= toMs)
    this.#rollups = head.rollups.filter((rollup) => {
      const rows = rollup[this.#level]
      const records = needed.reduce((sum, block) => sum + (isIn(rollup, block) ? block.recordCount : 0), 0)
      return rows !== null && ROW_RECORDS * (rows[book] ?? 0) < records
    })
  }

  /** Returns the first block of the rollup that contains `block`. Returns `block` if no rollup contains it. */
  startOf(block: number): number {
    const rollup = this.#rollupAt(block)
    if (rollup === undefined) return block
    return this.#head.blocks.findIndex(({ firstRecord }) => firstRecord === rollup.firstRecord)
  }

  pieces(firstBlock: number): Piece[] {
    const { blocks } = this.#head
    const pieces: Piece[] = []
    for (let index = firstBlock; index < blocks.length; ) {
      const isBeyond = startMsOf(blocks[index]!) > this.#toMs
      const rollup = this.#rollupAt(index)
      const end = rollup === undefined ? this.#nextRollup(index) : this.#endOf(rollup)
      // A replay that starts at this block reports the block's switch itself.
      const isReported = index === firstBlock && (index > 0 || rollup === undefined)
      const isSwitch = !isReported && blocks[index]!.begins !== undefined
      const about = { isBeyond, ...(isSwitch && { begins: index }) }
      if (rollup === undefined) {
        const isLast = end === blocks.length
        pieces.push({ kind: 'blocks', from: index, to: end, fromMs: Number.NEGATIVE_INFINITY, isLast, ...about })
      } else {
        const openMs = rollup.openMs[this.#book] ?? -1
        pieces.push({ kind: 'rollup', level: this.#level, id: rollup.id, beforeMs: this.#cutMs, openMs, ...about })
        const isCut = this.#cutMs <= this.#toMs && blocks[end - 1]!.lastMs >= this.#cutMs
        // If the quote that is open at the end of the rollup begins before the cut, it is the book's last quote in the
        // rollup. Then the cut removes nothing.
        if (isCut && !(openMs >= 0 && openMs < this.#cutMs)) {
          let from = index
          while (blocks[from]!.lastMs < this.#cutMs) from++
          pieces.push({ kind: 'blocks', from, to: blocks.length, fromMs: this.#cutMs, isLast: true, isBeyond: false })
          return pieces
        }
      }
      index = end
    }
    return pieces
  }

  #rollupAt(block: number): RollupEntry | undefined {
    return this.#rollups.find((rollup) => isIn(rollup, this.#head.blocks[block]!))
  }

  #endOf({ firstRecord, recordCount }: RollupEntry): number {
    const { blocks } = this.#head
    const end = blocks.findIndex((block) => block.firstRecord >= firstRecord + recordCount)
    return end < 0 ? blocks.length : end
  }

  #nextRollup(block: number): number {
    const { blocks } = this.#head
    let next = block
    while (next < blocks.length && this.#rollupAt(next) === undefined) next++
    return next
  }
}

const isIn = (rollup: RollupEntry, { firstRecord }: BlockEntry): boolean =>
  rollup.firstRecord <= firstRecord && firstRecord < rollup.firstRecord + rollup.recordCount
