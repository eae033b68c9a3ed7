// Partitions in memory. Applies changes like a store, without a store.

import type { PartId } from '../../storage/block-store.ts'
import { readSpilled } from '../../workers/block/spill-file.ts'
import type { CollectedPartition } from '../../workers/partition/collected-partition.ts'
import type { PartitionChange, PlannedPart, StoredPartition } from '../../workers/partition/partition-types.ts'
import { planPartition } from '../../workers/partition/plan-partition.ts'

const contentOf = ({ content }: PlannedPart) => (content instanceof Uint8Array ? content : readSpilled(content))
const nameOf = ({ kind, id, book }: PartId): string => `${kind} ${id} ${book}`

export class MemoryPartition {
  #stored: StoredPartition | undefined
  readonly parts = new Map<string, Uint8Array>()

  get stored(): StoredPartition | undefined {
    return this.#stored
  }

  /** Adds a capture. Returns false if it holds nothing new. */
  add(collected: CollectedPartition, closingBefore: Uint8Array | null = null): boolean {
    const change = planPartition(this.#stored, collected, () => closingBefore)
    if (change !== undefined) this.apply(change)
    return change !== undefined
  }

  apply({ head, books, put, removed }: PartitionChange): void {
    for (const part of put) {
      if (this.parts.has(nameOf(part))) throw new Error(`${nameOf(part)} is stored twice`)
      this.parts.set(nameOf(part), contentOf(part))
    }
    for (const part of removed) {
      if (!this.parts.delete(nameOf(part))) throw new Error(`${nameOf(part)} is removed and was not stored`)
    }
    const bytes = (part: PartId) => {
      const found = this.parts.get(nameOf(part))
      if (found === undefined) throw new Error(`${nameOf(part)} is not stored`)
      return found
    }
    this.#stored = { head: structuredClone(head!), books: books ?? this.#stored!.books, bytes }
  }
}
