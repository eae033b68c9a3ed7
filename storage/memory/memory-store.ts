// A store in memory: the second implementation of the storage port, for tests. What it holds is gone with it.

import type { Store } from '../open-store.ts'
import { MemoryBlockStore } from './memory-block-store.ts'
import { MemoryCatalogue } from './memory-catalogue.ts'
import { emptyState } from './memory-state.ts'
import { type StoreFaults, withFaults } from './store-faults.ts'

export function memoryStore(faults: StoreFaults = {}): Store {
  const state = emptyState()
  return {
    ...withFaults({ catalogue: new MemoryCatalogue(state), blocks: new MemoryBlockStore(state) }, faults),
    refresh: () => undefined,
    flushed: async () => undefined,
    close: async () => undefined,
  }
}
