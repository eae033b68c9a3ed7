// A store in memory, for tests: the second implementation of the storage port.

import type { Store } from '../../../storage/store.ts'
import { MemoryBlockStore } from './memory-block-store.ts'
import { MemoryCatalogue } from './memory-catalogue.ts'
import { emptyState, type MemoryState } from './memory-state.ts'
import { type StoreFaults, withFaults } from './store-faults.ts'

/** The same number as for a store in a folder. */
const PARTITIONS_AT_ONCE = 250

/** Makes a store that holds `state`; empty by default. */
export function memoryStore(faults: StoreFaults = {}, state: MemoryState = emptyState()): Store {
  return {
    ...withFaults({ catalogue: new MemoryCatalogue(state), blocks: new MemoryBlockStore(state) }, faults),
    partitionsAtOnce: PARTITIONS_AT_ONCE,
    refresh: () => undefined,
    flushed: async () => undefined,
    close: async () => undefined,
  }
}
