// Opens the store of a cluster: its bucket, its database, and this node's cache.

import { clusterStore } from './cluster/cluster-store.ts'
import type { ClusterDatabase } from './cluster/database/cluster-database.ts'
import type { Objects } from './cluster/objects/objects.ts'
import { S3Objects } from './cluster/objects/s3-objects.ts'
import { openPostgresDatabase } from './cluster/postgres/postgres-database.ts'
import type { ClusterSettings } from './cluster/settings/cluster-settings.ts'
import { type CheckedParts, clusterDamage } from './cluster/upkeep/cluster-damage.ts'
import type { ClusterFigures, Maintenance } from './maintenance.ts'
import type { Access, KeptStore } from './store.ts'

/** What a cluster's keeper works with. */
export type ClusterParts = { objects: Objects; database: ClusterDatabase }

/** Rejects with DataError('store_unavailable'). The bucket is not asked before somebody needs it. */
export async function openCluster(settings: ClusterSettings, access: Access): Promise<KeptStore> {
  const { isEachCallChecked = false } = access
  return keptCluster({ ...(await openClusterParts(settings, access)), isEachCallChecked })
}

export async function openClusterParts(settings: ClusterSettings, { mayWrite }: Access): Promise<ClusterParts> {
  const opened: unknown = await openPostgresDatabase(settings.catalogue, { mayWrite })
  return { objects: new S3Objects(settings.objects), database: opened as ClusterDatabase }
}

type Parts = ClusterParts & { isEachCallChecked: boolean }

export function keptCluster({ objects, database, isEachCallChecked }: Parts): KeptStore {
  return {
    ...clusterStore({ objects, database, isEachCallChecked }),
    maintenance: new ClusterMaintenance({ objects, database }),
  }
}

class ClusterMaintenance implements Maintenance {
  readonly #parts: CheckedParts

  constructor(parts: CheckedParts) {
    this.#parts = parts
  }

  async figures(): Promise<ClusterFigures> {
    return { kind: 'cluster', ...(await this.#parts.database.figures()) }
  }

  /** The index is PostgreSQL's. */
  async indexDamage(): Promise<string[]> {
    return []
  }

  valueDamage(): Promise<string[]> {
    return clusterDamage(this.#parts)
  }
}
