// A stored partition and its change, as the planner sees them.

import type { PartId, PartitionBooks } from '../../storage/block-store.ts'
import type { PartitionChange as StoredChange } from '../../storage/catalogue.ts'
import type { PartitionHead } from '../../storage/format/partition-head.ts'
import type { SpilledBytes } from '../block/spill-file.ts'

/** A part to store. The content of a captured block may still be in a temporary file. */
export type PlannedPart = PartId & { content: Uint8Array | SpilledBytes }
export type PartitionChange = Omit<StoredChange, 'put'> & { put: PlannedPart[] }

/** A stored partition whose parts can be read without waiting. */
export type StoredPartition = { head: PartitionHead; books: PartitionBooks; bytes(part: PartId): Uint8Array }
