// A store in a temporary folder, and its answers as values. Does what the workers do, without threads or HTTP.

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { clusterStore } from '../../storage/cluster/cluster-store.ts'
import { ownFirst, type Source, sourcesOf } from '../../storage/format/head-layers.ts'
import { inFolder, openStore, type Store, type StoreOnDisk, type StorePlace } from '../../storage/open-store.ts'
import { DAY_MS, dateStartMs } from '../../storage/units.ts'
import type { Venue } from '../../storage/venue.ts'
import { storeOfSource } from '../../workers/layers/source-view.ts'
import { type FileReport, HERE, loadCapture, loadWith } from '../../workers/load/load-capture.ts'
import { answerPage } from '../../workers/read/answer-page.ts'
import type { Fill, PageRequest, Position, SummaryRequest } from '../../workers/requests.ts'
import { summaryTask } from '../../workers/tasks/summary.ts'
import { IS_LONG } from '../run/effort.ts'
import { type EngineStore, engineStore } from './cluster/engine-store.ts'
import { HAS_ENGINES } from './cluster/engines.ts'
import { MemoryClusterRows } from './cluster/memory-cluster-rows.ts'
import { MemoryObjects } from './cluster/memory-objects.ts'
import { memoryStore } from './memory-store/memory-store.ts'

export type StoredRecord = { type: string; timestamp: number; received_at: number | null; msg: object } & Record<
  string,
  unknown
>

type Page = { data: StoredRecord[]; hasMore: boolean; next: Position | null }

/** The implementations of the storage port; a suite must pass for all of them. `cluster` uses objects and a database,
 *  both in memory. `engines` uses real ones. */
export type StoreKind = 'lmdb' | 'memory' | 'cluster' | 'engines'
export const STORE_KINDS: readonly StoreKind[] = ['lmdb', 'memory', 'cluster']

/** Kinds for suites of the contract. These also use real engines if there are any. */
export const ALL_STORE_KINDS: readonly StoreKind[] = HAS_ENGINES ? [...STORE_KINDS, 'engines'] : STORE_KINDS

/** Kinds for suites about captures, which are slow for each kind: LMDB, and one kind of cluster. */
export const CAPTURE_STORE_KINDS: readonly StoreKind[] = IS_LONG
  ? ALL_STORE_KINDS
  : ['lmdb', HAS_ENGINES ? 'engines' : 'cluster']

/** Kinds for suites that start a server: only one in a usual run. */
export const SERVED_STORE_KINDS: readonly StoreKind[] = IS_LONG ? ALL_STORE_KINDS : ['lmdb']

export class TestStore<S extends Store = StoreOnDisk> {
  readonly folder: string
  readonly store: S
  /** Where threads and other processes find the store. */
  readonly place: StorePlace

  /** Opens a store with `open`; by default, on LMDB in its folder. */
  constructor(open?: (folder: string) => S) {
    this.folder = mkdtempSync(join(tmpdir(), 'backbook-test-'))
    this.store = open?.(this.folder) ?? (openStore(this.folder) as Store as S)
    this.place = (this.store as Partial<EngineStore>).place ?? inFolder(this.folder)
  }

  async load(...files: string[]): Promise<FileReport[]> {
    const reports: FileReport[] = []
    for (const file of files) {
      this.store.refresh()
      reports.push(await loadCapture(this.store, this.folder, file, () => {}))
    }
    this.store.refresh()
    return reports
  }

  /** Loads lines as one capture with its own name. `source` names the archive that the capture is made from. */
  async loadLines(name: string, lines: string[], source?: string): Promise<FileReport> {
    const path = join(this.folder, name)
    await Bun.write(path, lines.map((line) => `${line}\n`).join(''))
    this.store.refresh()
    const [report] = await loadWith([HERE], this.store, this.folder, [path], { source })
    this.store.refresh()
    return report!
  }

  /** Returns this store with the data of one source only, for requests about that source. */
  ofSource(source: Source): TestStore<Store> {
    return Object.create(this, { store: { value: storeOfSource(this.store, source) } })
  }

  async summary(request: SummaryRequest): Promise<unknown[]> {
    const { head, chunks } = await summaryTask.answer(this.store, request)
    const data = readJson(chunks) as unknown[]
    if (data.length !== head.dataPoints) throw new Error(`${head.dataPoints} announced, ${data.length} given`)
    return data
  }

  /** Returns all records of a date, in pages of `limit`. */
  async records(
    venue: Venue,
    market: string,
    date: string,
    limit = 10_000,
    book: string | null = null,
  ): Promise<StoredRecord[]> {
    const records: StoredRecord[] = []
    for (;;) {
      const { data, hasMore } = await this.page({ venue, market, book, limit, scope: { date, offset: records.length } })
      records.push(...data)
      if (!hasMore) return records
    }
  }

  /** Returns all records of a range, by following cursors. */
  async range(venue: Venue, market: string, fromMs: number, toMs: number, limit: number): Promise<StoredRecord[]> {
    const records: StoredRecord[] = []
    let after: Position | null = null
    do {
      const page: Page = await this.page({ venue, market, book: null, limit, scope: { fromMs, toMs, after } })
      records.push(...page.data)
      after = page.next
    } while (after !== null)
    return records
  }

  async page(request: PageRequest): Promise<Page> {
    const { head, chunks } = await answerPage(this.store, request)
    const data = readJson(chunks) as StoredRecord[]
    if (data.length !== head.dataCount) throw new Error(`${head.dataCount} announced, ${data.length} given`)
    return { data, hasMore: head.hasMore, next: head.next }
  }

  /** Returns all records of a market as `export` prints them: one per line, source by source, also those that are not
   *  shown. */
  async printed(venue: Venue, market: string): Promise<string[]> {
    const lines: string[] = []
    const days = await this.store.catalogue.heads(venue, market)
    for (const source of new Set(days.flatMap(({ head }) => sourcesOf(head)).sort(ownFirst))) {
      const { store } = this.ofSource(source)
      for (const { date } of await store.catalogue.heads(venue, market)) {
        const scope = { date, offset: 0 }
        const request = { venue, market, book: null, limit: 100_000, layout: 'lines', scope } as const
        const { chunks } = await answerPage(store, request)
        lines.push(
          ...textOf(chunks)
            .split('\n')
            .filter((line) => line !== ''),
        )
      }
    }
    return lines
  }

  async dates(venue: Venue, market: string): Promise<string[]> {
    return (await this.store.catalogue.heads(venue, market)).map(({ date }) => date)
  }

  async close(): Promise<void> {
    await this.store.close()
    rmSync(this.folder, { recursive: true, force: true })
  }
}

export type AnyStore = TestStore<Store>

/** Runs a test with a store, and removes the store afterwards. */
export const withStore = (run: (store: TestStore) => Promise<void> | void): Promise<void> =>
  closing(new TestStore(), run)

/** Works like `withStore`, with a store of any kind. */
export const withStoreOf = (kind: StoreKind, run: (store: AnyStore) => Promise<void> | void): Promise<void> =>
  closing(storeOf(kind), run)

function storeOf(kind: StoreKind): AnyStore {
  if (kind === 'lmdb') return new TestStore<Store>(openStore)
  if (kind === 'engines') return new TestStore<Store>(engineStore)
  if (kind === 'memory') return new TestStore(() => memoryStore())
  return new TestStore<Store>(() => clusterStore({ objects: new MemoryObjects(), rows: new MemoryClusterRows() }))
}

async function closing<S extends Store>(
  store: TestStore<S>,
  run: (store: TestStore<S>) => Promise<void> | void,
): Promise<void> {
  try {
    await run(store)
  } finally {
    await store.close()
  }
}

export function dateRequest(
  venue: Venue,
  market: string,
  book: string,
  date: string,
  resolutionSeconds: number,
  fill: Fill = 'observed',
): SummaryRequest {
  const fromMs = dateStartMs(date)
  const toMs = fromMs + DAY_MS - 1
  return { venue, market, book, fromMs, toMs, resolutionSeconds, fill, nowMs: Date.now(), timestampUnit: 'ms' }
}

const readJson = (chunks: Iterator<Uint8Array>): unknown => JSON.parse(textOf(chunks))

function textOf(chunks: Iterator<Uint8Array>): string {
  const parts: Uint8Array[] = []
  for (let next = chunks.next(); !next.done; next = chunks.next()) parts.push(next.value)
  return Buffer.concat(parts).toString()
}
