// The setup and the teardown of a round: its own database and its own prefix on real engines. The address of the
// database moves during the round, and the network to the objects has many faults. Nodes and loads are processes.

import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { SQL } from 'bun'
import { clusterVariables } from '../../../../src/config/cluster-config.ts'
import type { ClusterSettings } from '../../../../storage/cluster/settings/cluster-settings.ts'
import { openClusterParts } from '../../../../storage/open-cluster.ts'
import { openStoreAt } from '../../../../storage/open-store.ts'
import { Door } from '../../../support/cluster/door.ts'
import { type FaultyProxy, startFaultyProxy } from '../../../support/cluster/faulty-proxy.ts'
import { testObjectSettings } from '../../../support/cluster/s3-server.ts'
import { searchDamage } from '../../../support/finding/search-damage.ts'
import type { PostgresServer } from '../../../support/postgres-server.ts'
import type { Round } from '../../topic.ts'
import type { Captures } from '../crashes/crashing-captures.ts'
import { runProgram } from '../crashes/killed-program.ts'
import { isSame, type StoreState, verifiedState } from '../crashes/store-state.ts'
import { ClusterNode, type StartOptions } from './cluster-node.ts'
import type { KnownAnswers } from './known-answers.ts'
import { makeKey } from './make-key.ts'

/** Timeout of one request to S3, and of one query to PostgreSQL. */
export const TIMEOUT_SECONDS = 2
/** Timeout of commands that must not fail. */
const PATIENT_SECONDS = 60
/** Extra time, because this machine may be busy, ms. A hanging request takes longer than this. */
export const ROOM_MS = 20_000
/** Maximum wait: the limit that `docs/cluster.md` states for S3, and a few queries to PostgreSQL. */
export const WAIT_MS_MAX = 3 * TIMEOUT_SECONDS * 1_000 + ROOM_MS

const CACHE_BYTES = 64 << 20

/** What the rounds share: engines and captures. */
export type Fixture = {
  postgres: PostgresServer
  /** http://ACCESS_KEY:SECRET@HOST:PORT of each S3-compatible store, by its name. */
  stores: { name: string; url: string }[]
  captures: Captures
  known: KnownAnswers
}

type Options = { postgres?: PostgresServer }

export class ClusterTrial {
  readonly fixture: Fixture
  readonly door: Door
  readonly proxy: FaultyProxy
  readonly folder: string
  secret = ''
  /** Settings that bypass the door and the proxy and have no cache, so reads return what is stored. */
  readonly direct: ClusterSettings
  readonly #between: ClusterSettings
  readonly #nodes: ClusterNode[] = []
  readonly #postgres: PostgresServer
  readonly #database: string

  private constructor(
    fixture: Fixture,
    postgres: PostgresServer,
    own: { door: Door; proxy: FaultyProxy; folder: string; direct: ClusterSettings; database: string },
  ) {
    this.fixture = fixture
    this.door = own.door
    this.proxy = own.proxy
    this.folder = own.folder
    this.direct = own.direct
    this.#database = own.database
    this.#postgres = postgres
    const { objects, catalogue } = own.direct
    this.#between = {
      ...own.direct,
      cacheBytesMax: CACHE_BYTES,
      objects: { ...objects, endpoint: own.proxy.origin },
      catalogue: { ...catalogue, url: at(catalogue.url, own.door.port) },
    }
  }

  /** Starts a trial on a store that the seed picks, with the first capture loaded, and an API key. */
  static async begin({ random, tally, folder }: Round, fixture: Fixture, options: Options = {}): Promise<ClusterTrial> {
    const { postgres = fixture.postgres } = options
    const { name, url } = random.pick(fixture.stores)
    tally.add(`on ${name}`)
    const own = join(folder, `trial-${crypto.randomUUID().slice(0, 8)}`)
    mkdirSync(own)
    const database = `trial_${crypto.randomUUID().replaceAll('-', '')}`
    await asAdmin(postgres, `CREATE DATABASE ${database}`)
    const objects = await testObjectSettings(url)
    const proxy = await startFaultyProxy(objects.endpoint!)
    const door = await Door.open(postgres.port)
    const catalogueUrl = new URL(postgres.url)
    catalogueUrl.pathname = `/${database}`
    const direct: ClusterSettings = {
      objects,
      catalogue: { url: catalogueUrl.href, schema: 'backbook', timeoutMs: 10_000 },
      cacheFolder: join(own, 'cache'),
      cacheBytesMax: 0,
    }
    const trial = new ClusterTrial(fixture, postgres, { door, proxy, folder: own, direct, database })
    await trial.load([fixture.captures.first])
    trial.secret = await makeKey(own, trial.variables(PATIENT_SECONDS))
    return trial
  }

  /** Environment variables for a process that connects through the door and the proxy. */
  variables(timeoutSeconds = TIMEOUT_SECONDS): Record<string, string> {
    const seconds = String(timeoutSeconds)
    const timeouts = { STORE_TIMEOUT_SECONDS: seconds, CATALOGUE_TIMEOUT_SECONDS: seconds }
    return { ...clusterVariables(this.#between), ...timeouts, DRAIN_SECONDS: '0' }
  }

  /** Moves the address of the database to another server, as after a failover. */
  moveTo(postgres: PostgresServer): void {
    this.direct.catalogue.url = at(this.direct.catalogue.url, postgres.port)
    this.door.moveTo(postgres.port)
  }

  words(...files: readonly string[]): string[] {
    return ['ingest', '--data', this.folder, '--json', ...files]
  }

  /** Loads files and returns the number of new records. No fault happens meanwhile, so the command has a long
   *  timeout. */
  async load(files: readonly string[], before: readonly string[] = []): Promise<number> {
    const report = await this.run(this.words(...files), before)
    return (JSON.parse(report) as { records_added: number }).records_added
  }

  /** Runs the program with a long timeout. `before` is the command that runs it, such as `faketime`. Throws if it
   *  fails. */
  run(words: readonly string[], before: readonly string[] = []): Promise<string> {
    return runProgram(words, this.variables(PATIENT_SECONDS), before)
  }

  async node(name: string, options: Partial<StartOptions> = {}): Promise<ClusterNode> {
    const folder = options.folder ?? join(this.folder, name)
    const { env = {}, ...others } = options
    const all = { ...others, folder, secret: this.secret, env: { ...this.variables(), ...env } }
    const node = await ClusterNode.start(all)
    this.#nodes.push(node)
    return node
  }

  /** Returns everything that is stored, verified, as the next process reads it. Throws if it is damaged. */
  async state(cluster = this.direct): Promise<StoreState> {
    const place = { folder: this.folder, cluster }
    const store = await openStoreAt(place, { mayWrite: false, isEachCallChecked: true })
    try {
      await this.#assertSearch(cluster)
      return await verifiedState(store)
    } finally {
      await store.close()
    }
  }

  async #assertSearch(cluster: ClusterSettings): Promise<void> {
    const { objects, rows } = await openClusterParts(cluster, { mayWrite: false })
    try {
      const damage = await rows.snapshot(searchDamage)
      if (damage.length > 0) throw new Error(`the index of the store is wrong: ${damage.join('; ')}`)
    } finally {
      await Promise.all([objects.close(), rows.close()])
    }
  }

  /** Loads what is missing. Then expects the same content as after one load without faults. */
  async expectWhole({ captures } = this.fixture): Promise<void> {
    await this.load(captures.files)
    if (!isSame(await this.state(), captures.stages.at(-1)!)) throw new Error('the store is not what one load makes')
    const added = await this.load([captures.first, ...captures.files])
    if (added !== 0) throw new Error(`a load of what is stored added ${added} records`)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const node of this.#nodes) await node.kill()
    await this.proxy.stop()
    await this.door.close()
    if (this.#postgres === this.fixture.postgres) {
      await asAdmin(this.#postgres, `DROP DATABASE ${this.#database} WITH (FORCE)`)
    }
    rmSync(this.folder, { recursive: true, force: true })
  }
}

function at(url: string, port: number): string {
  const moved = new URL(url)
  moved.port = String(port)
  return moved.href
}

async function asAdmin({ url }: PostgresServer, statement: string): Promise<void> {
  const sql = new SQL(url, { max: 1 })
  await sql.unsafe(statement)
  await sql.close()
}
