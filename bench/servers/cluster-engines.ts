// Opens stores on the cluster engines that the environment names; .ci/with-ceph and .ci/with-postgres start these
// engines. Each store has a schema and a prefix of its own.

import { SQL } from 'bun'
import { openPieceCache } from '../../storage/cluster/cache/piece-cache.ts'
import type { ChangeNotices } from '../../storage/cluster/change-notices.ts'
import type { ClusterRows } from '../../storage/cluster/cluster-rows.ts'
import { clusterStore } from '../../storage/cluster/cluster-store.ts'
import type { Objects } from '../../storage/cluster/objects/objects.ts'
import { S3Objects } from '../../storage/cluster/objects/s3-objects.ts'
import { signedHeaders } from '../../storage/cluster/objects/s3-signature.ts'
import { openPostgresRows } from '../../storage/cluster/postgres/postgres-rows.ts'
import type { ObjectSettings } from '../../storage/cluster/settings/cluster-settings.ts'
import type { Store } from '../../storage/store.ts'
import { MemoryClusterRows } from '../../test/support/cluster/memory-cluster-rows.ts'
import { MemoryObjects } from '../../test/support/cluster/memory-objects.ts'
import { countingObjects, type Requests } from '../measure/counting-objects.ts'

export const NO_ENGINES =
  'objects and rows are in memory, since S3_TEST_URL and POSTGRES_TEST_URL are not set ' +
  '(.ci/with-ceph .ci/with-postgres bun run bench cluster)'
/** Engines in memory, used if the environment names no engines, for example in the test suite. */
export const DOUBLES = { stored: new Map(), rows: new MemoryClusterRows() }
const BUCKET = 'backbook-bench'
const CACHE_BYTES = 1 << 30
const TIMEOUT_MS = 30_000

export type BenchCluster = typeof DOUBLES | Engines
export type Engines = { schema: string; objects: ObjectSettings; url: string }
export type OpenCluster = Store & {
  counted: () => Requests
  parts: { objects: Objects; rows: ClusterRows }
}

export async function newCluster(): Promise<BenchCluster> {
  const { S3_TEST_URL: s3, POSTGRES_TEST_URL: url } = process.env
  if (!s3 || !url) return DOUBLES
  const schema = `bench_${crypto.randomUUID().replaceAll('-', '')}`
  const { origin, username, password } = new URL(s3)
  const objects: ObjectSettings = {
    ...{ bucket: BUCKET, prefix: schema, endpoint: origin, region: 'us-east-1' },
    ...{ accessKeyId: username, secretAccessKey: password, sessionToken: null, timeoutMs: TIMEOUT_MS },
  }
  const bucketUrl = new URL(`${origin}/${BUCKET}`)
  const headers = signedHeaders({ method: 'PUT', url: bucketUrl, headers: {} }, objects, Date.now())
  await fetch(bucketUrl, { method: 'PUT', headers })
  return { schema, objects, url }
}

/** Returns the environment variables of a server on the cluster. */
export const variablesOf = ({ schema, objects, url }: Engines): Record<string, string> => ({
  STORE_URL: `s3://${objects.bucket}/${objects.prefix}`,
  CATALOGUE_URL: url,
  CATALOGUE_SCHEMA: schema,
  AWS_ENDPOINT_URL: objects.endpoint!,
  AWS_REGION: objects.region,
  AWS_ACCESS_KEY_ID: objects.accessKeyId,
  AWS_SECRET_ACCESS_KEY: objects.secretAccessKey,
  DRAIN_SECONDS: '0',
})

/** Opens the store. `cacheFolder` holds the node's cache. */
export async function openCluster(
  place: BenchCluster,
  { cacheFolder, listens = false, notices }: { cacheFolder: string; listens?: boolean; notices?: ChangeNotices },
): Promise<OpenCluster> {
  const opened =
    'rows' in place ? { objects: new MemoryObjects(place.stored), rows: place.rows } : await openEngines(place)
  const { objects, counters, counted } = countingObjects(opened.objects)
  const { rows } = opened
  const cache = openPieceCache(cacheFolder, CACHE_BYTES)
  return { ...clusterStore({ objects, rows, cache, counters, listens, notices }), counted, parts: { objects, rows } }
}

async function openEngines({ schema, objects, url }: Engines): Promise<{ objects: Objects; rows: ClusterRows }> {
  const rows = await openPostgresRows({ url, schema, timeoutMs: TIMEOUT_MS }, { mayWrite: true })
  return { objects: new S3Objects(objects), rows }
}

export async function removeCluster(place: BenchCluster): Promise<void> {
  if ('rows' in place) return
  const { schema, objects: settings, url } = place
  const sql = new SQL(url, { max: 1 })
  await sql`DROP SCHEMA IF EXISTS ${sql(schema)} CASCADE`
  await sql.close()
  const objects = new S3Objects(settings)
  const keys: string[] = []
  for await (const { key } of objects.list('')) keys.push(key)
  await objects.remove(keys)
  await objects.close()
}
