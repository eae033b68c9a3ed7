// Which records of a capture are stored already, and which snapshots among them get another place.

import { recordsUpTo } from '../block/records-up-to.ts'
import { GAP_MARK, type RecordSequence, SNAPSHOT_MARK, TIMED_MARK, TRADE_MARK } from './record-sequence.ts'

export const NONE = -1

/** `isReplaced`: by place, stored trades that the capture has in a preferred form: these are new. */
export type Twins = { twins: Int32Array; isReplaced: Uint8Array }

/** For each record of the capture the stored record that is the same, or -1: the first with the first, and so on; of a
 *  part of a capture, those that are left with the last. The snapshot that ends a gap is none of before the gap,
 *  however alike they are: without it the book would be unknown until it changes. `isOfTwo`: what is stored before the
 *  gap of one recorder the other one may have heard, so a change that the venue timed is the same there, too. */
export function findTwins(
  stored: RecordSequence,
  incoming: RecordSequence,
  isPart: boolean,
  isPreferred: Preference = () => false,
  isOfTwo = false,
): Twins {
  const twins = new Int32Array(incoming.count).fill(NONE)
  const isReplaced = new Uint8Array(stored.count)
  if (stored.count === 0) return { twins, isReplaced }
  const same = new SameRecords(stored)
  const records = { timesMs: stored.timesMs, recordCount: stored.count }
  /** Of each book in a gap, behind which stored place its snapshot may stand. */
  const gaps = new Map<number, number>()
  /** Of each book behind a gap, the last stored place before it: nothing behind it is the same as that. */
  const separated = new Map<number, number>()
  for (let i = 0; i < incoming.count; i++) {
    const [mark, book] = [incoming.marks[i]!, incoming.books[i]!]
    const isApart = mark !== TRADE_MARK && !(isOfTwo && mark === TIMED_MARK)
    const beforeGap = isApart ? (separated.get(book) ?? NONE) : NONE
    const after = mark === SNAPSHOT_MARK ? (gaps.get(book) ?? beforeGap) : beforeGap
    if (mark === SNAPSHOT_MARK) gaps.delete(book)
    const hash = incoming.hashes[i]!
    const place = same.find(hash, incoming.checks[i]!, after)
    if (place >= 0 && mark === TRADE_MARK && isPreferred(i, place)) {
      isReplaced[place] = 1
      same.take(hash, place)
      continue
    }
    twins[i] = place
    if (place >= 0 && (!isPart || same.hasAnother(place))) same.take(hash, place)
    if (mark !== GAP_MARK || book === 0) continue
    const before = place >= 0 ? place : recordsUpTo(records, incoming.timesMs[i]!) - 1
    separated.set(book, Math.max(separated.get(book) ?? NONE, before))
    gaps.set(book, place >= 0 ? place : stored.count)
  }
  return { twins, isReplaced }
}

/** Whether a trade of the capture is kept in place of a stored one of the same id. */
export type Preference = (incoming: number, stored: number) => boolean

export type MovedSnapshots = {
  /** For each record of the capture the stored one that is the same, or -1 for a new or moved one. */
  twins: Int32Array
  /** For each record of the capture the stored place that it moves away from, or -1. */
  movedFrom: Int32Array
  /** By record of the capture, whether it stays directly before the next one, as `RecordSequence` has it. */
  isGlued: Uint8Array
}

/** A snapshot that both have moves to its place in the capture if it is earlier there, or if it stays before a record
 *  of the capture. Of two records that it stays before, the earlier decides. */
export function moveSnapshots(
  stored: RecordSequence,
  incoming: RecordSequence,
  storedTwins: Int32Array,
): MovedSnapshots {
  const { count, timesMs, isUntimed } = incoming
  const twins = storedTwins.slice()
  const movedFrom = new Int32Array(count).fill(NONE)
  const isGlued = incoming.isGlued.slice()
  if (!isUntimed.includes(1)) return { twins, movedFrom, isGlued }
  const isMoved = new Uint8Array(stored.count)
  const canMove = (i: number): boolean => twins[i]! >= 0 && isUntimed[i] === 1 && isMoved[twins[i]!] !== 1
  const move = (i: number): void => {
    movedFrom[i] = twins[i]!
    isMoved[twins[i]!] = 1
    twins[i] = NONE
  }
  for (let i = 0; i < count; i++) if (canMove(i) && timesMs[i]! < stored.timesMs[twins[i]!]!) move(i)

  const finalMs = (i: number): number => (twins[i]! < 0 ? timesMs[i]! : stored.timesMs[twins[i]!]!)
  let last = NONE // stored place of the record that a row of snapshots stays before
  for (let i = count - 1; i >= 0; i--) {
    const isWithNext = i + 1 < count && finalMs(i) === timesMs[i] && finalMs(i + 1) === timesMs[i]
    if (!isWithNext) isGlued[i] = 0
    if (isGlued[i] === 0) last = twins[i]!
    else if (canMove(i)) {
      const place = twins[i]!
      const isLater = stored.isGlued[place] === 1 ? last >= 0 && last < place : twins[i + 1] !== place + 1
      if (isLater) move(i)
    }
  }
  return { twins, movedFrom, isGlued }
}

/** The order without all but one trade of each id: the first of those that no other is preferred to. */
export function withoutRepeatedTrades(
  order: Int32Array,
  { marks, hashes, checks }: RecordSequence,
  isPreferred: (record: number, other: number) => boolean,
): Int32Array {
  const kept = new Map<bigint, number>()
  const idOf = (record: number) => (hashes[record]! << 64n) | checks[record]!
  for (const record of order) {
    if (marks[record] !== TRADE_MARK) continue
    const other = kept.get(idOf(record))
    if (other === undefined || isPreferred(record, other)) kept.set(idOf(record), record)
  }
  return order.filter((record) => marks[record] !== TRADE_MARK || kept.get(idOf(record)) === record)
}

/** Stored records by their identity, each to be taken once. */
class SameRecords {
  readonly #stored: RecordSequence
  /** The first that is not taken. */
  readonly #firsts = new Map<bigint, number>()
  readonly #nexts: Int32Array

  constructor(stored: RecordSequence) {
    this.#stored = stored
    this.#nexts = new Int32Array(stored.count).fill(NONE)
    for (let i = stored.count - 1; i >= 0; i--) {
      const later = this.#firsts.get(stored.hashes[i]!)
      if (later !== undefined) this.#nexts[i] = later
      this.#firsts.set(stored.hashes[i]!, i)
    }
  }

  /** The first behind a place, or -1. */
  find(hash: bigint, check: bigint, after: number): number {
    let place = this.#firsts.get(hash) ?? NONE
    while (place >= 0 && place <= after) place = this.#nexts[place]!
    return place >= 0 && this.#stored.checks[place] === check ? place : NONE
  }

  hasAnother(place: number): boolean {
    return this.#nexts[place]! >= 0
  }

  take(hash: bigint, place: number): void {
    let before = this.#firsts.get(hash)!
    if (before === place) {
      this.#firsts.set(hash, this.#nexts[place]!)
      return
    }
    while (this.#nexts[before] !== place) before = this.#nexts[before]!
    this.#nexts[before] = this.#nexts[place]!
  }
}
