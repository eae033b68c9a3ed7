// What a store in memory holds.

import type { PartId, PartitionBooks } from '../block-store.ts'
import type { SlugAnswer } from '../catalogue.ts'
import type { Venue } from '../venue.ts'

/** Heads are kept as bytes: nobody changes what was given out. */
export type MemoryDay = { head: Uint8Array; books: PartitionBooks; parts: Map<string, Uint8Array> }
export type MemoryMarket = { revision: number; base: number; days: Map<string, MemoryDay> }

export type MemoryState = {
  /** By venue and market; those that lost all their days as well. */
  markets: Map<string, MemoryMarket>
  slugs: Map<string, SlugAnswer>
  lastRecordMs: Map<Venue, number>
  marketsRevision: number
}

export const nameOf = (venue: Venue, market: string): string => `${venue} ${market}`
export const idOf = ({ kind, id, book }: PartId): string => `${kind} ${id} ${book}`
