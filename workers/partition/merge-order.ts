// In which order the records of a capture and the stored ones of a partition stand together (CONTRACT section 2). Pure:
// times and identities in, an order out.

/** Records of one partition in one order. `isGlued` marks a snapshot without a venue time, which stays directly before
 *  the record after it; `isLoose` one that nothing followed in its capture. */
export type RecordSequence = {
  count: number
  timesMs: Float64Array
  isGlued: Uint8Array
  isLoose: Uint8Array
  hashes: BigUint64Array
  checks: BigUint64Array
}

/** Room for `count` records. */
export function emptySequence(count: number): RecordSequence {
  return {
    count,
    timesMs: new Float64Array(count),
    isGlued: new Uint8Array(count),
    isLoose: new Uint8Array(count),
    hashes: new BigUint64Array(count),
    checks: new BigUint64Array(count),
  }
}

/** A record of the store, or of the capture, and the event time it has in the end. */
export type MergedOrder = {
  count: number
  /** Index in the store, or -1 - index in the capture. */
  sources: Int32Array
  timesMs: Float64Array
  /** Records before this one are the stored ones, unchanged. */
  firstChanged: number
}

/** The capture's records in the order of their event times, where one of them steps back. Stable. */
export function timeOrder(sequence: RecordSequence): Int32Array {
  const { count } = sequence
  const unitTimes = unitTimesOf(sequence)
  const order = new Int32Array(count)
  for (let i = 0; i < count; i++) order[i] = i
  return order.sort((a, b) => unitTimes[a]! - unitTimes[b]! || a - b)
}

/** The time by which a record is placed: a glued snapshot goes with the record after it. */
function unitTimesOf({ count, timesMs, isGlued }: RecordSequence): Float64Array {
  const unitTimes = new Float64Array(count)
  for (let i = count - 1; i >= 0; i--) {
    unitTimes[i] = isGlued[i] === 1 && i + 1 < count ? unitTimes[i + 1]! : timesMs[i]!
  }
  return unitTimes
}

/** Merges by event time, stored records first among equals, the same record once. Among equals, a record that both
 *  have tells which of the others stand before and after it. */
export function mergeOrder(stored: RecordSequence, incoming: RecordSequence): MergedOrder {
  const twins = findTwins(stored, incoming)
  const anchors = nextAnchors(twins)
  const storedMs = unitTimesOf(stored)
  const incomingMs = unitTimesOf(incoming)
  const followers = twinsOfFollowers(incoming, twins)
  const merged = new OrderWriter(stored, incoming, followers)
  let next = 0 // first stored record not yet written
  let passed = -1 // stored place of the last record so far that both have
  for (let i = 0; i < incoming.count; i++) {
    if (twins[i]! >= 0) passed = Math.max(passed, twins[i]!)
    if (twins[i]! >= 0 || followers[i]! >= 0) continue
    const timeMs = incomingMs[i]!
    const isFirst = () => storedMs[next]! === timeMs && (next <= passed || next < anchors[i]!)
    while (next < stored.count && (storedMs[next]! < timeMs || isFirst())) merged.addStored(next++)
    merged.addIncoming(i)
  }
  while (next < stored.count) merged.addStored(next++)
  return merged.finish()
}

/** For each new record of the capture the stored place of the one that it stays directly before, wherever that has come
 *  to stand; -1 where there is none: it is placed by its time. */
function twinsOfFollowers({ count, isGlued }: RecordSequence, twins: Int32Array): Int32Array {
  const places = new Int32Array(count).fill(-1)
  for (let i = count - 2; i >= 0; i--) {
    if (isGlued[i] === 1 && twins[i]! < 0) places[i] = twins[i + 1]! >= 0 ? twins[i + 1]! : places[i + 1]!
  }
  return places
}

/** For each record of the capture the stored record that is the same, or -1: the first with the first, and so on. */
function findTwins(stored: RecordSequence, incoming: RecordSequence): Int32Array {
  const twins = new Int32Array(incoming.count).fill(-1)
  if (stored.count === 0) return twins
  const places = new Map<bigint, number>()
  const nextSame = new Int32Array(stored.count).fill(-1)
  for (let i = stored.count - 1; i >= 0; i--) {
    const later = places.get(stored.hashes[i]!)
    if (later !== undefined) nextSame[i] = later
    places.set(stored.hashes[i]!, i)
  }
  for (let i = 0; i < incoming.count; i++) {
    const place = places.get(incoming.hashes[i]!)
    if (place === undefined || place < 0 || stored.checks[place] !== incoming.checks[i]) continue
    twins[i] = place
    places.set(incoming.hashes[i]!, nextSame[place]!)
  }
  return twins
}

/** For each record of the capture the stored place of the next one that both have; no limit where none follows. */
function nextAnchors(twins: Int32Array): Int32Array {
  const anchors = new Int32Array(twins.length)
  let anchor = 0x7fff_ffff
  for (let i = twins.length - 1; i >= 0; i--) {
    anchors[i] = anchor
    if (twins[i]! >= 0) anchor = twins[i]!
  }
  return anchors
}

class OrderWriter {
  readonly #stored: RecordSequence
  readonly #incoming: RecordSequence
  readonly #sources: Int32Array
  readonly #timesMs: Float64Array
  /** By stored place, the new records that stay directly before it. */
  readonly #before = new Map<number, number[]>()
  #count = 0
  #latestMs = Number.NEGATIVE_INFINITY
  #firstChanged = -1

  constructor(stored: RecordSequence, incoming: RecordSequence, followers: Int32Array) {
    this.#stored = stored
    this.#incoming = incoming
    this.#sources = new Int32Array(stored.count + incoming.count)
    this.#timesMs = new Float64Array(stored.count + incoming.count)
    followers.forEach((place, i) => {
      if (place < 0) return
      const before = this.#before.get(place)
      if (before === undefined) this.#before.set(place, [i])
      else before.push(i)
    })
  }

  addStored(index: number): void {
    for (const before of this.#before.get(index) ?? []) this.addIncoming(before, this.#stored.timesMs[index]!)
    this.#add(index, this.#stored.timesMs[index]!)
  }

  addIncoming(index: number, latestMs = Number.POSITIVE_INFINITY): void {
    if (this.#firstChanged < 0) this.#firstChanged = this.#count
    this.#add(-1 - index, Math.min(this.#incoming.timesMs[index]!, latestMs))
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

  // Never earlier than the record before it: a glued snapshot may have been moved behind later records.
  #add(source: number, timeMs: number): void {
    if (timeMs > this.#latestMs) this.#latestMs = timeMs
    this.#sources[this.#count] = source
    this.#timesMs[this.#count++] = this.#latestMs
  }
}
