// Recorders as processes over one cluster, on venues that talk: PostgreSQL is the tests' own, objects this process's.

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { SQL } from 'bun'
import { clusterVariables } from '../../../src/config/cluster-config.ts'
import type { RecorderStatus } from '../../../src/record/status/recorder-status.ts'
import { SHARD_COUNT } from '../../../storage/cluster/leases/sharing.ts'
import type { ClusterSettings } from '../../../storage/cluster/settings/cluster-settings.ts'
import { openStoreAt } from '../../../storage/open-store.ts'
import { newFolder, segmentsBelow } from '../../../workers/segment/segment-folder.ts'
import type { Random } from '../../../workers/synthetic/random.ts'
import { type S3Double, startS3Double } from '../cluster/s3-double.ts'
import { objectSettingsOf } from '../cluster/s3-server.ts'
import { type Checked, checkStore } from '../trial/check-recording.ts'
import { Recording, trialConfig } from '../trial/recording.ts'
import { TrialVenues } from '../trial/trial-venues.ts'

const SOON_MS = 120_000

export class ClusterTrial {
  readonly venues: TrialVenues
  readonly #folder = mkdtempSync(join(tmpdir(), 'backbook-shared-'))
  readonly #objects: S3Double
  readonly #postgres: string
  readonly #cluster: ClusterSettings
  readonly #books: number
  readonly #recordings: Recording[] = []
  readonly #folders = new Set<string>()

  private constructor(postgres: string, venues: TrialVenues, books: number) {
    this.venues = venues
    this.#books = books
    this.#postgres = postgres
    this.#objects = startS3Double()
    const place = { bucket: 'backbook-test', prefix: 'shared' }
    this.#cluster = {
      objects: objectSettingsOf(this.#objects.url, place),
      catalogue: { url: postgres, schema: `shared_${crypto.randomUUID().slice(0, 8)}`, timeoutMs: 5_000 },
      cacheFolder: join(this.#folder, 'cache'),
      cacheBytesMax: 64 << 20,
    }
  }

  static async start(postgres: string, random: Random, markets: number): Promise<ClusterTrial> {
    const venues = await new TrialVenues(random, { polymarket: markets, kalshi: markets }).start()
    return new ClusterTrial(postgres, venues, 3 * markets)
  }

  /** A recorder on a folder of its own. */
  record(name: string): Recording {
    const folder = join(this.#folder, name)
    const own = { recorder_id: name, commit_seconds: 1, flushMs: 500 }
    const config = trialConfig(this.venues, { own, polymarket: { per_connection: 5 }, kalshi: { per_connection: 5 } })
    const recording = Recording.start(folder, config, { variables: clusterVariables(this.#cluster) })
    this.#recordings.push(recording)
    this.#folders.add(folder)
    return recording
  }

  /** Waits until what each holds is so, all shards are held, and they have every book together. */
  async hold(isHeld: (held: number) => boolean, ...of: Recording[]): Promise<void> {
    const isSo = () => {
      const all = of.map(({ status }) => status)
      const books = all.reduce((sum, status) => sum + (status === undefined ? 0 : wholeBooks(status)), 0)
      const held = all.map((status) => status?.shards?.held ?? 0)
      return held.every(isHeld) && held.reduce((sum, count) => sum + count) === SHARD_COUNT && books === this.#books
    }
    const untilMs = performance.now() + SOON_MS
    while (!isSo()) {
      const ended = of.find(({ hasEnded }) => hasEnded)
      if (ended !== undefined) throw new Error(`a recorder has ended: ${ended.log()}`)
      if (performance.now() > untilMs) {
        throw new Error(`not all shards: ${JSON.stringify(of.map(({ status }) => status))}`)
      }
      await Bun.sleep(50)
    }
  }

  /** What it left is loaded. */
  async loaded(recording: Recording, names: readonly string[]): Promise<void> {
    const untilMs = performance.now() + SOON_MS
    while (this.left(recording).some((name) => names.includes(name))) {
      if (performance.now() > untilMs) throw new Error(`segments are not loaded: ${recording.log()}`)
      await Bun.sleep(100)
    }
  }

  left({ folder }: Recording): string[] {
    return segmentsBelow(newFolder(folder))
  }

  /** Holds what is stored against what was said. All recorders have ended. */
  async check(): Promise<Checked> {
    const store = await openStoreAt({ folder: this.#folder, cluster: this.#cluster }, ACCESS)
    try {
      return await checkStore(store, this.venues, [...this.#folders])
    } finally {
      await store.close()
    }
  }

  async end(): Promise<void> {
    for (const recording of this.#recordings) if (!recording.hasEnded) await recording.kill()
    await this.venues.stop()
    await this.#objects.stop()
    const sql = new SQL(this.#postgres)
    await sql.unsafe(`DROP SCHEMA IF EXISTS ${this.#cluster.catalogue.schema} CASCADE`)
    await sql.close()
    rmSync(this.#folder, { recursive: true, force: true })
  }
}

const ACCESS = { mayWrite: false, isEachCallChecked: true }

const wholeBooks = ({ venues }: RecorderStatus): number =>
  Object.values(venues).reduce((sum, { books, books_lost: lost }) => sum + books - lost, 0)
