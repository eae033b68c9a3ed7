// Finds the records of a capture that are stored already, and the snapshots among them that change places.

import { type RecordTimes, recordsUpTo } from '../block/records-up-to.ts'
import { GAP_MARK, type RecordSequence, SNAPSHOT_MARK, TIMED_MARK, TRADE_MARK } from './record-sequence.ts'

export const NONE = -1

/** `isReplaced` marks, by stored place, the trades that the capture has in a preferred form. The capture's records of
 *  these trades are new. */
export type Twins = { twins: Int32Array; isReplaced: Uint8Array }

/** Returns for each record of the capture the equal stored record, or -1. Equal snapshots of the same event time pair
 *  first: if a venue sends an unchanged book again, and the receipt times are unknown, only the event times differ.
 *  Other equal records pair in order. With `isPart`, all surplus records of the capture pair with the last equal
 *  stored record. A snapshot that ends a gap never pairs with a record before the gap, because its book would then
 *  stay lost. `isOfTwo`: the stored records before the gap may be from another recorder, so changes with a venue time
 *  pair across the gap too. */
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
  const sameTimes = isPart ? undefined : same.takeSnapshots(incoming, records)
  /** For each book in a gap: the stored place after which the twin of the book's next snapshot may be. */
  const gaps = new Map<number, number>()
  /** For each book after a gap: the last stored place before the gap. Later records of the book have no twin up to that
   *  place. */
  const separated = new Map<number, number>()
  for (let i = 0; i < incoming.count; i++) {
    const [mark, book] = [incoming.marks[i]!, incoming.books[i]!]
    const isApart = mark !== TRADE_MARK && !(isOfTwo && mark === TIMED_MARK)
    const beforeGap = isApart ? (separated.get(book) ?? NONE) : NONE
    const after = mark === SNAPSHOT_MARK ? (gaps.get(book) ?? beforeGap) : beforeGap
    if (mark === SNAPSHOT_MARK) gaps.delete(book)
    const hash = incoming.hashes[i]!
    const ofTime = sameTimes?.[i] ?? NONE
    const isTaken = ofTime > after
    const place = isTaken ? ofTime : same.find(hash, incoming.checks[i]!, after)
    if (place >= 0 && mark === TRADE_MARK && isPreferred(i, place)) {
      isReplaced[place] = 1
      same.take(hash, place)
      continue
    }
    twins[i] = place
    if (place >= 0 && !isTaken && (!isPart || same.hasAnother(place))) same.take(hash, place)
    if (mark !== GAP_MARK || book === 0) continue
    const before = place >= 0 ? place : recordsUpTo(records, incoming.timesMs[i]!) - 1
    separated.set(book, Math.max(separated.get(book) ?? NONE, before))
    gaps.set(book, place >= 0 ? place : stored.count)
  }
  return { twins, isReplaced }
}

/** Returns whether a trade of the capture replaces a stored trade of the same id. */
export type Preference = (incoming: number, stored: number) => boolean

export type MovedSnapshots = {
  /** For each record of the capture: the equal stored record; -1 for a new or moved record. */
  twins: Int32Array
  /** For each record of the capture: the stored place from which the record moves away, or -1. */
  movedFrom: Int32Array
  /** For each record of the capture: whether it stays directly before the next record, as in `RecordSequence`. */
  isGlued: Uint8Array
}

/** Moves snapshots that are in both the store and the capture. A snapshot moves to its place in the capture if that
 *  place is earlier, or if the snapshot directly precedes a record of the capture. If it may precede two records, the
 *  earlier record decides. */
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

/** Returns the order with one trade of each id: the first trade to which no other trade of the id is preferred. */
export function withoutRepeatedTrades(
  order: Int32Array,
  { marks, hashes, checks }: RecordSequence,
  isPreferred: (record: number, other: number) => boolean,
): Int32Array {
  const chosen = new Map<bigint, number>()
  const idOf = (record: number) => (hashes[record]! << 64n) | checks[record]!
  for (const record of order) {
    if (marks[record] !== TRADE_MARK) continue
    const other = chosen.get(idOf(record))
    if (other === undefined || isPreferred(record, other)) chosen.set(idOf(record), record)
  }
  return order.filter((record) => marks[record] !== TRADE_MARK || chosen.get(idOf(record)) === record)
}

/** Finds stored records by their identity, each at most once. */
class SameRecords {
  readonly #stored: RecordSequence
  /** For each hash: the first stored record with that hash that is not taken. */
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

  /** Returns the first equal record after a place, or -1 if there is none. */
  find(hash: bigint, check: bigint, after: number): number {
    let place = this.#firsts.get(hash) ?? NONE
    while (place >= 0 && place <= after) place = this.#nexts[place]!
    return place >= 0 && this.#stored.checks[place] === check ? place : NONE
  }

  /** Takes, for each snapshot of the capture, the first equal stored record of the same event time. Returns the place
   *  of that record for each record of the capture; NONE if it is not a snapshot or has no equal. `stored` has the
   *  times of the stored records. */
  takeSnapshots({ count, marks, hashes, checks, timesMs }: RecordSequence, stored: RecordTimes): Int32Array {
    const places = new Int32Array(count).fill(NONE)
    for (let i = 0; i < count; i++) {
      if (marks[i] !== SNAPSHOT_MARK) continue
      const place = this.find(hashes[i]!, checks[i]!, recordsUpTo(stored, timesMs[i]! - 1) - 1)
      if (place < 0 || stored.timesMs[place] !== timesMs[i]) continue
      places[i] = place
      this.take(hashes[i]!, place)
    }
    return places
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
