// The demo's day on a real server, in a folder of its own: what a user of the documentation has before them.

import { join } from 'node:path'
import type { StripeSettings } from '../../src/accounts/billing/stripe-billing.ts'
import { type Backend, startServer } from '../../src/commands/server/serve.ts'
import { readConfig } from '../../src/config/config.ts'
import { memoryStore } from '../../storage/memory/memory-store.ts'
import { openStore } from '../../storage/open-store.ts'
import { loadCapture } from '../../workers/load/load-capture.ts'
import { answerInProcess } from '../../workers/pool/answer-in-process.ts'
import { type SyntheticDay, syntheticDay } from '../../workers/synthetic/synthetic-day.ts'
import { temporaryFolder } from './server.ts'
import type { StoreKind } from './store.ts'

export const DEMO = syntheticDay({ date: '2026-07-20' })

export type ServedDemo = AsyncDisposable & {
  url: string
  /** The data folder. */
  folder: string
  /** A key of user "ann". */
  secret: string
  get(path: string, headers?: Record<string, string>): Promise<Response>
}

type Settings = {
  stripe?: StripeSettings
  adminToken?: string
  monitoringToken?: string
  managementOpen?: boolean
  plans?: object
  kind?: StoreKind
  /** What is stored in place of the demo's day. */
  day?: SyntheticDay
  /** Of a capture of Kalshi, beside the day's own. */
  moreLines?: readonly string[]
}

/** A server whose answers come from memory, made in the thread that asks. */
function memoryBackend(): Backend {
  const figures = {
    kind: 'file' as const,
    fileBytes: 1,
    usedBytes: 1,
    freeBytes: 0,
    mapBytes: 1,
    readers: 1,
    readersMax: 1,
  }
  const counts = { markets: 1, partitions: 1, blocks: 1 }
  const store = { ...memoryStore(), maintenance: { figures: async () => ({ ...figures, ...counts }) } }
  const pool = { threads: 1, running: 0, queued: 0, queueMax: 1, completed: 0 }
  return { store, workers: { ...answerInProcess(store), figures: () => pool, close: async () => undefined } }
}

export async function serveDemo({
  plans,
  kind,
  day = DEMO,
  moreLines = [],
  ...settings
}: Settings = {}): Promise<ServedDemo> {
  const folder = temporaryFolder()
  const backend = kind === 'memory' ? memoryBackend() : undefined
  const store = backend?.store ?? openStore(folder.path)
  for (const [name, lines] of [
    ['kalshi', day.kalshiLines],
    ['polymarket', day.polymarketLines],
    ['event', [JSON.stringify(day.gammaEvent)]],
    ['more', moreLines],
  ] as const) {
    const path = join(folder.path, `${name}.ndjson`)
    await Bun.write(path, `${Array.from(lines).join('\n')}\n`)
    await loadCapture(store, folder.path, path, () => {})
  }
  await store.close()
  const plansFile = join(folder.path, 'plans.json')
  if (plans !== undefined) await Bun.write(plansFile, JSON.stringify(plans))
  const variables = { WORKER_THREADS: '1', WARM_UP: 'off', ...(plans && { PLANS_FILE: plansFile }) }
  const config = readConfig({ flags: {}, variables, file: undefined }, 1)
  const server = await startServer({ ...config, ...settings, data: folder.path, port: 0 }, backend)
  const admin = { 'x-admin-token': settings.adminToken ?? '' }
  const made = await fetch(`${server.url}/keys?user_id=ann&name=demo`, { method: 'POST', headers: admin })
  const { data } = (await made.json()) as { data: { api_key: string } }
  return {
    url: server.url,
    folder: folder.path,
    secret: data.api_key,
    get: (path, headers = {}) =>
      fetch(`${server.url}${path}`, { headers: { authorization: `Bearer ${data.api_key}`, ...headers } }),
    async [Symbol.asyncDispose]() {
      await server.stop()
      folder[Symbol.dispose]()
    },
  }
}
