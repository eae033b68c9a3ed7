// Decides the order in which the records of a capture and the stored records of a partition are merged
// (docs/time-and-order.md). Pure: takes times and identities, returns an order.

import { isEarlierWithinMs, type RecordSequence, type UnitKeys, unitKeys } from './record-sequence.ts'
import { findTwins, moveSnapshots, NONE, type Preference } from './twins.ts'

/** The merged records, from the store or from the capture, with their final event times. */
export type MergedOrder = {
  count: number
  /** For each record: its index in the store, or -1 minus its index in the capture. */
  sources: Int32Array
  timesMs: Float64Array
  /** Number of the first record that differs from the stored records. */
  firstChanged: number
  /** Snapshots without a venue time that need not stay before the next record, even if that record has the same time or
   *  is still to come. */
  looseSnapshots: number[]
}

const NO_LIMIT = 0x7fff_ffff

/** Merges the records of the store and of a capture, both of one source, by event time; two equal records become one.
 *  Within one ms, a new record keeps its place relative to the records that are in both; if that does not decide, the
 *  finer time decides, then `seq`; otherwise the stored record comes first. `isPart`: the capture is still growing, and
 *  some stored records may come from it. A record that is already stored is then never added again, because duplicates
 *  can only be counted over the whole capture. `isOfTwo`: the stored and the new records come from two recorders. */
export function mergeOrder(
  stored: RecordSequence,
  incoming: RecordSequence,
  isPart = false,
  isPreferred?: Preference,
  isOfTwo = false,
): MergedOrder {
  const same = findTwins(stored, incoming, isPart, isPreferred, isOfTwo)
  const { twins, movedFrom, isGlued } = moveSnapshots(stored, incoming, same.twins)
  const placed = { ...incoming, isGlued }
  const finder = new PlaceFinder(stored, placed, twins)
  const merged = new OrderWriter(stored, placed, { twins, movedFrom, isReplaced: same.isReplaced })
  let next = 0 // first stored record not yet written
  for (let i = 0; i < incoming.count; i++) {
    if (twins[i]! >= 0) {
      finder.pass(twins[i]!)
      continue
    }
    if (merged.isTied(i)) continue
    finder.seek(i)
    while (next < stored.count && finder.staysBefore(next)) merged.addStored(next++)
    merged.addIncoming(i)
  }
  while (next < stored.count) merged.addStored(next++)
  return merged.finish()
}

/** Decides which stored records come before a new record of the capture. */
class PlaceFinder {
  readonly #stored: UnitKeys
  readonly #isGlued: Uint8Array
  readonly #incoming: UnitKeys
  /** For each record of the capture: the stored place of the next record of the capture that is stored too. */
  readonly #nextTwins: Int32Array
  /** For each new record of the capture: the next new record of the same ms with another `sid`; NONE if there is
   *  none. */
  readonly #nextOthers: Int32Array
  /** The last stored place of a twin whose time is not later than the time of the record being placed. */
  #passed = NONE
  /** Stored places of the twins whose time is later than the time of the record being placed. */
  #ahead: number[] = []
  #record = 0
  #timeMs = Number.NEGATIVE_INFINITY
  #limit = NO_LIMIT

  constructor(stored: RecordSequence, incoming: RecordSequence, twins: Int32Array) {
    this.#stored = unitKeys(stored)
    this.#isGlued = stored.isGlued
    this.#incoming = unitKeys(incoming)
    this.#nextTwins = new Int32Array(twins.length)
    let next = NO_LIMIT
    for (let i = twins.length - 1; i >= 0; i--) {
      this.#nextTwins[i] = next
      if (twins[i]! >= 0) next = twins[i]!
    }
    this.#nextOthers = nextOthers(this.#incoming, twins)
  }

  pass(place: number): void {
    if (this.#stored.timesMs[place]! > this.#timeMs) this.#ahead.push(place)
    else this.#passed = Math.max(this.#passed, place)
  }

  /** Sets the record of the capture that is placed next. */
  seek(record: number): void {
    const { timesMs } = this.#stored
    this.#record = record
    this.#timeMs = this.#incoming.timesMs[record]!
    if (this.#ahead.length > 0) {
      const ahead = this.#ahead
      this.#ahead = []
      for (const place of ahead) this.pass(place)
    }
    const next = this.#nextTwins[record]!
    const isOfThisMs = next < NO_LIMIT && next > this.#passed && timesMs[next] === this.#timeMs
    this.#limit = isOfThisMs ? next : NO_LIMIT
  }

  staysBefore(place: number): boolean {
    const timeMs = this.#stored.timesMs[place]!
    if (timeMs !== this.#timeMs) return timeMs < this.#timeMs
    if (place <= this.#passed) return true
    let end = place
    while (this.#isGlued[end] === 1 && end + 1 < this.#stored.count) end++
    if (end >= this.#limit || isEarlierWithinMs(this.#incoming, this.#record, this.#stored, end)) return false
    // The stored record comes before the next record of the capture, so it comes before this one too.
    const other = this.#nextOthers[this.#record]!
    return other < 0 || !isEarlierWithinMs(this.#incoming, other, this.#stored, end)
  }
}

function nextOthers({ timesMs, sids }: UnitKeys, twins: Int32Array): Int32Array {
  const others = new Int32Array(twins.length).fill(NONE)
  for (let i = twins.length - 2; i >= 0; i--) {
    const next = i + 1
    if (twins[i]! >= 0 || twins[next]! >= 0 || timesMs[next] !== timesMs[i]) continue
    others[i] = sids[next] === sids[i] ? others[next]! : next
  }
  return others
}

type Differences = { twins: Int32Array; movedFrom: Int32Array; isReplaced: Uint8Array }

class OrderWriter {
  readonly #stored: RecordSequence
  readonly #incoming: RecordSequence
  readonly #movedFrom: Int32Array
  /** For each stored place, whether its record is left out. */
  readonly #isGone: Uint8Array
  readonly #sources: Int32Array
  readonly #timesMs: Float64Array
  /** For each record of the capture: the stored place that the record must directly precede, or -1. */
  readonly #ties: Int32Array
  /** For each stored place: the records of the capture that must directly precede it. */
  readonly #before = new Map<number, number[]>()
  readonly #looseSnapshots: number[] = []
  #count = 0
  #firstChanged = NONE
  /** State of the last written record. */
  #isUntimed = false
  #isGlued = false

  constructor(stored: RecordSequence, incoming: RecordSequence, { twins, movedFrom, isReplaced }: Differences) {
    this.#stored = stored
    this.#incoming = incoming
    this.#movedFrom = movedFrom
    this.#isGone = isReplaced.slice()
    for (const place of movedFrom) if (place >= 0) this.#isGone[place] = 1
    this.#sources = new Int32Array(stored.count + incoming.count)
    this.#timesMs = new Float64Array(stored.count + incoming.count)
    this.#ties = tiesOf(incoming, twins)
    for (const [i, place] of this.#ties.entries()) {
      if (place < 0) continue
      const before = this.#before.get(place)
      if (before === undefined) this.#before.set(place, [i])
      else before.push(i)
    }
  }

  /** Returns whether a new record must directly precede a stored record. */
  isTied(index: number): boolean {
    return this.#ties[index]! >= 0
  }

  addStored(place: number): void {
    if (this.#isGone[place] === 1) return
    for (const i of this.#before.get(place) ?? []) this.addIncoming(i)
    this.#add(place, this.#stored, place)
  }

  addIncoming(index: number): void {
    const from = this.#movedFrom[index]!
    this.#add(from < 0 ? -1 - index : from, this.#incoming, index)
  }

  finish(): MergedOrder {
    if (this.#isUntimed) this.#looseSnapshots.push(this.#count - 1)
    return {
      count: this.#count,
      sources: this.#sources.subarray(0, this.#count),
      timesMs: this.#timesMs.subarray(0, this.#count),
      firstChanged: this.#firstChanged < 0 ? this.#count : this.#firstChanged,
      looseSnapshots: this.#looseSnapshots,
    }
  }

  #add(source: number, { timesMs, isUntimed, isGlued }: RecordSequence, index: number): void {
    const timeMs = timesMs[index]!
    const isAsStored = source === this.#count && timeMs === this.#stored.timesMs[source]
    if (!isAsStored && this.#firstChanged < 0) this.#firstChanged = this.#count
    const isLoose = this.#isUntimed && !this.#isGlued && this.#timesMs[this.#count - 1] === timeMs
    if (isLoose) this.#looseSnapshots.push(this.#count - 1)
    this.#isUntimed = isUntimed[index] === 1
    this.#isGlued = isGlued[index] === 1
    this.#sources[this.#count] = source
    this.#timesMs[this.#count++] = timeMs
  }
}

/** Returns, for each record of the capture, the stored place that it must directly precede, whatever the times say;
 *  NONE if there is none. If a new record is glued to the next record, this is the place of the next record, or, if
 *  that record is new too, the place that it must precede. */
function tiesOf({ count, isGlued }: RecordSequence, twins: Int32Array): Int32Array {
  const ties = new Int32Array(count).fill(NONE)
  for (let i = count - 2; i >= 0; i--) {
    if (isGlued[i] === 1 && twins[i]! < 0) ties[i] = twins[i + 1]! < 0 ? ties[i + 1]! : twins[i + 1]!
  }
  return ties
}

/** Returns whether the order ends with all records of the capture, in the capture's order and with its times. */
export function endsWith({ count, sources, timesMs }: MergedOrder, incoming: RecordSequence): boolean {
  const first = count - incoming.count
  for (let i = 0; i < incoming.count; i++) {
    if (sources[first + i] !== -1 - i || timesMs[first + i] !== incoming.timesMs[i]) return false
  }
  return true
}
