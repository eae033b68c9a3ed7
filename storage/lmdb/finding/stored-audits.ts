// Stores audits.
//
//   metadata: 'audit', venue, market, date → times, books, results

import { AUDIT_RESULTS, type Audit, type MarketAudits, mergedAudits } from '../../finding/audits.ts'
import type { PartitionKey } from '../../partition-key.ts'
import type { Venue } from '../../venue.ts'
import { type Databases, KEY_END, type Key } from '../values/databases.ts'
import { getPacked, openPacked, putPacked } from './packed-values.ts'

/** Audits as columns. A result is its index in AUDIT_RESULTS. */
type Packed = [timesUs: number[], books: (string | null)[], results: number[]]

const auditKey = ({ venue, market, date }: PartitionKey): Key => ['audit', venue, market, date]

export function putAudits(databases: Databases, { audits, ...key }: MarketAudits): void {
  const packed = getPacked<Packed>(databases, 'metadata', auditKey(key))
  const stored = packed === undefined ? [] : unpacked(packed)
  const merged = mergedAudits(stored, audits)
  if (merged !== stored) putPacked(databases, 'metadata', auditKey(key), packedOf(merged))
}

export const removeAudits = ({ metadata }: Databases, key: PartitionKey): void =>
  void metadata.removeSync(auditKey(key))

/** Returns the audits of every date, ascending. Throws DataError('block_corrupt'). */
export function auditsOf({ metadata }: Databases, venue: Venue, market: string): MarketAudits[] {
  const range = { start: ['audit', venue, market, ''], end: ['audit', venue, market, KEY_END] }
  return [...metadata.getRange(range)].map(({ key, value }) => openAudits(key, value))
}

/** Decodes a stored entry. */
export function openAudits(key: Key, value: Uint8Array): MarketAudits {
  const [, venue, market, date] = key as [string, Venue, string, string]
  return { venue, market, date, audits: unpacked(openPacked<Packed>('metadata', key, value)) }
}

/** Reads all audits. Throws DataError('block_corrupt'). */
export function assertAudits({ metadata }: Databases): void {
  for (const { key, value } of metadata.getRange({ start: ['audit', ''], end: ['audit', KEY_END] })) {
    openAudits(key, value)
  }
}

const packedOf = (audits: Audit[]): Packed => [
  audits.map(({ atUs }) => atUs),
  audits.map(({ book }) => book),
  audits.map(({ result }) => AUDIT_RESULTS.indexOf(result)),
]

const unpacked = ([timesUs, books, results]: Packed): Audit[] =>
  timesUs.map((atUs, i) => ({ atUs, book: books[i]!, result: AUDIT_RESULTS[results[i]!]! }))
