// A cluster on a real PostgreSQL and a real object store, if CI has started them. Each cluster has its own database,
// and its own prefix for the names of objects.

import { join } from 'node:path'
import { clusterVariables } from '../../../src/config/cluster-config.ts'
import { S3Objects } from '../../../storage/cluster/objects/s3-objects.ts'
import type { ClusterSettings } from '../../../storage/cluster/settings/cluster-settings.ts'
import { makeEmptyPostgres } from '../accounts.ts'
import { removeAll } from './engine-store.ts'
import { S3_TEST_URL, testObjectSettings } from './s3-server.ts'

export const HAS_ENGINES = S3_TEST_URL !== '' && process.env['POSTGRES_TEST_URL'] !== undefined
export const ENGINES_SKIPPED =
  'skipped, POSTGRES_TEST_URL and S3_TEST_URL are not both set, see .ci/with-postgres and .ci/with-ceph'

/** `variables` are the environment variables that name the cluster. */
export type Engines = AsyncDisposable & { cluster: ClusterSettings; variables: Record<string, string> }

/** `folder` is the data folder of a node. */
export async function makeEngines(folder: string): Promise<Engines> {
  const [database, objects] = await Promise.all([makeEmptyPostgres(), testObjectSettings(S3_TEST_URL)])
  const cluster: ClusterSettings = {
    objects,
    catalogue: { url: database!.url, schema: 'backbook', timeoutMs: 10_000 },
    cacheFolder: join(folder, 'cache'),
    cacheBytesMax: 64 << 20,
  }
  return {
    cluster,
    variables: clusterVariables(cluster),
    async [Symbol.asyncDispose]() {
      await database![Symbol.asyncDispose]()
      await removeAll(new S3Objects(objects))
    },
  }
}
