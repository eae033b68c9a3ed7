// A place in the chain of blocks, and the book there. It moves to any place to which blocks that are at hand lead.

import {
  ASK,
  BID,
  type ChangeBlock,
  NO_LEVEL,
  recordStart,
  rowsThrough,
  rowsUntil,
  SIDES,
} from '../data/replay/change-block.ts'
import { blockOf, type RecordPlace } from './block-chain.ts'
import { bestOf, ReplayBook, type Trust } from './replay-book.ts'

/** After all records up to an instant, or after a record of a date, which is of that instant. */
export type Target = { ms: number } | (RecordPlace & { ms: number })

/** The block behind a block (1) or before it (-1); `later` where it is not at hand, `none` at an end of the chain. */
export type Neighbour = (block: ChangeBlock, direction: 1 | -1) => ChangeBlock | 'later' | 'none'

export type Change = { side: (typeof SIDES)[number]; price: number; before: number; after: number }

/** What a record changed. */
export type RecordChanges = RecordPlace & { ms: number; changes: readonly Change[] }

type BookThere = { record: number | null; bids: number[][]; asks: number[][]; trust: Trust }

export class Replay {
  readonly book: ReplayBook
  #block: ChangeBlock
  /** Rows of the block that are applied. */
  #row: number
  #ms: number

  /** `there` is the book at `ms`: after a record of the block, or before the first of all. */
  constructor(block: ChangeBlock, there: BookThere, ms: number) {
    this.book = new ReplayBook(there.bids, there.asks, there.trust)
    this.#block = block
    this.#row = there.record === null ? 0 : rowsThrough(block, there.record)
    this.#ms = ms
  }

  get block(): ChangeBlock {
    return this.#block
  }

  /** Whether all of the block is applied: what comes next is not in it. */
  get isAtEnd(): boolean {
    return this.#row === this.#block.rows
  }

  /** Takes the block as it is now, once its date has grown. False, and nothing happens, where it is another one. */
  grow(block: ChangeBlock): boolean {
    if (!isPrefix(this.#block, block)) return false
    this.#block = block
    return true
  }

  /** From 0 to 1: how far through the block the place is. */
  get share(): number {
    return this.#block.rows === 0 ? 1 : this.#row / this.#block.rows
  }

  /** `later`: a block on the way is not at hand, and the book is at some place before it. */
  moveTo(target: Target, neighbour: Neighbour): 'there' | 'later' {
    const direction = this.#directionOf(target)
    for (;;) {
      const next = this.#passes(target, direction) ? neighbour(this.#block, direction) : 'none'
      if (next === 'later') return 'later'
      if (next === 'none' || !reaches(next, target, direction)) break
      this.#toNeighbour(next, direction)
    }
    const row = 'record' in target ? this.#rowOf(target) : rowsUntil(this.#block, target.ms)
    if (row !== this.#row || target.ms !== this.#ms) this.book.passed(target.ms < this.#ms || row < this.#row ? -1 : 1)
    const isSame = row === this.#row && target.ms === this.#ms
    this.#to(row)
    this.#ms = target.ms
    // Behind a gap there may be a snapshot of an empty book, which changes nothing.
    const isOnRow = 'record' in target && this.#block.records[row - 1] === target.record
    if (!isSame && !isOnRow && this.book.trust !== 'established') this.book.isSure = false
    return 'there'
  }

  /** What the last record changed that changed any level, as far as it is of this block. */
  lastChanges(): RecordChanges | null {
    return this.#row === 0 ? null : this.#changesOf(recordStart(this.#block, this.#row - 1), this.#row)
  }

  /** When a level changes next, or, backwards, when the one changed that was changed last; if that is known. */
  nextMs(direction: 1 | -1, neighbour: Neighbour): number | 'later' | 'none' {
    const here = this.#block.timesMs[direction === 1 ? this.#row : this.#row - 1]
    if (here !== undefined) return here
    const next = neighbour(this.#block, direction)
    if (typeof next === 'string') return next
    return next.timesMs[direction === 1 ? 0 : next.rows - 1] ?? 'later'
  }

  /** When the row is that lies so many rows on, or back, if it is of this block. */
  msAfter(rows: number): number | undefined {
    return this.#block.timesMs[this.#row + rows]
  }

  /** Goes to the next record that changes a best price or its size, or any level at all; or back to the one before that
   *  is not `current`. Where there is none at hand it ends at the last block that is. */
  step(
    direction: 1 | -1,
    what: 'quote' | 'change',
    current: RecordPlace | null,
    neighbour: Neighbour,
  ): RecordChanges | 'later' | 'none' {
    const find = direction === 1 ? () => this.#stepOn(what) : () => this.#stepBack(what, current)
    for (;;) {
      this.book.passed(direction)
      const found = find()
      if (found !== null) {
        this.#ms = found.ms
        return found
      }
      const next = neighbour(this.#block, direction)
      if (typeof next === 'string') return next
      this.#toNeighbour(next, direction)
    }
  }

  #stepOn(what: 'quote' | 'change'): RecordChanges | null {
    while (this.#row < this.#block.rows) {
      const best = this.#best()
      const first = this.#row
      this.#to(rowsThrough(this.#block, this.#block.records[first]!))
      if (what === 'change' || this.#best() !== best) return this.#changesOf(first, this.#row)
    }
    return null
  }

  #stepBack(what: 'quote' | 'change', current: RecordPlace | null): RecordChanges | null {
    const { date } = this.#block
    while (this.#row > 0) {
      const end = this.#row
      const best = this.#best()
      const first = recordStart(this.#block, end - 1)
      this.#to(first)
      if (current?.date === date && current.record === this.#block.records[first]) continue
      if (what === 'quote' && this.#best() === best) continue
      this.#to(end)
      return this.#changesOf(first, end)
    }
    return null
  }

  #best(): string {
    const { bids, asks } = this.book
    const [bid, ask] = [bestOf(bids, BID), bestOf(asks, ASK)]
    return `${bid} ${bids.get(bid!)} ${ask} ${asks.get(ask!)}`
  }

  #changesOf(from: number, to: number): RecordChanges {
    const { date, records, timesMs, sides, prices, before, after } = this.#block
    const changes: Change[] = []
    for (let row = from; row < to; row++) {
      if (sides[row] === NO_LEVEL) continue
      changes.push({ side: SIDES[sides[row]!]!, price: prices[row]!, before: before[row]!, after: after[row]! })
    }
    return { date, record: records[from]!, ms: timesMs[from]!, changes }
  }

  #directionOf(target: Target): 1 | -1 {
    if (!('record' in target)) return target.ms >= this.#ms ? 1 : -1
    return compareBlocks(blockOf(target), this.#block) >= 0 ? 1 : -1
  }

  /** Whether the target may lie behind this block, in a direction. */
  #passes(target: Target, direction: 1 | -1): boolean {
    if ('record' in target) return compareBlocks(blockOf(target), this.#block) === direction
    const row = rowsUntil(this.#block, target.ms)
    return row === (direction === 1 ? this.#block.rows : 0)
  }

  #toNeighbour(next: ChangeBlock, direction: 1 | -1): void {
    const { rows, timesMs } = this.#block
    this.book.passed(direction)
    this.#to(direction === 1 ? rows : 0)
    if (rows > 0) this.#ms = direction === 1 ? timesMs[rows - 1]! : timesMs[0]! - 1
    this.#block = next
    this.#row = direction === 1 ? 0 : next.rows
  }

  #rowOf(target: RecordPlace): number {
    const at = compareBlocks(blockOf(target), this.#block)
    return at === 0 ? rowsThrough(this.#block, target.record) : at > 0 ? this.#block.rows : 0
  }

  #to(row: number): void {
    this.book.move(this.#block, this.#row, row)
    this.#row = row
  }
}

/** Whether one block begins as another does, told by its last row: records of a date keep their places. */
function isPrefix(short: ChangeBlock, long: ChangeBlock): boolean {
  const last = short.rows - 1
  const isSame = (name: 'records' | 'timesMs' | 'prices' | 'before' | 'after') => short[name][last] === long[name][last]
  return (
    short.date === long.date &&
    short.index === long.index &&
    short.rows <= long.rows &&
    (last < 0 || (['records', 'timesMs', 'prices', 'before', 'after'] as const).every(isSame))
  )
}

type Ordered = { date: string; index: number }

const compareBlocks = (a: Ordered, b: Ordered): number =>
  Math.sign(a.date === b.date ? a.index - b.index : a.date < b.date ? -1 : 1)

/** Whether the way to a target leads into a block. A block without rows is passed through. */
function reaches(block: ChangeBlock, target: Target, direction: 1 | -1): boolean {
  if ('record' in target) return compareBlocks(block, blockOf(target)) !== direction
  if (block.rows === 0) return true
  return direction === 1 ? block.timesMs[0]! <= target.ms : block.timesMs[block.rows - 1]! > target.ms
}
