// Opens a cluster store: its bucket, its database, and this node's cache.

import { openPieceCache } from './cluster/cache/piece-cache.ts'
import { ChangeNotices } from './cluster/change-notices.ts'
import { type ClusterParts as AllParts, clusterStore } from './cluster/cluster-store.ts'
import { withCountedReads } from './cluster/counted-reads.ts'
import type { ClusterDatabase } from './cluster/database/cluster-database.ts'
import { NodeCounters } from './cluster/node-counters.ts'
import type { Objects } from './cluster/objects/objects.ts'
import { S3Objects } from './cluster/objects/s3-objects.ts'
import { openPostgresDatabase } from './cluster/postgres/postgres-database.ts'
import type { ClusterSettings } from './cluster/settings/cluster-settings.ts'
import { type CheckedParts, clusterDamage } from './cluster/upkeep/cluster-damage.ts'
import type { ClusterStats, Engine, Maintenance } from './maintenance.ts'
import type { Access, OpenStore } from './store.ts'

/** The engines of a cluster, for its maintenance. */
export type ClusterParts = { objects: Objects; database: ClusterDatabase }

/** Opens a cluster store. Rejects with DataError('store_unavailable'). Sends nothing to the bucket until the first read
 *  or write. */
export async function openCluster(settings: ClusterSettings, access: Access): Promise<OpenStore> {
  const { mayWrite: _, shared, ...rest } = access
  const notices = shared && new ChangeNotices(shared.notices)
  const counters = new NodeCounters(shared?.counters)
  const { objects, database } = await openClusterParts(settings, access)
  const cache = openPieceCache(settings.cacheFolder, settings.cacheBytesMax, counters)
  return openedCluster({ ...rest, objects: withCountedReads(objects, counters), database, notices, counters, cache })
}

export async function openClusterParts(settings: ClusterSettings, { mayWrite }: Access): Promise<ClusterParts> {
  const database = await openPostgresDatabase(settings.catalogue, { mayWrite })
  return { objects: new S3Objects(settings.objects), database }
}

/** Returns a cluster store on any engines. */
export const openedCluster = (parts: AllParts & { counters?: NodeCounters }): OpenStore => ({
  ...clusterStore(parts),
  maintenance: new ClusterMaintenance(parts),
})

type MaintainedParts = CheckedParts & { notices?: ChangeNotices | undefined; counters?: NodeCounters }

class ClusterMaintenance implements Maintenance {
  readonly engines: readonly Engine[]
  readonly #parts: MaintainedParts

  constructor(parts: MaintainedParts) {
    this.#parts = parts
    this.engines = [
      { name: 'catalogue', ask: () => parts.database.marketsStamp() },
      { name: 'objects', ask: () => parts.objects.nowMs() },
    ]
  }

  async figures(): Promise<ClusterStats> {
    const { database, notices, counters } = this.#parts
    const [stored, upkeep] = await Promise.all([database.figures(), database.upkeep()])
    const node = counters?.counts() ?? null
    return { kind: 'cluster', ...stored, ...upkeep, isNotified: notices?.isNotified ?? null, node }
  }

  /** Returns nothing: PostgreSQL keeps the index. */
  async indexDamage(): Promise<string[]> {
    return []
  }

  valueDamage(): Promise<string[]> {
    return clusterDamage(this.#parts)
  }
}
