// Merges the records of one market: runs into a capture, and captures into what is stored (docs/time-and-order.md).

import { dateOf, isUntimedSnapshot, isVenueTime, type TimedRecord } from './event-time.ts'
import { canonical } from './json.ts'
import { bodyOf } from './kalshi-message.ts'

/** Maps positions in the capture to positions in the store, for records that both have. */
type Shared = Map<number, number>

/** Merges the runs of one capture, in its order, and keeps all their records. Merges each day separately: first pairs
 *  of neighbouring runs, then pairs of the results, until one run is left. */
export function mergeRuns(runs: TimedRecord[][]): TimedRecord[] {
  const byDate = new Map<string, TimedRecord[][]>()
  for (const run of runs) {
    for (const [date, records] of Map.groupBy(run, ({ timestamp }) => dateOf(timestamp))) {
      byDate.set(date, [...(byDate.get(date) ?? []), records])
    }
  }
  const days = [...byDate].sort(([one], [other]) => (one < other ? -1 : 1))
  return days.flatMap(([, dayRuns]) => mergeNeighbours(dayRuns))
}

function mergeNeighbours(runs: TimedRecord[][]): TimedRecord[] {
  if (runs.length < 2) return runs[0] ?? []
  const merged: TimedRecord[][] = []
  for (let i = 0; i < runs.length; i += 2) merged.push(merge(runs[i]!, runs[i + 1] ?? [], new Map()))
  return mergeNeighbours(merged)
}

/** Merges a capture into the stored records. Keeps as many copies of a record as the capture with the most copies.
 *  `isOfTwo` returns whether a date's records come from at least two recorders. */
export function mergeCapture(
  before: TimedRecord[],
  capture: TimedRecord[],
  isOfTwo: (date: string) => boolean = () => false,
): TimedRecord[] {
  const captured = withoutRepeatedTrades(capture)
  const trades = new Map(captured.filter((record) => tradeIdOf(record) !== null).map((each) => [identity(each), each]))
  const isKept = (record: TimedRecord) => {
    const other = tradeIdOf(record) === null ? undefined : trades.get(identity(record))
    return other === undefined || !isPreferred(other, record)
  }
  const stored = before.filter(isKept)
  return merge(stored, captured, findShared(stored, captured, isOfTwo))
}

/** Keeps one record per Kalshi trade, however often and in whichever form the trade is sent. */
function withoutRepeatedTrades(records: TimedRecord[]): TimedRecord[] {
  const preferred = new Map<string, TimedRecord>()
  for (const record of records) {
    const other = preferred.get(identity(record))
    if (tradeIdOf(record) !== null && (other === undefined || isPreferred(record, other))) {
      preferred.set(identity(record), record)
    }
  }
  return records.filter((record) => tradeIdOf(record) === null || preferred.get(identity(record)) === record)
}

export function tradeIdOf({ venue, type, msg }: TimedRecord): string | null {
  if (venue !== 'kalshi' || type !== 'trade') return null
  const id = bodyOf(msg)['trade_id']
  const [price, size] = [PRICE_KEYS, SIZE_KEYS].map((keys) => keys.some((key) => (bodyOf(msg)[key] ?? null) !== null))
  return typeof id === 'string' && id !== '' && price && size ? id : null
}

const PRICE_KEYS = ['yes_price_dollars', 'yes_price', 'price_dollars', 'price']
const SIZE_KEYS = ['count_fp', 'count', 'size']

/** Prefers the form of the socket, then the form that is first in the order of bytes. */
function isPreferred(one: TimedRecord, other: TimedRecord): boolean {
  const rank = ({ msg }: TimedRecord) => ('market_ticker' in bodyOf(msg) ? 0 : 1)
  return rank(one) === rank(other) ? canonical(one.msg) < canonical(other.msg) : rank(one) < rank(other)
}

function findShared(stored: TimedRecord[], captured: TimedRecord[], isOfTwo: (date: string) => boolean): Shared {
  const free = new Map<string, number[]>()
  stored.forEach((record, position) => {
    const key = identity(record)
    free.set(key, [...(free.get(key) ?? []), position])
  })
  const shared: Shared = new Map()
  // Snapshots of the same event time pair first: a venue may send an unchanged book again.
  const sameTime = new Map<number, number>()
  captured.forEach((record, position) => {
    const places = free.get(identity(record)) ?? []
    const place = places.find((each) => stored[each]!.timestamp === record.timestamp)
    if (record.type !== 'snapshot' || place === undefined) return
    sameTime.set(position, place)
    places.splice(places.indexOf(place), 1)
  })
  // Neither a snapshot that ends a gap nor a record after it equals a record from before the gap.
  const gaps = new Map<string, number>()
  const separated = new Map<string, number>()
  captured.forEach((record, position) => {
    // The date is part of the key, since each date is merged by itself.
    const book = `${dateOf(record.timestamp)} ${record.book}`
    // With several recorders, a record from after the gap may equal a stored one from before it, because another
    // recorder may have received the record.
    const isOfOther = record.type !== 'snapshot' && isVenueTime(record) && isOfTwo(dateOf(record.timestamp))
    const beforeGap = tradeIdOf(record) !== null || isOfOther ? -1 : (separated.get(book) ?? -1)
    const after = record.type === 'snapshot' ? (gaps.get(book) ?? beforeGap) : beforeGap
    if (record.type === 'snapshot') gaps.delete(book)
    const places = free.get(identity(record)) ?? []
    const ofTime = sameTime.get(position) ?? -1
    const storedPosition = ofTime > after ? ofTime : places.find((place) => place > after)
    if (record.type === 'gap' && record.book !== null) {
      const last = stored.findLastIndex(({ timestamp }) => timestamp <= record.timestamp)
      separated.set(book, Math.max(separated.get(book) ?? -1, storedPosition ?? last))
      gaps.set(book, storedPosition ?? Number.POSITIVE_INFINITY)
    }
    if (storedPosition === undefined) return
    shared.set(position, storedPosition)
    if (storedPosition !== ofTime) places.splice(places.indexOf(storedPosition), 1)
  })
  return shared
}

export function identity(record: TimedRecord): string {
  const { timestamp, type, book, msg, receivedAt } = record
  const trade = tradeIdOf(record)
  if (trade !== null) return [dateOf(timestamp), type, book, trade].join(' ')
  // The time of a gap is the recorder's own.
  const isTimed = type !== 'gap' && isVenueTime(record)
  return [dateOf(timestamp), type, book, canonical(msg), isTimed ? '' : receivedAt].join(' ')
}

/** The records to insert before each stored position: `before` are placed by time, `directlyBefore` are followed by
 *  the stored record without anything between. */
type Places = { before: Map<number, TimedRecord[]>; directlyBefore: Map<number, TimedRecord[]> }

function merge(stored: TimedRecord[], captured: TimedRecord[], shared: Shared): TimedRecord[] {
  const incoming = withFinalFollowers(stored, captured, shared)
  const moved = findMoved(stored, incoming, shared)
  const left = new Set(moved.values())
  const staying = new Map([...shared].filter(([position]) => !moved.has(position)))
  // A record that moves keeps its stored content, but gets the new time.
  const toInsert = incoming.map((record, index) => {
    const { timestamp, isBeforeNext } = record
    return moved.has(index) ? { ...stored[moved.get(index)!]!, timestamp, isBeforeNext } : record
  })
  const { before, directlyBefore } = findPlaces(stored, incoming, toInsert, staying)
  const merged: TimedRecord[] = []
  for (let position = 0; position <= stored.length; position++) {
    merged.push(...(before.get(position) ?? []))
    if (position === stored.length || left.has(position)) continue
    merged.push(...(directlyBefore.get(position) ?? []), stored[position]!)
  }
  return merged.map((record, index) => ({ ...record, isBeforeNext: isAttached(merged, index) }))
}

/** Returns whether the record stays directly before the next one. */
function isAttached(records: TimedRecord[], index: number): boolean {
  return records[index]!.isBeforeNext && records[index + 1]?.timestamp === records[index]!.timestamp
}

/** Returns the capture with final `isBeforeNext`: a snapshot stays before the next record only if both end up with the
 *  same time. A record that is already stored keeps its stored time; a snapshot without a venue time takes the earlier
 *  of its two times. */
function withFinalFollowers(stored: TimedRecord[], captured: TimedRecord[], shared: Shared): TimedRecord[] {
  const finalTimes = captured.map((record, index) => {
    const position = shared.get(index)
    if (position === undefined) return record.timestamp
    const { timestamp } = stored[position]!
    return isUntimedSnapshot(record) ? Math.min(record.timestamp, timestamp) : timestamp
  })
  return captured.map((record, index) => {
    const { timestamp } = record
    const isWithNext = timestamp === finalTimes[index] && timestamp === finalTimes[index + 1]
    return { ...record, isBeforeNext: record.isBeforeNext && isWithNext }
  })
}

/** Returns the shared snapshots whose place changes: those that are earlier in the capture, or that stay before one of
 *  its records. A snapshot that precedes different records in two captures stays before the earlier record. */
function findMoved(stored: TimedRecord[], incoming: TimedRecord[], shared: Shared): Shared {
  const moved: Shared = new Map()
  const isStored = (index: number) => shared.has(index) && !moved.has(index)
  for (let index = incoming.length - 1; index >= 0; index--) {
    const record = incoming[index]!
    const position = shared.get(index)
    if (position === undefined || !isUntimedSnapshot(record)) continue
    let last = index
    while (incoming[last]!.isBeforeNext) last++
    const isBefore = isAttached(stored, position)
      ? isStored(last) && shared.get(last)! < position
      : !isStored(index + 1) || shared.get(index + 1) !== position + 1
    const isEarlier = record.timestamp < stored[position]!.timestamp
    if (isEarlier || (record.isBeforeNext && isBefore)) moved.set(index, position)
  }
  return moved
}

function findPlaces(stored: TimedRecord[], incoming: TimedRecord[], toInsert: TimedRecord[], shared: Shared): Places {
  const places: Places = { before: new Map(), directlyBefore: new Map() }
  const place = placeFinder(stored, incoming, shared)
  toInsert.forEach((record, index) => {
    if (shared.has(index)) return
    let follower = index
    while (incoming[follower]!.isBeforeNext && !shared.has(follower)) follower++
    if (shared.has(follower)) add(places.directlyBefore, shared.get(follower)!, record)
    else add(places.before, place(index), record)
  })
  return places
}

/** Returns a function that finds the stored position before which a new record of the capture goes. */
function placeFinder(stored: TimedRecord[], incoming: TimedRecord[], shared: Shared) {
  const storedEnds = endsOf(stored)
  const incomingEnds = endsOf(incoming)
  const timeAt = (position: number) => stored[storedEnds[position]!]!.timestamp
  const sharedByTime = Map.groupBy(shared, ([, position]) => timeAt(position))
  const nextShared: (number | undefined)[] = []
  for (let i = incoming.length - 1, next: number | undefined; i >= 0; i--) {
    nextShared[i] = next
    next = shared.get(i) ?? next
  }
  /** Returns the next new record of the same ms with another `sid`. */
  const nextOther = (index: number): TimedRecord | undefined => {
    const { timestamp, sid } = incoming[incomingEnds[index]!]!
    for (let i = index + 1; i < incoming.length && !shared.has(i); i++) {
      const other = incoming[incomingEnds[i]!]!
      if (other.timestamp !== timestamp) return undefined
      if (other.sid !== sid) return other
    }
    return undefined
  }
  let earliest = 0
  return (index: number): number => {
    const record = incoming[incomingEnds[index]!]!
    const { timestamp } = record
    // A new record also stays before the record that follows it in its capture.
    const units = [record, nextOther(index) ?? record]
    // Shared records of this ms bound the place from below and above.
    const earlier = (sharedByTime.get(timestamp) ?? []).filter(([captured]) => captured < index)
    const lowest = Math.max(0, ...earlier.map(([, position]) => position + 1))
    const next = nextShared[index]
    const limit = next !== undefined && next >= lowest && timeAt(next) === timestamp ? next : stored.length
    const staysBefore = (position: number): boolean => {
      if (timeAt(position) !== timestamp) return timeAt(position) < timestamp
      if (position < lowest) return true
      const end = storedEnds[position]!
      return end < limit && !units.some((unit) => isEarlierWithinMs(unit, stored[end]!))
    }
    while (earliest < stored.length && staysBefore(earliest)) earliest++
    return earliest
  }
}

/** Returns for each record the index of the record whose time orders it. A snapshot that stays before the next record
 *  is ordered by that record's time. */
function endsOf(records: TimedRecord[]): number[] {
  const ends: number[] = []
  for (let i = records.length - 1; i >= 0; i--) ends[i] = isAttached(records, i) ? ends[i + 1]! : i
  return ends
}

/** Returns whether `one` is earlier than another record of its ms: by the venue's time at full resolution, else by
 *  `seq` if both have the same `sid`. */
function isEarlierWithinMs(one: TimedRecord, other: TimedRecord): boolean {
  if (one.fullNs !== undefined && other.fullNs !== undefined && one.fullNs !== other.fullNs) {
    return one.fullNs < other.fullNs
  }
  if (one.sid === null || one.sid !== other.sid || one.seq === null || other.seq === null) return false
  return one.seq < other.seq
}

function add(places: Map<number, TimedRecord[]>, position: number, record: TimedRecord): void {
  const there = places.get(position)
  if (there === undefined) places.set(position, [record])
  else there.push(record)
}
