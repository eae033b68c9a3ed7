// The database of a cluster in memory, for tests: the double of PostgreSQL.

import type { ClusterRows, Listener, NamedMarket } from '../../../storage/cluster/cluster-rows.ts'
import { isEntryKey, namesOf, SECRET_KEY } from '../../../storage/rows/keys.ts'
import type { RowCommit, Rows } from '../../../storage/rows/rows.ts'
import { storeRow } from '../../../storage/rows/store-values.ts'
import type { Venue } from '../../../storage/venue.ts'
import { MemoryRows } from '../rows/memory-rows.ts'

export class MemoryClusterRows extends MemoryRows implements ClusterRows {
  readonly #listeners = new Set<Listener>()

  /** Creates rows with a secret for cursors, like the first opening of a store. */
  constructor() {
    super()
    void super.commit({ expect: [], put: [storeRow(SECRET_KEY, new Uint8Array(32))], remove: [] })
  }

  override async commit(commit: RowCommit): Promise<number[]> {
    const changed = await super.commit(commit)
    const markets = commit.expect.flatMap(({ key }): NamedMarket[] => {
      if (!isEntryKey(key)) return []
      const [venue, market] = namesOf(key) as [Venue, string]
      return [{ venue, market }]
    })
    if (changed.length === 0) for (const listener of this.#listeners) listener.changed(markets)
    return changed
  }

  async listen(listener: Listener): Promise<() => Promise<void>> {
    this.#listeners.add(listener)
    listener.watching()
    return async () => void this.#listeners.delete(listener)
  }

  snapshot<T>(work: (rows: Rows) => Promise<T>): Promise<T> {
    return work(this)
  }

  async close(): Promise<void> {}
}
