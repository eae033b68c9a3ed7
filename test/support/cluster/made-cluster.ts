// A cluster with made-up partitions, and its expected content: pieces of random bytes by name. Every piece must stay
// the same, whatever happens to the objects.

import { SQL } from 'bun'
import type { PartId, PartitionBooks, PartKind, PartRef } from '../../../storage/block-store.ts'
import type { MarketChange, PartitionChange } from '../../../storage/catalogue.ts'
import type { ClusterRows } from '../../../storage/cluster/cluster-rows.ts'
import { clusterStore } from '../../../storage/cluster/cluster-store.ts'
import type { Objects } from '../../../storage/cluster/objects/objects.ts'
import { S3Objects } from '../../../storage/cluster/objects/s3-objects.ts'
import { openPostgresRows } from '../../../storage/cluster/postgres/postgres-rows.ts'
import { withChecksum } from '../../../storage/format/block.ts'
import type { PartitionHead } from '../../../storage/format/partition-head.ts'
import type { Store } from '../../../storage/open-store.ts'
import type { PartitionKey } from '../../../storage/partition-key.ts'
import { Random } from '../../../workers/synthetic/random.ts'
import { HEAD } from '../made-markets.ts'
import { MemoryClusterRows } from './memory-cluster-rows.ts'
import { MemoryObjects } from './memory-objects.ts'
import { S3_TEST_URL, testObjectSettings } from './s3-server.ts'

const POSTGRES_TEST_URL = process.env['POSTGRES_TEST_URL'] ?? ''

/** Clusters on test doubles, and on the real engines if there are any. */
export const CLUSTER_KINDS = ['doubles', ...(POSTGRES_TEST_URL && S3_TEST_URL ? ['engines' as const] : [])] as const
export type ClusterKind = (typeof CLUSTER_KINDS)[number]

export const START_MS = Date.parse('2026-07-23T12:00:00Z')
export const TODAY = '2026-07-23'
const DATES = ['2026-07-20', '2026-07-21', '2026-07-22', TODAY]
const MARKETS = ['KX-1', 'KX-10', 'KX-2', 'KX-é', '0xabc']
const KINDS: PartKind[] = ['block', 'state', 'seconds', 'minutes']

type MadeDay = { head: PartitionHead; books: PartitionBooks; parts: Map<string, { part: PartId; bytes: Uint8Array }> }

export class MadeCluster implements AsyncDisposable {
  readonly objects: Objects
  readonly rows: ClusterRows
  readonly random: Random
  /** The expected content, by venue, market and date. */
  readonly expected = new Map<string, { key: PartitionKey; day: MadeDay }>()
  /** The clock of the doubles and of the writer. Real objects have the real time. */
  nowMs = START_MS
  readonly #close: () => Promise<void>

  static async open(kind: ClusterKind, seed: number): Promise<MadeCluster> {
    const cluster = new MadeCluster(seed, kind === 'engines' ? await engines() : undefined)
    if (kind === 'engines') cluster.nowMs = Date.now()
    return cluster
  }

  constructor(seed: number, engines?: { objects: Objects; rows: ClusterRows; close(): Promise<void> }) {
    this.random = new Random(seed, 'cluster')
    const clock = () => this.nowMs
    this.objects = engines?.objects ?? new MemoryObjects(new Map(), clock)
    this.rows = engines?.rows ?? new MemoryClusterRows()
    this.#close = engines?.close ?? (async () => undefined)
  }

  /** The arguments that compaction takes. */
  get parts() {
    return {
      objects: this.objects,
      rows: this.rows,
      nowMs: () => this.nowMs,
      randomBytes: (count: number) => this.randomBytes(count),
    }
  }

  store(given: { objects?: Objects; rows?: ClusterRows } = {}): Store {
    return clusterStore({ ...this.parts, ...given, isEachCallChecked: true })
  }

  /** Commits random changes: some days are new, some grow, some are removed. */
  async commits(count: number): Promise<void> {
    for (let commit = 0; commit < count; commit++) {
      const changes: MarketChange[] = []
      const store = this.store()
      const made: { key: PartitionKey; day: MadeDay | null }[] = []
      for (const market of MARKETS.filter(() => this.random.chance(0.7))) {
        const venue = market.startsWith('0x') ? ('polymarket' as const) : ('kalshi' as const)
        const { revision } = await store.catalogue.revision(venue, market)
        const days = DATES.filter(() => this.random.chance(0.5)).map((date) => this.#changed({ venue, market, date }))
        const partitions = days.map(({ change }) => change)
        changes.push({ venue, market, revision, partitions })
        made.push(...days.map(({ change: { key }, day }) => ({ key, day })))
      }
      const refused = await store.catalogue.commit(changes)
      if (refused.length > 0) throw new Error('a commit was refused')
      for (const { key, day } of made) {
        if (day === null) this.expected.delete(nameOf(key))
        else this.expected.set(nameOf(key), { key, day })
      }
    }
  }

  randomBytes(count: number): Uint8Array {
    return Uint8Array.from({ length: count }, () => this.random.below(256))
  }

  /** Reads every piece and returns the differences. By default reads through a new store. */
  async differences({ catalogue, blocks }: Pick<Store, 'catalogue' | 'blocks'> = this.store()): Promise<string[]> {
    const found: string[] = []
    for (const { key, day } of this.expected.values()) {
      const refs: PartRef[] = [...day.parts.values()].map(({ part }) => ({ key, ...part }))
      const parts = await blocks.fetch([...refs, { key, kind: 'books' }])
      if (!Bun.deepEquals(await catalogue.head(key), day.head)) found.push(`head of ${nameOf(key)}`)
      for (const [name, { part, bytes }] of day.parts) {
        if (Buffer.compare(parts.bytes(key, part), bytes) !== 0) found.push(`${name} of ${nameOf(key)}`)
      }
      const { opening, closing } = parts.books(key)
      if (!Bun.deepEquals({ opening: plain(opening), closing: plain(closing) }, day.books)) {
        found.push(`books of ${nameOf(key)}`)
      }
    }
    for (const venue of ['kalshi', 'polymarket'] as const) {
      for await (const key of catalogue.partitions(venue)) {
        if (!this.expected.has(nameOf(key))) found.push(`${nameOf(key)} is there`)
      }
    }
    return found
  }

  async keys(): Promise<string[]> {
    return (await Array.fromAsync(this.objects.list(''))).map(({ key }) => key)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#close()
  }

  #changed(key: PartitionKey): { change: PartitionChange; day: MadeDay | null } {
    const before = this.expected.get(nameOf(key))?.day
    if (before !== undefined && this.random.chance(0.1)) {
      const change = { key, before: before.head, head: null, books: null, put: [], removed: [] }
      return { change, day: null }
    }
    const gone = [...(before?.parts.values() ?? [])].filter(() => this.random.chance(0.2))
    let nextId = before?.head.nextId ?? 1
    const put = Array.from({ length: this.random.between(1, 6) }, () => ({
      kind: this.random.pick(KINDS),
      id: nextId++,
      book: this.random.below(2),
      bytes: withChecksum(this.randomBytes(this.random.between(1, 400))),
    })).map((part) => (part.kind === 'block' || part.kind === 'state' ? { ...part, book: 0 } : part))
    const revision = (before?.head.revision ?? 0) + 1
    const head = { ...HEAD, revision, nextId, lastMs: Date.parse(key.date) }
    const books = { opening: this.random.chance(0.5) ? null : this.randomBytes(9), closing: this.randomBytes(20) }
    const parts = new Map(before?.parts)
    for (const { part } of gone) parts.delete(nameOfPart(part))
    for (const { bytes, ...part } of put) parts.set(nameOfPart(part), { part, bytes })
    const removed = gone.map(({ part }) => part)
    return { change: { key, before: before?.head ?? null, head, books, put, removed }, day: { head, books, parts } }
  }
}

async function engines() {
  const objects = new S3Objects(await testObjectSettings(S3_TEST_URL))
  const schema = `test_${crypto.randomUUID().replaceAll('-', '')}`
  const settings = { url: POSTGRES_TEST_URL, schema, timeoutMs: 20_000 }
  const rows = await openPostgresRows(settings, { mayWrite: true })
  const close = async () => {
    const sql = new SQL(POSTGRES_TEST_URL)
    await sql.unsafe(`DROP SCHEMA ${schema} CASCADE`)
    await Promise.all([sql.close(), rows.close()])
    await objects.remove((await Array.fromAsync(objects.list(''))).map(({ key }) => key))
    await objects.close()
  }
  return { objects, rows, close }
}

const plain = (bytes: Uint8Array | null): Uint8Array | null => (bytes === null ? null : new Uint8Array(bytes))
const nameOf = ({ venue, market, date }: PartitionKey): string => `${venue} ${market} ${date}`
const nameOfPart = ({ kind, id, book }: PartId): string => `${kind} ${id} ${book}`
