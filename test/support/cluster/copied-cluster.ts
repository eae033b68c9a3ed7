// A cluster on real engines with a made-up day of both venues and a key, and places to restore backups of it into.

import { join } from 'node:path'
import { SQL } from 'bun'
import { openAccounts } from '../../../src/accounts/open-accounts.ts'
import type { ObjectCheck } from '../../../src/backup/cluster/make-cluster-backup.ts'
import { makeClusterBackup } from '../../../src/backup/cluster/make-cluster-backup.ts'
import { restoreClusterBackup } from '../../../src/backup/cluster/restore-cluster-backup.ts'
import { S3Objects } from '../../../storage/cluster/objects/s3-objects.ts'
import type { ClusterSettings } from '../../../storage/cluster/settings/cluster-settings.ts'
import { openStoreAt } from '../../../storage/open-store.ts'
import { loadCapture } from '../../../workers/load/load-capture.ts'
import { makeEmptyPostgres } from '../accounts.ts'
import { DEMO } from '../demo.ts'
import { temporaryFolder } from '../server.ts'
import { type Engines, makeEngines } from './engines.ts'

const QUIET = () => undefined

export class CopiedCluster implements AsyncDisposable {
  readonly folder: ReturnType<typeof temporaryFolder>
  readonly objects: S3Objects
  readonly engines: Engines
  secret = ''

  static async open(): Promise<CopiedCluster> {
    const folder = temporaryFolder()
    return new CopiedCluster(folder, await makeEngines(folder.path))
  }

  constructor(folder: ReturnType<typeof temporaryFolder>, engines: Engines) {
    this.folder = folder
    this.engines = engines
    this.objects = new S3Objects(engines.cluster.objects)
  }

  get url(): string {
    return this.engines.cluster.catalogue.url
  }

  path(name: string): string {
    return join(this.folder.path, name)
  }

  async load(): Promise<void> {
    const { cluster } = this.engines
    const store = await openStoreAt({ folder: this.folder.path, cluster }, { mayWrite: true })
    for (const [name, lines] of [
      ['kalshi', DEMO.kalshiLines],
      ['polymarket', DEMO.polymarketLines],
      ['event', [JSON.stringify(DEMO.gammaEvent)]],
    ] as const) {
      const path = this.path(`${name}.ndjson`)
      await Bun.write(path, `${Array.from(lines).join('\n')}\n`)
      await loadCapture(store, this.folder.path, path, QUIET)
    }
    await store.close()
    const accounts = await openAccounts(this.url)
    this.secret = (await accounts.createKey({ userId: 'ann', name: 'laptop', plan: 'pro' })).secret
    await accounts.close()
  }

  backup(path: string, check: ObjectCheck = 'none') {
    const source = { cluster: this.engines.cluster, objects: this.objects, accountsUrl: this.url }
    return makeClusterBackup(source, path, { check, onProgress: QUIET })
  }

  restore(path: string, place: Place, given: { force?: boolean; keepAccounts?: boolean } = {}) {
    const target = { cluster: place.cluster, objects: this.objects, accountsUrl: place.cluster.catalogue.url }
    const { force = false, keepAccounts = false } = given
    return restoreClusterBackup(path, target, { force, keepAccounts, onProgress: QUIET })
  }

  /** An empty database, and the same bucket. */
  async place(): Promise<Place> {
    const database = (await makeEmptyPostgres())!
    const { cluster } = this.engines
    const cacheFolder = this.path(`cache-${crypto.randomUUID()}`)
    return {
      cluster: { ...cluster, cacheFolder, catalogue: { ...cluster.catalogue, url: database.url } },
      tables: async () => {
        await using sql = new SQL(database.url)
        const rows: { name: string }[] = await sql`
          SELECT n.nspname || '.' || c.relname AS name FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
          WHERE n.nspname IN ('public', 'backbook') AND c.relkind = 'r' ORDER BY 1`
        return rows.map(({ name }) => name)
      },
      [Symbol.asyncDispose]: () => database[Symbol.asyncDispose](),
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.engines[Symbol.asyncDispose]()
    this.folder[Symbol.dispose]()
  }
}

export type Place = AsyncDisposable & { cluster: ClusterSettings; tables(): Promise<string[]> }
