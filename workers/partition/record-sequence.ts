// What the order of records depends on (docs/time-and-order.md), one entry a record.

/** Records of one partition in one order. `isUntimed` marks a snapshot without a venue time, and `isGlued` one that stays
 *  directly before the record after it: that followed it in its capture and has the same event time. */
export type RecordSequence = {
  count: number
  timesMs: Float64Array
  /** The venue's time in microseconds where it prints more than milliseconds can say; else NaN. */
  fullUs: Float64Array
  /** -1 where there is none. */
  sids: Int32Array
  seqs: Float64Array
  isUntimed: Uint8Array
  isGlued: Uint8Array
  /** What a record is to its book, and the number of that, 0 for none: only the record after a gap depends on it. */
  marks: Uint8Array
  books: Uint32Array
  hashes: BigUint64Array
  checks: BigUint64Array
}

export const GAP_MARK = 1
export const SNAPSHOT_MARK = 2
/** A trade of Kalshi that has an id. */
export const TRADE_MARK = 3
/** Anything else that the venue gave a time. */
export const TIMED_MARK = 4

/** Room for `count` records. */
export function emptySequence(count: number): RecordSequence {
  return {
    count,
    timesMs: new Float64Array(count),
    fullUs: new Float64Array(count).fill(Number.NaN),
    sids: new Int32Array(count).fill(-1),
    seqs: new Float64Array(count).fill(-1),
    isUntimed: new Uint8Array(count),
    isGlued: new Uint8Array(count),
    marks: new Uint8Array(count),
    books: new Uint32Array(count),
    hashes: new BigUint64Array(count),
    checks: new BigUint64Array(count),
  }
}

export function reorder(sequence: RecordSequence, order: Int32Array): RecordSequence {
  const count = order.length
  const reordered = emptySequence(count)
  for (let i = 0; i < count; i++) {
    const from = order[i]!
    reordered.timesMs[i] = sequence.timesMs[from]!
    reordered.fullUs[i] = sequence.fullUs[from]!
    reordered.sids[i] = sequence.sids[from]!
    reordered.seqs[i] = sequence.seqs[from]!
    reordered.isUntimed[i] = sequence.isUntimed[from]!
    reordered.isGlued[i] = sequence.isGlued[from]!
    reordered.marks[i] = sequence.marks[from]!
    reordered.books[i] = sequence.books[from]!
    reordered.hashes[i] = sequence.hashes[from]!
    reordered.checks[i] = sequence.checks[from]!
  }
  return reordered
}

/** What a record is placed by. */
export type UnitKeys = Pick<RecordSequence, 'count' | 'timesMs' | 'fullUs' | 'sids' | 'seqs'>

/** A snapshot that stays before the next record is placed by the keys of that. */
export function unitKeys({ count, timesMs, isGlued, ...keys }: RecordSequence): UnitKeys {
  const [fullUs, sids, seqs] = [keys.fullUs.slice(), keys.sids.slice(), keys.seqs.slice()]
  for (let i = count - 2; i >= 0; i--) {
    if (isGlued[i] !== 1) continue
    fullUs[i] = fullUs[i + 1]!
    sids[i] = sids[i + 1]!
    seqs[i] = seqs[i + 1]!
  }
  return { count, timesMs, fullUs, sids, seqs }
}

/** Whether record `a` comes before record `b` of the same ms: by the venue's time at full resolution where both have
 *  one, then, of the same `sid`, by `seq`. */
export function isEarlierWithinMs(one: UnitKeys, a: number, other: UnitKeys, b: number): boolean {
  const [oneUs, otherUs] = [one.fullUs[a]!, other.fullUs[b]!]
  if (oneUs < otherUs) return true
  if (oneUs > otherUs) return false
  return one.sids[a]! >= 0 && one.sids[a] === other.sids[b] && one.seqs[a]! >= 0 && one.seqs[a]! < other.seqs[b]!
}
