// Provenance as it is kept.
//
//   metadata: 'load', source, name → the load
//   metadata: 'quality', venue, market, date → a row an hour of a source: source, hour, counts

import {
  type ArchiveLoad,
  type ArchiveQuality,
  addedQuality,
  type DayQuality,
  QUALITY_COUNTS,
  type SourceHour,
} from '../../finding/provenance.ts'
import type { PartitionKey } from '../../partition-key.ts'
import type { Venue } from '../../venue.ts'
import { type Databases, KEY_END, type Key } from '../values/databases.ts'
import { getPacked, openPacked, putPacked } from './packed-values.ts'

type PackedHour = [source: string, hour: number, ...counts: number[]]

export const qualityKey = ({ venue, market, date }: PartitionKey): Key => ['quality', venue, market, date]

export function putLoad(databases: Databases, name: string, load: ArchiveLoad): void {
  putPacked(databases, 'metadata', ['load', load.source, name], load)
}

/** Of one day. */
export function addQuality(databases: Databases, key: PartitionKey, said: readonly ArchiveQuality[]): void {
  const entry = qualityKey(key)
  putHours(databases, entry, addedQuality(hoursAt(databases, entry), said))
}

/** Leaves out those of a source. */
export function forgetQuality(databases: Databases, key: Key, source: string): void {
  const kept = hoursAt(databases, key)
  const left = kept.filter((each) => each.source !== source)
  if (left.length < kept.length) putHours(databases, key, left)
}

export const removeDayQuality = ({ metadata }: Databases, key: PartitionKey): void =>
  void metadata.removeSync(qualityKey(key))

/** Of entries that were found in the file. */
export const openLoad = (key: Key, value: Uint8Array): ArchiveLoad => openPacked<ArchiveLoad>('metadata', key, value)
export function openQuality(key: Key, value: Uint8Array): DayQuality & Pick<PartitionKey, 'venue' | 'market'> {
  const [, venue, market, date] = key as [string, Venue, string, string]
  return { venue, market, date, hours: openPacked<PackedHour[]>('metadata', key, value).map(unpacked) }
}

/** Reads them all. Throws DataError('block_corrupt'). */
export function assertProvenance({ metadata }: Databases): void {
  for (const kind of ['load', 'quality'] as const) {
    for (const { key, value } of metadata.getRange({ start: [kind, ''], end: [kind, KEY_END] })) {
      if (kind === 'load') openLoad(key, value)
      else openQuality(key, value)
    }
  }
}

const hoursAt = (databases: Databases, key: Key): SourceHour[] =>
  (getPacked<PackedHour[]>(databases, 'metadata', key) ?? []).map(unpacked)

function putHours(databases: Databases, key: Key, hours: SourceHour[]): void {
  if (hours.length === 0) databases.metadata.removeSync(key)
  else putPacked(databases, 'metadata', key, hours.map(packed))
}

const packed = ({ source, hour, ...counts }: SourceHour): PackedHour => [
  source,
  hour,
  ...QUALITY_COUNTS.map((count) => counts[count]),
]

const unpacked = ([source, hour, ...counts]: PackedHour): SourceHour => {
  const named = Object.fromEntries(QUALITY_COUNTS.map((count, i) => [count, counts[i]!]))
  return { source, hour, ...named } as SourceHour
}
