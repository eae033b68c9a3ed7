// Stores provenance on LMDB.

import {
  type ArchiveLoad,
  inOrder,
  loadName,
  NO_ORDER,
  type Provenance,
  type SourceOrder,
} from '../finding/provenance.ts'
import { inTransaction } from './commit.ts'
import { openLoad, putLoad } from './finding/stored-provenance.ts'
import { type Databases, KEY_END } from './values/databases.ts'
import { getMeta, putMeta } from './values/stored-values.ts'

const STAMP = 'provenance'

export class LmdbProvenance implements Provenance {
  readonly #databases: Databases
  readonly #folder: string

  /** `folder` is the data folder, for error messages. */
  constructor(databases: Databases, folder: string) {
    this.#databases = databases
    this.#folder = folder
  }

  async putLoads(loads: ArchiveLoad[]): Promise<void> {
    if (loads.length === 0) return
    const named = loads.map((load) => [loadName(load), load] as const)
    this.#change(() => {
      for (const [name, load] of named) putLoad(this.#databases, name, load)
    })
  }

  async provenanceStamp(): Promise<number> {
    return getMeta<number>(this.#databases, STAMP) ?? 0
  }

  async loads(): Promise<ArchiveLoad[]> {
    const entries = this.#databases.metadata.getRange({ start: ['load', ''], end: ['load', KEY_END] })
    return inOrder([...entries].map(({ key, value }) => openLoad(key, value)))
  }

  async removeLoads(source: string): Promise<number> {
    const { metadata } = this.#databases
    const loads = [...metadata.getKeys({ start: ['load', source, ''], end: ['load', source, KEY_END] })]
    this.#change(() => {
      for (const key of loads) metadata.removeSync(key)
    })
    return loads.length
  }

  async sourceOrder(): Promise<SourceOrder> {
    return getMeta<SourceOrder>(this.#databases, 'source_order') ?? NO_ORDER
  }

  async putSourceOrder(order: SourceOrder): Promise<void> {
    inTransaction(this.#databases.root, this.#folder, () => putMeta(this.#databases, 'source_order', order))
  }

  #change(work: () => void): void {
    inTransaction(this.#databases.root, this.#folder, () => {
      work()
      putMeta(this.#databases, STAMP, (getMeta<number>(this.#databases, STAMP) ?? 0) + 1)
    })
  }
}
