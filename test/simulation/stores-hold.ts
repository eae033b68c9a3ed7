// Invariants of the two stores, which hold at every moment, whatever the processes do.

import { openPlacement, type Placement } from '../../storage/cluster/segment/pieces.ts'
import { openSegment, segmentIn } from '../../storage/cluster/segment/segment-rows.ts'
import type { PartitionKey } from '../../storage/partition-key.ts'
import { below, namesOf } from '../../storage/rows/keys.ts'
import { unpackDay } from '../../storage/rows/market-rows.ts'
import type { Row } from '../../storage/rows/rows.ts'
import type { Venue } from '../../storage/venue.ts'
import type { MemoryClusterRows } from '../support/cluster/memory-cluster-rows.ts'
import type { MemoryObjects } from '../support/cluster/memory-objects.ts'
import type { History } from './history.ts'
import { revisionOf } from './listening.ts'

/** The name of the compactor. It reads back what it has put before any row names it. */
export const COMPACTOR = 'compactor'

const opened = new WeakMap<Uint8Array, Placement>()

/** Returns the placement in the row of a day. */
export function placementIn(key: PartitionKey, { value }: Row): Placement {
  const known = opened.get(value) ?? openPlacement(key, unpackDay(key, value).placement)
  opened.set(value, known)
  return known
}

export function dayOf({ key }: Row): PartitionKey {
  const [venue, market, date] = namesOf(key) as [Venue, string, string]
  return { venue, market, date }
}

/** Throws if a row names something that does not exist, or if the rows are not the result of commits. */
export function requireWhole(
  rows: MemoryClusterRows,
  stored: MemoryObjects['stored'],
  broken: ReadonlyMap<string, string>,
  history: History,
): void {
  const named = new Map<string, number>()
  for (const row of rows.list(below('d'))) {
    const day = dayOf(row)
    const name = `${day.venue} ${day.market} ${day.date}`
    const { segments, pieces } = placementIn(day, row)
    for (const key of segments) {
      named.set(key, (named.get(key) ?? 0) + 1)
      if (broken.get(key) === COMPACTOR) throw new Error(`${name} was moved into ${key}, which is broken`)
      if (!stored.has(key) && !broken.has(key)) throw new Error(`${name} names ${key}, which is not there`)
    }
    for (const { kind, id, segment, start, length } of pieces) {
      const key = segments[segment]!
      const end = stored.get(key)?.bytes.length ?? 0
      if (start + length > end && !broken.has(key)) throw new Error(`${kind} ${id} of ${name} is cut off`)
    }
  }
  for (const row of [...rows.list(below('m')), ...rows.list(below('r'))]) {
    const [venue, market] = namesOf(row.key) as [Venue, string]
    const [revision, commits] = [revisionOf(rows, venue, market), history.commits(market)]
    if (revision !== commits) throw new Error(`${market} has revision ${revision} after ${commits} commits`)
  }
  for (const { key, value } of rows.list(below('o'))) {
    const segment = segmentIn(key)
    const { count } = openSegment(key, value)
    const names = named.get(segment) ?? 0
    if (count === 0) throw new Error(`${segment} has a row, and no row names it`)
    if (count !== names) throw new Error(`${segment} is named by ${names} rows, and counted as ${count}`)
    named.delete(segment)
  }
  for (const key of named.keys()) throw new Error(`${key} is named and not known`)
}
