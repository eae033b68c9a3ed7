// Opens a cluster store: its bucket, its database, and this node's cache.

import { openPieceCache } from './cluster/cache/piece-cache.ts'
import { ChangeNotices } from './cluster/change-notices.ts'
import type { ClusterRows } from './cluster/cluster-rows.ts'
import { type ClusterParts as AllParts, clusterStore } from './cluster/cluster-store.ts'
import { NodeCounters } from './cluster/node-counters.ts'
import type { Objects } from './cluster/objects/objects.ts'
import { S3Objects } from './cluster/objects/s3-objects.ts'
import { openPostgresRows } from './cluster/postgres/postgres-rows.ts'
import type { ClusterSettings } from './cluster/settings/cluster-settings.ts'
import { clusterDamage } from './cluster/upkeep/cluster-damage.ts'
import { clusterStats } from './cluster/upkeep/cluster-stats.ts'
import type { ClusterStats, Maintenance } from './maintenance.ts'
import { SECRET_KEY } from './rows/keys.ts'
import type { Access, OpenStore } from './store.ts'

/** The engines of a cluster, for its maintenance. */
export type ClusterParts = { objects: Objects; rows: ClusterRows }

/** Opens a cluster store. Rejects with DataError('store_unavailable'). Sends nothing to the bucket until the first read
 *  or write. */
export async function openCluster(settings: ClusterSettings, access: Access): Promise<OpenStore> {
  const { mayWrite: _, shared, ...rest } = access
  const notices = shared && new ChangeNotices(shared.notices)
  const counters = new NodeCounters(shared?.counters)
  const { objects, rows } = await openClusterParts(settings, access)
  const cache = openPieceCache(settings.cacheFolder, settings.cacheBytesMax, counters, access.listens)
  return openedCluster({ ...rest, objects, rows, notices, counters, cache })
}

export async function openClusterParts(settings: ClusterSettings, { mayWrite }: Access): Promise<ClusterParts> {
  const rows = await openPostgresRows(settings.catalogue, { mayWrite })
  return { objects: new S3Objects(settings.objects), rows }
}

/** Returns a cluster store on any engines. */
export const openedCluster = (parts: AllParts): OpenStore => ({
  ...clusterStore(parts),
  maintenance: clusterMaintenance(parts),
})

const clusterMaintenance = (parts: AllParts): Maintenance => ({
  engines: [
    { name: 'catalogue', ask: () => parts.rows.get([SECRET_KEY]) },
    { name: 'objects', ask: () => parts.objects.nowMs() },
  ],
  async stats(): Promise<ClusterStats> {
    const { rows, notices, counters } = parts
    const node = counters?.counts() ?? null
    return { kind: 'cluster', ...(await clusterStats(rows)), isNotified: notices?.isNotified ?? null, node }
  },
  // PostgreSQL maintains the index itself.
  indexDamage: async () => [],
  valueDamage: () => clusterDamage(parts),
})
