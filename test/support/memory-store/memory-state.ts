// The content of a store in memory.

import type { PartId, PartitionBooks } from '../../../storage/block-store.ts'
import type { SlugAnswer } from '../../../storage/catalogue.ts'
import type { Audit } from '../../../storage/finding/audits.ts'
import type { EventCard, MarketCard, StoredDescription } from '../../../storage/finding/metadata.ts'
import { type ArchiveLoad, NO_ORDER, type SourceOrder } from '../../../storage/finding/provenance.ts'
import type { PartitionHead } from '../../../storage/format/partition-head.ts'
import { decodeHead } from '../../../storage/format/partition-head-codec.ts'
import type { MarketEntry } from '../../../storage/market-entry.ts'
import type { Venue } from '../../../storage/venue.ts'

/** Heads are stored as bytes, so that no caller can change them. */
export type MemoryDay = { head: Uint8Array; books: PartitionBooks; parts: Map<string, Uint8Array> }
export type MemoryMarket = { revision: number; base: number; days: Map<string, MemoryDay> }

export type MemoryState = {
  /** By venue and market. Includes markets that have lost all their days. */
  markets: Map<string, MemoryMarket>
  slugs: Map<string, SlugAnswer>
  lastRecordMs: Map<Venue, number>
  marketsRevision: number
  /** By venue and id. */
  marketMetadata: Map<string, StoredDescription<MarketCard>>
  eventMetadata: Map<string, StoredDescription<EventCard>>
  /** By venue and market, then by date. */
  audits: Map<string, Map<string, Audit[]>>
  /** By source and name. */
  loads: Map<string, ArchiveLoad>
  provenanceStamp: number
  sourceOrder: SourceOrder
  /** Markets with stored records or metadata, in the order in which they were added. */
  known: Set<string>
}

export const emptyState = (): MemoryState => ({
  markets: new Map(),
  slugs: new Map(),
  lastRecordMs: new Map(),
  marketsRevision: 0,
  marketMetadata: new Map(),
  eventMetadata: new Map(),
  audits: new Map(),
  loads: new Map(),
  provenanceStamp: 0,
  sourceOrder: NO_ORDER,
  known: new Set(),
})

export const nameOf = (venue: Venue, market: string): string => `${venue} ${market}`
export const idOf = ({ kind, id, book }: PartId): string => `${kind} ${id} ${book}`

/** Returns the stored dates of a market, ascending. */
export const datesOf = (stored: MemoryMarket | undefined): string[] => [...(stored?.days.keys() ?? [])].sort()

export function headOf(stored: MemoryMarket | undefined, date: string): PartitionHead | undefined {
  const bytes = stored?.days.get(date)?.head
  return bytes === undefined ? undefined : decodeHead(bytes)
}

/** Returns the entry of a market; undefined if none of its days is stored. */
export function entryOf(stored: MemoryMarket | undefined): MarketEntry | undefined {
  const dates = datesOf(stored)
  if (stored === undefined || dates.length === 0) return undefined
  const recordCount = dates.reduce((sum, date) => sum + headOf(stored, date)!.recordCount, 0)
  const { revision } = stored
  return { firstDate: dates[0]!, lastDate: dates.at(-1)!, dateCount: dates.length, recordCount, revision }
}
