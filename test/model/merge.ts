// Merges the records of one market: runs into a capture, and captures into what is stored (CONTRACT section 2).

import { dateOf, type TimedRecord } from './event-time.ts'
import { canonical } from './json.ts'

/** Where records of a capture are stored already: position in the capture → position in the store. */
type Shared = Map<number, number>

/** The runs of one capture, in its order. All their records are kept. */
export function mergeRuns(runs: TimedRecord[][]): TimedRecord[] {
  return runs.reduce((merged, run) => merge(merged, run, new Map()), [])
}

/** Of the same record a partition keeps as many as the capture that has most of them. */
export function mergeCapture(stored: TimedRecord[], captured: TimedRecord[]): TimedRecord[] {
  return merge(stored, captured, findShared(stored, captured))
}

function findShared(stored: TimedRecord[], captured: TimedRecord[]): Shared {
  const free = new Map<string, number[]>()
  stored.forEach((record, position) => {
    const key = identity(record)
    free.set(key, [...(free.get(key) ?? []), position])
  })
  const shared: Shared = new Map()
  captured.forEach((record, position) => {
    const storedPosition = free.get(identity(record))?.shift()
    if (storedPosition !== undefined) shared.set(position, storedPosition)
  })
  return shared
}

function identity({ timestamp, type, book, msg, venueNs, receivedAt }: TimedRecord): string {
  return [dateOf(timestamp), type, book, canonical(msg), venueNs === undefined ? receivedAt : ''].join(' ')
}

function merge(stored: TimedRecord[], incoming: TimedRecord[], shared: Shared): TimedRecord[] {
  const placed = placeNewRecords(stored, incoming, shared)
  const merged: TimedRecord[] = []
  let maximum = Number.NEGATIVE_INFINITY
  const append = (record: TimedRecord, latest: number) => {
    maximum = Math.max(maximum, Math.min(record.timestamp, latest))
    merged.push({ ...record, timestamp: maximum })
  }
  for (let position = 0; position <= stored.length; position++) {
    const next = stored[position]
    for (const record of placed.before.get(position) ?? []) append(record, record.timestamp)
    for (const record of placed.directlyBefore.get(position) ?? []) append(record, next!.timestamp)
    if (next !== undefined) append(next, next.timestamp)
  }
  return merged
}

type Placed = { before: Map<number, TimedRecord[]>; directlyBefore: Map<number, TimedRecord[]> }

function placeNewRecords(stored: TimedRecord[], incoming: TimedRecord[], shared: Shared): Placed {
  const placed: Placed = { before: new Map(), directlyBefore: new Map() }
  const place = placeFinder(stored, shared)
  let snapshots: TimedRecord[] = []
  let earliest = 0
  incoming.forEach((record, index) => {
    const storedPosition = shared.get(index)
    if (storedPosition !== undefined) {
      add(placed.directlyBefore, storedPosition, snapshots)
      snapshots = []
    } else if (record.isBeforeNext) {
      snapshots.push(record)
    } else {
      earliest = Math.max(earliest, place(record.timestamp, index))
      add(placed.before, beforeSnapshots(stored, earliest), [...snapshots, record])
      snapshots = []
    }
  })
  return placed
}

/** The stored position that a new record of a time, at an index of the capture, goes before: after the stored records
 *  of that time, but on the right side of those that its capture has too. */
function placeFinder(stored: TimedRecord[], shared: Shared) {
  const anchors = new Map<number, { index: number; position: number }[]>()
  for (const [index, position] of shared) {
    const { timestamp } = stored[position]!
    anchors.set(timestamp, [...(anchors.get(timestamp) ?? []), { index, position }])
  }
  let afterEqual = 0
  return (timestamp: number, newIndex: number): number => {
    while (afterEqual < stored.length && stored[afterEqual]!.timestamp <= timestamp) afterEqual++
    const ofThisTime = anchors.get(timestamp) ?? []
    const earlier = ofThisTime.filter(({ index }) => index < newIndex)
    const lowest = Math.max(0, ...earlier.map(({ position }) => position + 1))
    const later = ofThisTime.filter(({ index, position }) => index > newIndex && position >= lowest)
    return Math.min(afterEqual, ...later.map(({ position }) => position))
  }
}

/** Nothing comes between a snapshot without a venue time and its follower. */
function beforeSnapshots(stored: TimedRecord[], position: number): number {
  let before = position
  while (stored[before - 1]?.isBeforeNext) before--
  return before
}

function add(places: Map<number, TimedRecord[]>, position: number, records: TimedRecord[]): void {
  const there = places.get(position)
  if (there === undefined) places.set(position, [...records])
  else there.push(...records)
}
