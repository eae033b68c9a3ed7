// Provenance in memory.

import {
  type ArchiveLoad,
  inOrder,
  loadName,
  type Provenance,
  type SourceOrder,
} from '../../../storage/finding/provenance.ts'
import type { MemoryState } from './memory-state.ts'

export class MemoryProvenance implements Provenance {
  readonly #state: MemoryState

  constructor(state: MemoryState) {
    this.#state = state
  }

  async putLoads(loads: ArchiveLoad[]): Promise<void> {
    if (loads.length === 0) return
    const named = loads.map((load): [string, ArchiveLoad] => [`${load.source} ${loadName(load)}`, load])
    this.#state.provenanceStamp++
    for (const [name, load] of named) this.#state.loads.set(name, structuredClone(load))
  }

  async provenanceStamp(): Promise<number> {
    return this.#state.provenanceStamp
  }

  async loads(): Promise<ArchiveLoad[]> {
    return inOrder(structuredClone([...this.#state.loads.values()]))
  }

  async removeLoads(source: string): Promise<number> {
    this.#state.provenanceStamp++
    const loads = [...this.#state.loads].filter(([, load]) => load.source === source)
    for (const [name] of loads) this.#state.loads.delete(name)
    return loads.length
  }

  async sourceOrder(): Promise<SourceOrder> {
    return structuredClone(this.#state.sourceOrder)
  }

  async putSourceOrder(order: SourceOrder): Promise<void> {
    this.#state.sourceOrder = structuredClone(order)
  }
}
