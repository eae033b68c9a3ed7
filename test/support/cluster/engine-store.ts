// A store on real engines that a test opens like one in a folder. It has its own schema and prefix, which are removed
// when it is closed. The first request creates them, so the test gets its store at once.

import { join } from 'node:path'
import { SQL } from 'bun'
import { openPieceCache } from '../../../storage/cluster/cache/piece-cache.ts'
import type { ClusterRows } from '../../../storage/cluster/cluster-rows.ts'
import { S3Objects } from '../../../storage/cluster/objects/s3-objects.ts'
import { openPostgresRows } from '../../../storage/cluster/postgres/postgres-rows.ts'
import type { ClusterSettings } from '../../../storage/cluster/settings/cluster-settings.ts'
import { openedCluster } from '../../../storage/open-cluster.ts'
import type { OpenStore, StorePlace } from '../../../storage/open-store.ts'
import { S3_TEST_URL, settingsBelow, testObjectSettings } from './s3-server.ts'

const POSTGRES_TEST_URL = process.env['POSTGRES_TEST_URL'] ?? ''
const CACHE_BYTES_MAX = 16 << 20
const TIMEOUT_MS = 20_000

/** `place` is where other processes find the store, after the first request. */
export type EngineStore = OpenStore & { place: StorePlace }

/** `folder` is the data folder of the node. */
export function engineStore(folder: string): EngineStore {
  const schema = `test_${crypto.randomUUID().replaceAll('-', '')}`
  const cluster: ClusterSettings = {
    objects: settingsBelow(S3_TEST_URL, schema),
    catalogue: { url: POSTGRES_TEST_URL, schema, timeoutMs: TIMEOUT_MS },
    cacheFolder: join(folder, 'cache'),
    cacheBytesMax: CACHE_BYTES_MAX,
  }
  const objects = new S3Objects(cluster.objects)
  const { rows, isOpen } = openedLater(async () => {
    await testObjectSettings(S3_TEST_URL, schema)
    return openPostgresRows(cluster.catalogue, { mayWrite: true })
  })
  const cache = openPieceCache(cluster.cacheFolder, cluster.cacheBytesMax)
  const store = openedCluster({ objects, rows, cache })
  return {
    ...store,
    place: { folder, cluster },
    async close() {
      if (isOpen()) {
        await removeAll(objects)
        await dropSchema(schema)
      }
      await store.close()
    },
  }
}

/** Returns rows that the first request opens. */
function openedLater(open: () => Promise<ClusterRows>): { rows: ClusterRows; isOpen(): boolean } {
  let opening: Promise<ClusterRows> | undefined
  const later = (_: object, name: PropertyKey) => {
    if (name === 'close') return async () => (await opening)?.close()
    if (name === 'refresh') return () => undefined
    return async (...given: unknown[]) => {
      opening ??= open()
      const rows = (await opening) as never as Record<PropertyKey, (...given: unknown[]) => unknown>
      return rows[name]!(...given)
    }
  }
  return { rows: new Proxy<never>({} as never, { get: later }), isOpen: () => opening !== undefined }
}

export async function removeAll(objects: S3Objects): Promise<void> {
  const keys: string[] = []
  for await (const { key } of objects.list('')) keys.push(key)
  await objects.remove(keys)
}

async function dropSchema(schema: string): Promise<void> {
  const sql = new SQL(POSTGRES_TEST_URL, { max: 1 })
  await sql.unsafe(`DROP SCHEMA IF EXISTS ${schema} CASCADE`)
  await sql.close()
}
