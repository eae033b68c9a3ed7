// Merges the records of one market: runs into a capture, and captures into what is stored (docs/time-and-order.md).

import { dateOf, isVenueTime, type TimedRecord } from './event-time.ts'
import { canonical } from './json.ts'
import { bodyOf } from './kalshi-message.ts'

/** Where records of a capture are stored already: position in the capture → position in the store. */
type Shared = Map<number, number>

/** The runs of one capture, in its order. All their records are kept. Neighbours are merged, then neighbours of those,
 *  each day for itself. */
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

/** Of the same record a partition keeps as many as the capture that has most of them. `isOfTwo`: whether the records of
 *  a date are of two recorders. */
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

/** A trade of Kalshi is one trade, however often it is said, and in whichever form. */
function withoutRepeatedTrades(records: TimedRecord[]): TimedRecord[] {
  const kept = new Map<string, TimedRecord>()
  for (const record of records) {
    const other = kept.get(identity(record))
    if (tradeIdOf(record) !== null && (other === undefined || isPreferred(record, other))) {
      kept.set(identity(record), record)
    }
  }
  return records.filter((record) => tradeIdOf(record) === null || kept.get(identity(record)) === record)
}

function tradeIdOf({ venue, type, msg }: TimedRecord): string | null {
  if (venue !== 'kalshi' || type !== 'trade') return null
  const id = bodyOf(msg)['trade_id']
  const [price, size] = [PRICE_KEYS, SIZE_KEYS].map((keys) => keys.some((key) => (bodyOf(msg)[key] ?? null) !== null))
  return typeof id === 'string' && price && size ? id : null
}

const PRICE_KEYS = ['yes_price_dollars', 'yes_price', 'price_dollars', 'price']
const SIZE_KEYS = ['count_fp', 'count', 'size']

/** The form of the socket, else what is first in the order of bytes. */
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
  // A snapshot that ends a gap is not one of before the gap, and what follows is not, either.
  const gaps = new Map<string, number>()
  const separated = new Map<string, number>()
  captured.forEach((record, position) => {
    // Each date is merged by itself.
    const book = `${dateOf(record.timestamp)} ${record.book}`
    // The other recorder may have heard what stands before the gap of this one.
    const isOfOther = record.type !== 'snapshot' && isVenueTime(record) && isOfTwo(dateOf(record.timestamp))
    const beforeGap = tradeIdOf(record) !== null || isOfOther ? -1 : (separated.get(book) ?? -1)
    const after = record.type === 'snapshot' ? (gaps.get(book) ?? beforeGap) : beforeGap
    if (record.type === 'snapshot') gaps.delete(book)
    const places = free.get(identity(record)) ?? []
    const storedPosition = places.find((place) => place > after)
    if (record.type === 'gap' && record.book !== null) {
      const last = stored.findLastIndex(({ timestamp }) => timestamp <= record.timestamp)
      separated.set(book, Math.max(separated.get(book) ?? -1, storedPosition ?? last))
      gaps.set(book, storedPosition ?? Number.POSITIVE_INFINITY)
    }
    if (storedPosition === undefined) return
    shared.set(position, storedPosition)
    places.splice(places.indexOf(storedPosition), 1)
  })
  return shared
}

function identity(record: TimedRecord): string {
  const { timestamp, type, book, msg, receivedAt } = record
  const trade = tradeIdOf(record)
  if (trade !== null) return [dateOf(timestamp), type, book, trade].join(' ')
  // The time of a gap is the recorder's.
  const isTimed = type !== 'gap' && isVenueTime(record)
  return [dateOf(timestamp), type, book, canonical(msg), isTimed ? '' : receivedAt].join(' ')
}

/** A record of the capture by its position there, or one of the store that has another place now. */
type Placed = { captured: number } | { stored: number; latest: number }

/** What comes before each stored position: by its time, or as snapshots that stay directly before that record. */
type Places = { before: Map<number, Placed[]>; directlyBefore: Map<number, Placed[]>; moved: Set<number> }

function merge(stored: TimedRecord[], incoming: TimedRecord[], shared: Shared): TimedRecord[] {
  const places = findPlaces(stored, incoming, shared)
  const merged: TimedRecord[] = []
  let maximum = Number.NEGATIVE_INFINITY
  const append = (record: TimedRecord, time: number) => {
    maximum = Math.max(maximum, time)
    merged.push({ ...record, timestamp: maximum })
  }
  const appendPlaced = (placed: Placed, latest: number) => {
    if ('stored' in placed) appendStored(placed.stored, Math.min(placed.latest, latest), true)
    else append(incoming[placed.captured]!, Math.min(incoming[placed.captured]!.timestamp, latest))
  }
  const appendStored = (position: number, latest: number, isMoved: boolean) => {
    const record = stored[position]!
    const time = Math.min(record.timestamp, latest)
    for (const placed of places.directlyBefore.get(position) ?? []) appendPlaced(placed, time)
    append(isMoved ? { ...record, isBeforeNext: true } : record, time)
  }
  for (let position = 0; position <= stored.length; position++) {
    for (const placed of places.before.get(position) ?? []) appendPlaced(placed, Number.POSITIVE_INFINITY)
    if (position < stored.length && !places.moved.has(position)) appendStored(position, Number.POSITIVE_INFINITY, false)
  }
  return merged
}

function findPlaces(stored: TimedRecord[], incoming: TimedRecord[], shared: Shared): Places {
  const places: Places = { before: new Map(), directlyBefore: new Map(), moved: new Set() }
  const place = placeFinder(stored, incoming, shared)
  const isAttached = (index: number) => incoming[index]!.isBeforeNext
  incoming.forEach((_, index) => {
    let last = index
    while (isAttached(last)) last++
    const position = shared.get(index)
    if (position !== undefined) {
      // A snapshot that both have stands before the earlier of the records that followed it.
      const lastPosition = shared.get(last)
      if (!isAttached(index) || lastPosition === undefined || position < lastPosition) return
      places.moved.add(position)
      add(places.directlyBefore, lastPosition, { stored: position, latest: incoming[index]!.timestamp })
      return
    }
    let follower = index
    while (isAttached(follower) && !shared.has(follower)) follower++
    if (shared.has(follower)) {
      add(places.directlyBefore, shared.get(follower)!, { captured: index })
      return
    }
    const before = place(index)
    let first = index
    while (first > 0 && isAttached(first - 1)) first--
    for (let snapshot = first; snapshot < index; snapshot++) {
      const known = shared.get(snapshot)
      if (known === undefined || known < before || places.moved.has(known)) continue
      places.moved.add(known)
      add(places.before, before, { stored: known, latest: incoming[snapshot]!.timestamp })
    }
    add(places.before, before, { captured: index })
  })
  return places
}

/** The stored position that a new record of the capture goes before. */
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
  let earliest = 0
  return (index: number): number => {
    const record = incoming[incomingEnds[index]!]!
    const { timestamp } = record
    // What both have, and stands in this ms, tells which of the others stand before and after it.
    const earlier = (sharedByTime.get(timestamp) ?? []).filter(([captured]) => captured < index)
    const lowest = Math.max(0, ...earlier.map(([, position]) => position + 1))
    const next = nextShared[index]
    const limit = next !== undefined && next >= lowest && timeAt(next) === timestamp ? next : stored.length
    const staysBefore = (position: number): boolean => {
      if (timeAt(position) !== timestamp) return timeAt(position) < timestamp
      if (position < lowest) return true
      const end = storedEnds[position]!
      return end < limit && !isEarlierWithinMs(record, stored[end]!)
    }
    while (earliest < stored.length && staysBefore(earliest)) earliest++
    return earliest
  }
}

/** Of each record the one whose time it goes by: of snapshots without a venue time the record that they stay before. */
function endsOf(records: TimedRecord[]): number[] {
  const ends: number[] = []
  for (let i = records.length - 1; i >= 0; i--) ends[i] = records[i]!.isBeforeNext ? ends[i + 1]! : i
  return ends
}

/** Of two records of one ms: by the venue's own time at full resolution, then, of one `sid`, by `seq`. */
function isEarlierWithinMs(one: TimedRecord, other: TimedRecord): boolean {
  if (one.fullNs !== undefined && other.fullNs !== undefined && one.fullNs !== other.fullNs) {
    return one.fullNs < other.fullNs
  }
  if (one.sid === null || one.sid !== other.sid || one.seq === null || other.seq === null) return false
  return one.seq < other.seq
}

function add(places: Map<number, Placed[]>, position: number, placed: Placed): void {
  const there = places.get(position)
  if (there === undefined) places.set(position, [placed])
  else there.push(placed)
}
