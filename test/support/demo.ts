// A real server with the demo's day, in its own folder: what a user of the documentation has.

import { mkdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import type { StripeSettings } from '../../src/accounts/billing/stripe-billing.ts'
import { type Backend, startServer } from '../../src/commands/server/serve.ts'
import { readConfig } from '../../src/config/config.ts'
import type { Origins } from '../../src/http/server/cors.ts'
import { clusterStore } from '../../storage/cluster/cluster-store.ts'
import { openStore, openStoreAt, type Store, type StorePlace } from '../../storage/open-store.ts'
import { HERE, loadWith } from '../../workers/load/load-capture.ts'
import { answerInProcess } from '../../workers/pool/answer-in-process.ts'
import { type SyntheticDay, syntheticDay } from '../../workers/synthetic/synthetic-day.ts'
import { makeEngines } from './cluster/engines.ts'
import { MemoryClusterRows } from './cluster/memory-cluster-rows.ts'
import { MemoryObjects } from './cluster/memory-objects.ts'
import { type FolderFiles, readFolder, writeFolder } from './disk/copied-folder.ts'
import { memoryStore } from './memory-store/memory-store.ts'
import { temporaryFolder } from './server.ts'
import type { StoreKind } from './store.ts'

export const DEMO = syntheticDay({ date: '2026-07-20' })

export type ServedDemo = AsyncDisposable & {
  url: string
  /** The data folder. */
  folder: string
  /** The location of the store. */
  place: StorePlace
  /** A key of user "ann". */
  secret: string
  get(path: string, headers?: Record<string, string>): Promise<Response>
}

type Stored = {
  /** The day to load instead of the demo's day. */
  day?: SyntheticDay | undefined
  /** Lines of a Kalshi capture, in addition to the day's own. */
  moreLines?: readonly string[] | undefined
  /** More captures to load. */
  files?: readonly string[] | undefined
  /** Time at which everything is loaded, Unix ms; now by default. */
  loadingMs?: number | undefined
}

export type DemoSettings = Stored & {
  stripe?: StripeSettings
  adminToken?: string
  monitoringToken?: string
  managementOpen?: boolean
  corsOrigins?: Origins
  frameAncestors?: Origins
  plans?: object
  kind?: StoreKind
}

/** Returns a backend that computes its answers in the calling thread. */
function backendOf(store: Store): Backend {
  const fileStats = {
    kind: 'file' as const,
    fileBytes: 1,
    usedBytes: 1,
    freeBytes: 0,
    mapBytes: 1,
    readers: 1,
    readersMax: 1,
  }
  const counts = { markets: 1, partitions: 1, blocks: 1 }
  const counted = { ...store, maintenance: { stats: async () => ({ ...fileStats, ...counts }) } }
  const pool = { threads: 1, running: 0, queued: 0, queueMax: 1, completed: 0 }
  return { store: counted, workers: { ...answerInProcess(counted), stats: () => pool, close: async () => undefined } }
}

function backendIn(kind: StoreKind): Backend | undefined {
  if (kind === 'memory') return backendOf(memoryStore())
  if (kind !== 'cluster') return undefined
  const doubles = { objects: new MemoryObjects(), rows: new MemoryClusterRows() }
  return backendOf(clusterStore({ ...doubles, isEachCallChecked: true }))
}

async function loadInto(store: Store, folder: string, { day = DEMO, moreLines = [], files = [], loadingMs }: Stored) {
  const load = (path: string) => loadWith([HERE], store, folder, [path], { loadingMs })
  for (const [name, lines] of [
    ['kalshi', day.kalshiLines],
    ['polymarket', day.polymarketLines],
    ['event', [JSON.stringify(day.gammaEvent)]],
    ['more', moreLines],
  ] as const) {
    const path = join(folder, `${name}.ndjson`)
    await Bun.write(path, `${Array.from(lines).join('\n')}\n`)
    await load(path)
  }
  for (const file of files) await load(file)
}

/** Data folders that hold only one day. Each process loads a day once. */
const dayFolders = new Map<SyntheticDay, Promise<FolderFiles>>()

function folderOf(day: SyntheticDay): Promise<FolderFiles> {
  const known = dayFolders.get(day) ?? loadedFiles(day)
  dayFolders.set(day, known)
  return known
}

async function loadedFiles(day: SyntheticDay): Promise<FolderFiles> {
  using folder = temporaryFolder()
  using captures = temporaryFolder()
  const store = openStore(folder.path)
  await loadInto(store, captures.path, { day })
  await store.close()
  return readFolder(folder.path)
}

export async function serveDemo({
  plans,
  kind = 'lmdb',
  day,
  moreLines,
  files,
  loadingMs,
  ...settings
}: DemoSettings = {}): Promise<ServedDemo> {
  const folder = temporaryFolder()
  const engines = kind === 'engines' ? await makeEngines(folder.path) : undefined
  const place = { folder: folder.path, cluster: engines?.cluster ?? null }
  const backend = backendIn(kind)
  const stored = { day, moreLines, files, loadingMs }
  if (kind === 'lmdb' && [moreLines, files, loadingMs].every((each) => each === undefined)) {
    writeFolder(folder.path, await folderOf(day ?? DEMO))
  } else {
    const store = backend?.store ?? (await openStoreAt(place, { mayWrite: true }))
    await loadInto(store, folder.path, stored)
    await store.close()
  }
  const plansFile = join(folder.path, 'plans.json')
  if (plans !== undefined) await Bun.write(plansFile, JSON.stringify(plans))
  const own = { WORKER_THREADS: '1', DRAIN_SECONDS: '0', BACKBOOK_DATA: folder.path }
  const variables = { ...own, ...engines?.variables, ...(plans && { PLANS_FILE: plansFile }) }
  const config = readConfig({ flags: {}, variables, file: undefined }, 1)
  const server = await startServer({ ...config, ...settings, port: 0 }, backend === undefined ? {} : { backend })
  const admin = { 'x-admin-token': settings.adminToken ?? '' }
  const made = await fetch(`${server.url}/keys?user_id=ann&name=demo`, { method: 'POST', headers: admin })
  const { data } = (await made.json()) as { data: { api_key: string } }
  return {
    url: server.url,
    folder: folder.path,
    place,
    secret: data.api_key,
    get: (path, headers = {}) =>
      fetch(`${server.url}${path}`, { headers: { authorization: `Bearer ${data.api_key}`, ...headers } }),
    async [Symbol.asyncDispose]() {
      await server.stop()
      await engines?.[Symbol.asyncDispose]()
      folder[Symbol.dispose]()
    },
  }
}

/** Serves the demo in a folder where the commands of the documentation find it as `data/demo`. */
export async function serveDemoIn(): Promise<ServedDemo & { cwd: string }> {
  const demo = await serveDemo()
  const folder = temporaryFolder()
  mkdirSync(join(folder.path, 'data'))
  symlinkSync(demo.folder, join(folder.path, 'data/demo'))
  return {
    ...demo,
    cwd: folder.path,
    async [Symbol.asyncDispose]() {
      await demo[Symbol.asyncDispose]()
      folder[Symbol.dispose]()
    },
  }
}
