// A store in a temporary folder, and its answers as values: what the workers do, without threads or HTTP.

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { clusterStore } from '../../storage/cluster/cluster-store.ts'
import { MemoryDatabase } from '../../storage/cluster/database/memory-database.ts'
import { MemoryObjects } from '../../storage/cluster/objects/memory-objects.ts'
import { memoryStore } from '../../storage/memory/memory-store.ts'
import { openStore, openStoreAt, type Store, type StoreOnDisk } from '../../storage/open-store.ts'
import { DAY_MS, dateStartMs } from '../../storage/units.ts'
import type { Venue } from '../../storage/venue.ts'
import { type FileReport, HERE, loadCapture, loadWith } from '../../workers/load/load-capture.ts'
import { answerPage } from '../../workers/read/answer-page.ts'
import type { Fill, PageRequest, Position, SummaryRequest } from '../../workers/requests.ts'
import { summaryTask } from '../../workers/tasks/summary.ts'
import { HAS_ENGINES, makeEngines } from './cluster/engines.ts'

export type StoredRecord = { type: string; timestamp: number; received_at: number | null; msg: object } & Record<
  string,
  unknown
>

type Page = { data: StoredRecord[]; hasMore: boolean; next: Position | null }

/** The implementations of the storage port: what a suite says of one holds for the others. `cluster` is the one on
 *  objects and a database, both in memory; `engines` the same on real ones. */
export const STORE_KINDS = ['lmdb', 'memory', 'cluster'] as const
export type StoreKind = (typeof STORE_KINDS)[number] | 'engines'

/** For suites that are quick enough to ask real engines too, where there are any. */
export const ALL_STORE_KINDS: readonly StoreKind[] = HAS_ENGINES ? [...STORE_KINDS, 'engines'] : STORE_KINDS

export class TestStore<S extends Store = StoreOnDisk> {
  readonly folder: string
  readonly store: S

  /** Without `open`, a store on LMDB in its folder. */
  constructor(open?: () => S, folder = newFolder()) {
    this.folder = folder
    this.store = open === undefined ? (openStore(this.folder) as Store as S) : open()
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

  /** Loads lines as one capture, under a name of its own. `source`: the archive that it is made from. */
  async loadLines(name: string, lines: string[], source?: string): Promise<FileReport> {
    const path = join(this.folder, name)
    await Bun.write(path, lines.map((line) => `${line}\n`).join(''))
    this.store.refresh()
    const [report] = await loadWith([HERE], this.store, this.folder, [path], { source })
    this.store.refresh()
    return report!
  }

  async summary(request: SummaryRequest): Promise<unknown[]> {
    const { head, chunks } = await summaryTask.answer(this.store, request)
    const data = readJson(chunks) as unknown[]
    if (data.length !== head.dataPoints) throw new Error(`${head.dataPoints} announced, ${data.length} given`)
    return data
  }

  /** All records of a date, in pages of `limit`. */
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

  /** All records of a range, through cursors. */
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

  async dates(venue: Venue, market: string): Promise<string[]> {
    return (await this.store.catalogue.heads(venue, market)).map(({ date }) => date)
  }

  async close(): Promise<void> {
    await this.store.close()
    rmSync(this.folder, { recursive: true, force: true })
  }
}

export type AnyStore = TestStore<Store>

/** Runs a test with a store on LMDB that is gone afterwards. */
export const withStore = (run: (store: TestStore) => Promise<void> | void): Promise<void> =>
  closing(new TestStore(), run)

/** The same with one of any kind. */
export async function withStoreOf(kind: StoreKind, run: (store: AnyStore) => Promise<void> | void): Promise<void> {
  if (kind !== 'engines') return closing(storeOf(kind), run)
  const folder = newFolder()
  await using engines = await makeEngines(folder)
  const opened = await openStoreAt({ folder, cluster: engines.cluster }, { mayWrite: true })
  await closing(new TestStore<Store>(() => opened, folder), run)
}

const newFolder = (): string => mkdtempSync(join(tmpdir(), 'backbook-test-'))

function storeOf(kind: Exclude<StoreKind, 'engines'>): AnyStore {
  if (kind === 'lmdb') return new TestStore<Store>()
  if (kind === 'memory') return new TestStore(() => memoryStore())
  return new TestStore<Store>(() => clusterStore({ objects: new MemoryObjects(), database: new MemoryDatabase() }))
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

function readJson(chunks: Iterator<Uint8Array>): unknown {
  const parts: Uint8Array[] = []
  for (let next = chunks.next(); !next.done; next = chunks.next()) parts.push(next.value)
  return JSON.parse(Buffer.concat(parts).toString())
}
