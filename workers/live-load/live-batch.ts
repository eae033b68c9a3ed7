// A batch holds the records, metadata and audits that are stored together. If storing fails, the rest waits for
// another try.

import { closeSync } from 'node:fs'
import { DataError } from '../../storage/failures.ts'
import type { Store } from '../../storage/open-store.ts'
import { addCounts } from '../capture/add-counts.ts'
import { documentsIn } from '../capture/metadata-documents.ts'
import type { Committed } from '../dates/commit-partitions.ts'
import { commitPart } from '../load/commit-part.ts'
import { storeAudits } from '../load/store-audits.ts'
import { storeMetadata } from '../load/store-metadata.ts'
import type { CollectedPartition } from '../partition/collected-partition.ts'
import type { JsonObject } from '../venues/described-message.ts'
import type { LineCounts, LiveCollection } from './live-segment.ts'

export class LiveBatch<Owner> {
  readonly counts: LineCounts = { messages: 0, gaps: 0, rejected: 0, skipped: {} }
  readonly committed: Committed = { recordsAdded: 0, changed: new Set() }
  /** Number of audits stored. */
  audits = 0
  firstReceivedMs = Number.POSITIVE_INFINITY
  #partitions: { partition: CollectedPartition; owner: Owner }[] = []
  #metadata: Uint8Array[] = []
  #audits: JsonObject[] = []
  readonly #owners = new Map<string, Set<Owner>>()
  readonly #files: number[] = []

  get partitionCount(): number {
    return this.#partitions.length
  }

  add(owner: Owner, { partitions, file, metadata, audits, counts, firstReceivedMs }: LiveCollection): void {
    for (const partition of partitions) {
      this.#partitions.push({ partition, owner })
      const name = nameOf(partition.key)
      const owners = this.#owners.get(name)
      if (owners === undefined) this.#owners.set(name, new Set([owner]))
      else owners.add(owner)
    }
    if (file !== undefined) this.#files.push(file)
    this.#metadata.push(...metadata)
    this.#audits.push(...audits)
    this.counts.messages += counts.messages
    this.counts.gaps += counts.gaps
    this.counts.rejected += counts.rejected
    addCounts(this.counts.skipped, counts.skipped)
    this.firstReceivedMs = Math.min(this.firstReceivedMs, firstReceivedMs)
  }

  /** Stores everything that is not stored yet. `onLeft` receives the owners of records that are skipped, because
   *  their market is damaged in the store. Throws DataError; the caller may then try again. */
  async store(store: Store, nowMs: number, onLeft: (owner: Owner, message: string) => void): Promise<void> {
    try {
      await commitPart(store, this.#waiting(), this.committed)
    } catch (error) {
      if (!isDamage(error)) throw error
      await this.#storeOneByOne(store, onLeft)
    }
    for (let batch = this.#metadata[0]; batch !== undefined; batch = this.#metadata[0]) {
      await storeMetadata(store.catalogue, documentsIn(batch), nowMs)
      this.#metadata.shift()
    }
    this.audits += await storeAudits(store.catalogue, this.#audits)
    this.#audits = []
    for (const file of this.#files.splice(0)) closeSync(file)
  }

  /** Calls `visit` with each partition and its owner. */
  visitOwners(visit: (owner: Owner, partition: CollectedPartition) => void): void {
    for (const { partition, owner } of this.#partitions) visit(owner, partition)
  }

  // Returns the partitions that are not committed yet. A commit releases the blocks of a partition.
  #waiting = (): CollectedPartition[] => this.#partitions.map(({ partition }) => partition).filter(hasBlocks)

  async #storeOneByOne(store: Store, onLeft: (owner: Owner, message: string) => void): Promise<void> {
    const markets = Map.groupBy(this.#waiting(), ({ key }) => nameOf(key))
    for (const [name, partitions] of markets) {
      try {
        await commitPart(store, partitions, this.committed)
      } catch (error) {
        if (!isDamage(error)) throw error
        for (const owner of this.#owners.get(name)!) onLeft(owner, error.message)
        for (const { blocks } of partitions) blocks.length = 0
      }
    }
  }
}

const hasBlocks = ({ blocks }: CollectedPartition): boolean => blocks.length > 0

const nameOf = ({ venue, market }: { venue: string; market: string }): string => `${venue} ${market}`

/** Returns whether an error means that a stored market is damaged. Only work on that market fails then. */
export const isDamage = (error: unknown): error is DataError =>
  error instanceof DataError && error.code === 'block_corrupt'
