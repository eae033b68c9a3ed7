// In which order the records of a capture and the stored ones of a partition stand together (docs/time-and-order.md).
// Pure: times and identities in, an order out.

import { isEarlierWithinMs, type RecordSequence, type UnitKeys, unitKeys } from './record-sequence.ts'
import { findTwins, NONE, type Preference, type Twins } from './twins.ts'

/** A record of the store, or of the capture, and the event time it has in the end. */
export type MergedOrder = {
  count: number
  /** Index in the store, or -1 - index in the capture. */
  sources: Int32Array
  timesMs: Float64Array
  /** Records before this one are the stored ones, unchanged. */
  firstChanged: number
}

const NO_LIMIT = 0x7fff_ffff

/** Merges by event time, the same record once; of an own and an archived one the own one, wherever it was first. A
 *  record of an archive moves no own one that is stored, and changes no time of it. Among equals, a record that both
 *  have tells which of the others stand before and after it; then the finer time, `seq`, and the store decide. `isPart`:
 *  the capture goes on, and what was stored may be of it, so a record that is stored at all is not stored again: only
 *  the whole capture tells how often a thing was said. `isOfTwo`: the records are of two recorders. */
export function mergeOrder(
  stored: RecordSequence,
  incoming: RecordSequence,
  isPart = false,
  isPreferred?: Preference,
  isOfTwo = false,
): MergedOrder {
  const { twins, isReplaced } = findTwins(stored, incoming, isPart, isPreferred, isOfTwo)
  const finder = new PlaceFinder(stored, incoming, twins)
  const merged = new OrderWriter(stored, incoming, { twins, isReplaced })
  let next = 0 // first stored record not yet written
  for (let i = 0; i < incoming.count; i++) {
    if (twins[i]! >= 0) {
      finder.pass(twins[i]!)
      continue
    }
    if (merged.isTied(i)) continue
    finder.seek(i)
    while (next < stored.count && finder.staysBefore(next)) merged.addStored(next++)
    merged.addSharedBefore(i)
    merged.addIncoming(i)
  }
  while (next < stored.count) merged.addStored(next++)
  return merged.finish()
}

/** Decides which stored records stay before a new one of the capture. */
class PlaceFinder {
  readonly #stored: UnitKeys
  readonly #places: Pick<RecordSequence, 'timesMs' | 'isGlued'>
  readonly #incoming: UnitKeys
  readonly #isArchived: Uint8Array
  /** For each record of the capture the stored place of the next one that both have. */
  readonly #nextTwins: Int32Array
  /** The last place of a twin whose time is not later than that of the record being placed. */
  #passed = NONE
  /** Twins that stand at a later time. */
  #ahead: number[] = []
  #record = 0
  #timeMs = Number.NEGATIVE_INFINITY
  #limit = NO_LIMIT

  constructor(stored: RecordSequence, incoming: RecordSequence, twins: Int32Array) {
    this.#stored = unitKeys(stored)
    this.#places = stored
    this.#incoming = unitKeys(incoming)
    this.#isArchived = incoming.isArchived
    this.#nextTwins = new Int32Array(twins.length)
    let next = NO_LIMIT
    for (let i = twins.length - 1; i >= 0; i--) {
      this.#nextTwins[i] = next
      if (twins[i]! >= 0) next = twins[i]!
    }
  }

  pass(place: number): void {
    if (this.#stored.timesMs[place]! > this.#timeMs) this.#ahead.push(place)
    else this.#passed = Math.max(this.#passed, place)
  }

  /** The record of the capture that is to be placed. */
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
    const { timesMs, isGlued } = this.#places
    // Placed before a snapshot that was earlier, a record changes its time; one of an archive must not.
    const timeMs = (this.#isArchived[this.#record] === 1 ? timesMs : this.#stored.timesMs)[place]!
    if (timeMs !== this.#timeMs) return timeMs < this.#timeMs
    if (place <= this.#passed) return true
    let end = place
    while (isGlued[end] === 1 && end + 1 < this.#stored.count) end++
    return end < this.#limit && !isEarlierWithinMs(this.#incoming, this.#record, this.#stored, end)
  }
}

class OrderWriter {
  readonly #stored: RecordSequence
  readonly #incoming: RecordSequence
  readonly #twins: Int32Array
  readonly #isReplaced: Uint8Array
  readonly #sources: Int32Array
  readonly #timesMs: Float64Array
  /** By stored place, what stays directly before it: sources as in `MergedOrder`. */
  readonly #before = new Map<number, number[]>()
  readonly #tied: Uint8Array
  /** Stored snapshots that have another place now, and the event time they have in the capture. */
  readonly #moved = new Map<number, number>()
  readonly #isWritten: Uint8Array
  #count = 0
  #latestMs = Number.NEGATIVE_INFINITY
  #firstChanged = NONE

  constructor(stored: RecordSequence, incoming: RecordSequence, { twins, isReplaced }: Twins) {
    this.#stored = stored
    this.#incoming = incoming
    this.#twins = twins
    this.#isReplaced = isReplaced
    this.#sources = new Int32Array(stored.count + incoming.count)
    this.#timesMs = new Float64Array(stored.count + incoming.count)
    this.#tied = new Uint8Array(incoming.count)
    this.#isWritten = new Uint8Array(stored.count)
    this.#tieSnapshots()
  }

  /** Whether a new record stays before a stored one. */
  isTied(index: number): boolean {
    return this.#tied[index] === 1
  }

  addStored(place: number): void {
    if (this.#isReplaced[place] === 1) this.#noteChange()
    else if (!this.#moved.has(place)) this.#addStored(place, Number.POSITIVE_INFINITY)
  }

  /** Snapshots that both have and that stood directly before this record in the capture, if they stand behind it in the
   *  store: they stay before the earlier of the records that followed them. */
  addSharedBefore(index: number): void {
    const { isGlued, timesMs } = this.#incoming
    let first = index
    while (first > 0 && isGlued[first - 1] === 1) first--
    for (let i = first; i < index; i++) {
      const place = this.#twins[i]!
      if (place < 0 || this.#isWritten[place] === 1 || this.#moved.has(place) || !this.#moves(i, place)) continue
      this.#moved.set(place, timesMs[i]!)
      this.#addMoved(place, Number.POSITIVE_INFINITY)
    }
  }

  addIncoming(index: number): void {
    this.#addIncoming(index, Number.POSITIVE_INFINITY)
  }

  finish(): MergedOrder {
    const firstChanged = this.#firstChanged < 0 ? this.#count : this.#firstChanged
    return {
      count: this.#count,
      sources: this.#sources.subarray(0, this.#count),
      timesMs: this.#timesMs.subarray(0, this.#count),
      firstChanged,
    }
  }

  // Glued snapshots whose follower both have: new ones stay before it, wherever it stands, and so do those that both
  // have but that stand behind it.
  #tieSnapshots(): void {
    const { count, isGlued, timesMs } = this.#incoming
    let last = NONE // stored place of the record that ends the unit
    let follower = NONE
    const ties: [place: number, source: number][] = []
    for (let i = count - 1; i >= 0; i--) {
      const place = this.#twins[i]!
      if (isGlued[i] === 0 || i === count - 1) last = place
      else if (place < 0 && follower >= 0) {
        this.#tied[i] = 1
        ties.push([follower, -1 - i])
      } else if (place >= 0 && last >= 0 && place > last && this.#moves(i, place)) {
        this.#moved.set(place, timesMs[i]!)
        ties.push([last, place])
      }
      if (isGlued[i] === 0 || place >= 0) follower = place
    }
    for (let i = ties.length - 1; i >= 0; i--) {
      const [place, source] = ties[i]!
      const before = this.#before.get(place)
      if (before === undefined) this.#before.set(place, [source])
      else before.push(source)
    }
  }

  /** An archive's snapshot moves no own one. */
  #moves(index: number, place: number): boolean {
    return this.#incoming.isArchived[index] === 0 || this.#stored.isArchived[place] === 1
  }

  #addStored(place: number, latestMs: number): void {
    const timeMs = Math.min(this.#stored.timesMs[place]!, latestMs)
    for (const source of this.#before.get(place) ?? []) {
      if (source < 0) this.#addIncoming(-1 - source, timeMs)
      else this.#addMoved(source, timeMs)
    }
    this.#isWritten[place] = 1
    this.#add(place, timeMs)
  }

  #addMoved(place: number, latestMs: number): void {
    this.#noteChange()
    this.#stored.isLoose[place] = 0
    this.#addStored(place, Math.min(latestMs, this.#moved.get(place)!))
  }

  #addIncoming(index: number, latestMs: number): void {
    this.#noteChange()
    this.#add(-1 - index, Math.min(this.#incoming.timesMs[index]!, latestMs))
  }

  #noteChange(): void {
    if (this.#firstChanged < 0) this.#firstChanged = this.#count
  }

  // Never earlier than the record before it: a glued snapshot may have been moved behind later records.
  #add(source: number, timeMs: number): void {
    if (timeMs > this.#latestMs) this.#latestMs = timeMs
    this.#sources[this.#count] = source
    this.#timesMs[this.#count++] = this.#latestMs
  }
}
