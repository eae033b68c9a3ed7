// A place in the chain of blocks, and the book there. Can move to any place that loaded blocks lead to.

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

/** A place to move to: after all records up to `ms`, or after one record of a date. In the second case, `ms` is the
 *  instant of that record. */
export type Target = { ms: number } | (RecordPlace & { ms: number })

/** Returns the block after a block (1) or before it (-1); `later` if it is not loaded, `none` at an end of the
 *  chain. */
export type Neighbour = (block: ChangeBlock, direction: 1 | -1) => ChangeBlock | 'later' | 'none'

export type Change = { side: (typeof SIDES)[number]; price: number; before: number; after: number }

/** The levels that a record changed. */
export type RecordChanges = RecordPlace & { ms: number; changes: readonly Change[] }

type BookThere = { record: number | null; bids: number[][]; asks: number[][]; trust: Trust }

export class Replay {
  readonly book: ReplayBook
  #block: ChangeBlock
  /** The number of applied rows of the block. */
  #row: number
  #ms: number

  /** `there` is the book at `ms`: either after a record of this block, or before the first record of the first
   *  block. */
  constructor(block: ChangeBlock, there: BookThere, ms: number) {
    this.book = new ReplayBook(there.bids, there.asks, there.trust)
    this.#block = block
    this.#row = there.record === null ? 0 : rowsThrough(block, there.record)
    this.#ms = ms
  }

  get block(): ChangeBlock {
    return this.#block
  }

  /** Whether all rows of the block are applied, so that the next change is in another block. */
  get isAtEnd(): boolean {
    return this.#row === this.#block.rows
  }

  /** Replaces the block with its longer version after its date has grown. Returns false, and does nothing, if it is a
   *  different block. */
  grow(block: ChangeBlock): boolean {
    if (!isPrefix(this.#block, block)) return false
    this.#block = block
    return true
  }

  /** The applied share of the block, from 0 to 1. */
  get share(): number {
    return this.#block.rows === 0 ? 1 : this.#row / this.#block.rows
  }

  /** Moves to a place. Returns `later` if a block on the way is not loaded; the book has then moved only part of the
   *  way. */
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
    // The target's record may have changed the trust without a row: after a gap, it may be a snapshot of an empty book,
    // which changes no level.
    const isOnRow = 'record' in target && this.#block.records[row - 1] === target.record
    if (!isSame && !isOnRow && this.book.trust !== 'established') this.book.isSure = false
    return 'there'
  }

  /** Returns the changes of the last record that changed a level, as far as the changes are in this block; null at the
   *  block's start. */
  lastChanges(): RecordChanges | null {
    return this.#row === 0 ? null : this.#changesOf(recordStart(this.#block, this.#row - 1), this.#row)
  }

  /** Returns the instant of the next level change, or of the previous one if `direction` is -1. Returns `later` if it
   *  is not known yet, `none` if there is no further block. */
  nextMs(direction: 1 | -1, neighbour: Neighbour): number | 'later' | 'none' {
    const here = this.#block.timesMs[direction === 1 ? this.#row : this.#row - 1]
    if (here !== undefined) return here
    const next = neighbour(this.#block, direction)
    if (typeof next === 'string') return next
    return next.timesMs[direction === 1 ? 0 : next.rows - 1] ?? 'later'
  }

  /** Returns the instant of the row that is `rows` rows ahead, or back if `rows` is negative; undefined if that row is
   *  not in this block. */
  msAfter(rows: number): number | undefined {
    return this.#block.timesMs[this.#row + rows]
  }

  /** Moves to the next record that changes a best price or its size (`quote`) or any level (`change`), or back to
   *  the last such record other than `current`. If no loaded block has such a record, stops at the last loaded
   *  block. */
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

  /** Returns whether the target may lie beyond this block in a direction. */
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

/** Returns whether `short` is the beginning of `long`. Compares only the last row of `short`, because records of a date
 *  keep their numbers. */
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

/** Returns whether the replay must enter a block on its way to a target. To reach an instant, it also enters a block
 *  without rows, because the instant may lie beyond that block. */
function reaches(block: ChangeBlock, target: Target, direction: 1 | -1): boolean {
  if ('record' in target) return compareBlocks(block, blockOf(target)) !== direction
  if (block.rows === 0) return true
  return direction === 1 ? block.timesMs[0]! <= target.ms : block.timesMs[block.rows - 1]! > target.ms
}
