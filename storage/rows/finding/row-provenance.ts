// Stores provenance in rows.

import {
  type ArchiveLoad,
  inOrder,
  loadName,
  NO_ORDER,
  type Provenance,
  type SourceOrder,
} from '../../finding/provenance.ts'
import { below, keyOf, SECRET_KEY } from '../keys.ts'
import { ALL_ROWS, commitPlanned, type RowKey, type Rows } from '../rows.ts'
import { openPacked, sealPacked } from '../sealed-rows.ts'
import type { Write } from '../shared-rows.ts'
import { beginCounted, openStoreValue, PROVENANCE_KEY, storeRow } from '../store-values.ts'

const ORDER = keyOf('z', 'source_order')

/** Throws DataError('block_corrupt'). */
export const openLoad = (key: RowKey, bytes: Uint8Array): ArchiveLoad =>
  openPacked(key, bytes, ([source]) => `entry of a file of ${source}`)

export class RowProvenance implements Provenance {
  protected readonly rows: Rows

  constructor(rows: Rows) {
    this.rows = rows
  }

  async putLoads(loads: ArchiveLoad[]): Promise<void> {
    if (loads.length === 0) return
    const put = new Map(loads.map((load) => [keyOf('l', load.source, loadName(load)), load]))
    await this.#change(async (write) => {
      for (const [key, load] of put) write.put.push({ key, value: sealPacked(key, load) })
    })
  }

  async provenanceStamp(): Promise<number> {
    return (await this.storeValue<number>(PROVENANCE_KEY)) ?? 0
  }

  async loads(): Promise<ArchiveLoad[]> {
    const rows = await this.rows.range({ ...below('l'), limit: ALL_ROWS })
    return inOrder(rows.map(({ key, value }) => openLoad(key, value)))
  }

  async removeLoads(source: string): Promise<number> {
    let count = 0
    await this.#change(async (write) => {
      const keys = await this.rows.keys({ ...below(keyOf('l', source)), limit: ALL_ROWS })
      count = keys.length
      write.remove.push(...keys)
    })
    return count
  }

  async sourceOrder(): Promise<SourceOrder> {
    return (await this.storeValue<SourceOrder>(ORDER)) ?? NO_ORDER
  }

  async putSourceOrder(order: SourceOrder): Promise<void> {
    await this.rows.commit({ expect: [], put: [storeRow(ORDER, order)], remove: [] })
  }

  protected async storedSecret(): Promise<Uint8Array | undefined> {
    return this.storeValue<Uint8Array>(SECRET_KEY)
  }

  protected async storeValue<T>(key: RowKey): Promise<T | undefined> {
    const [bytes] = await this.rows.get([key])
    return bytes && openStoreValue<T>(key, bytes)
  }

  #change(work: (write: Write) => Promise<void>): Promise<void> {
    return commitPlanned(this.rows, async (isFresh) => {
      const write = await beginCounted(this.rows, PROVENANCE_KEY, isFresh)
      await work(write)
      return write
    })
  }
}
