// The values that decide the order of records (docs/time-and-order.md), one entry per record.

/** Records of one partition in one order. `isUntimed` marks a snapshot without a venue time. `isGlued` marks such a
 *  snapshot if it stays directly before the next record, which followed it in its capture at the same event time. */
export type RecordSequence = {
  count: number
  timesMs: Float64Array
  /** The venue's time in microseconds if it is finer than milliseconds; else NaN. */
  fullUs: Float64Array
  /** Subscription ids; -1 for a record without a subscription id. */
  sids: Int32Array
  seqs: Float64Array
  isUntimed: Uint8Array
  isGlued: Uint8Array
  /** For each record: a mark for some kinds of record, and the number of the book, 0 for none. Mark and book decide
   *  which records are twins after gaps and among trades. */
  marks: Uint8Array
  books: Uint32Array
  hashes: BigUint64Array
  checks: BigUint64Array
}

export const GAP_MARK = 1
export const SNAPSHOT_MARK = 2
/** A trade of Kalshi that has an id. */
export const TRADE_MARK = 3
/** Any other record with a venue time. */
export const TIMED_MARK = 4

/** Returns a sequence with room for `count` records. */
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

/** The keys by which a record is placed. */
export type UnitKeys = Pick<RecordSequence, 'count' | 'timesMs' | 'fullUs' | 'sids' | 'seqs'>

/** Returns the keys of each record. A snapshot that stays before the next record gets that record's keys. */
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

/** Returns whether record `a` comes before record `b` of the same ms: by the venue's time at full resolution if both
 *  have one, then by `seq` if both have the same `sid`. */
export function isEarlierWithinMs(one: UnitKeys, a: number, other: UnitKeys, b: number): boolean {
  const [oneUs, otherUs] = [one.fullUs[a]!, other.fullUs[b]!]
  if (oneUs < otherUs) return true
  if (oneUs > otherUs) return false
  return one.sids[a]! >= 0 && one.sids[a] === other.sids[b] && one.seqs[a]! >= 0 && one.seqs[a]! < other.seqs[b]!
}
