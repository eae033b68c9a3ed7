// Opens the objects and the database of a cluster, for maintenance commands.

import type { ClusterSettings } from '../../../storage/cluster/settings/cluster-settings.ts'
import type { ClusterParts } from '../../../storage/open-cluster.ts'

/** Opens the parts of a cluster while `run` runs. Loads the S3 and PostgreSQL clients only for a cluster store. */
export async function withCluster<T>(settings: ClusterSettings, run: (parts: ClusterParts) => Promise<T>): Promise<T> {
  const { openClusterParts } = await import('../../../storage/open-cluster.ts')
  const parts = await openClusterParts(settings, { mayWrite: true })
  try {
    return await run(parts)
  } finally {
    await Promise.all([parts.objects.close(), parts.rows.close()])
  }
}
