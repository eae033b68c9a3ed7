// Goal: a backup of a cluster that is made while loads and keys are at work is one moment of it, and a restore into an
// empty database brings exactly that back, over the same bucket.

import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { openAccounts } from '../../../../src/accounts/open-accounts.ts'
import { ACCOUNTS_TABLES } from '../../../../src/accounts/sql/accounts-copy.ts'
import { startServer } from '../../../../src/commands/server/serve.ts'
import { clusterVariables } from '../../../../src/config/cluster-config.ts'
import { readConfig } from '../../../../src/config/config.ts'
import { CATALOGUE_TABLES } from '../../../../storage/cluster/postgres/copies/catalogue-copy.ts'
import type { ClusterSettings } from '../../../../storage/cluster/settings/cluster-settings.ts'
import { openStoreAt } from '../../../../storage/open-store.ts'
import { verifyStore } from '../../../../workers/verify/verify-store.ts'
import { CopiedCluster } from '../../../support/cluster/copied-cluster.ts'
import { ENGINES_SKIPPED, HAS_ENGINES } from '../../../support/cluster/engines.ts'
import { DEMO } from '../../../support/demo.ts'
import { tradeLines } from '../../../support/disk/data-folder.ts'
import { runBackbook } from '../../../support/programs/program.ts'

const MAIN = join(import.meta.dir, '../../../../src/main.ts')
const PATHS = ['polymarket', 'kalshi'].flatMap((venue) => {
  const market = venue === 'kalshi' ? `ticker=${DEMO.kalshiTicker}` : `condition_id=${DEMO.conditionId}`
  const book = venue === 'kalshi' ? market : `${market}&asset_id=${DEMO.assetIds[0]}`
  return [
    `/${venue}/market/orderbook-summary?${book}&date=${DEMO.date}&resolution=60`,
    `/${venue}/market/data?${market}&date=${DEMO.date}&limit=500`,
    `/${venue}/market/date-range?${market}`,
    `/${venue}/market/coverage?${market}`,
    `/${venue}/market/info?${market}`,
    `/${venue}/market/list`,
    `/${venue}/calendar`,
    `/search?q=demo&venue=${venue}`,
  ]
})

async function answersOf(cluster: ClusterSettings, data: string, secret: string): Promise<string[]> {
  const quick = { WORKER_THREADS: '1', WARM_UP: 'off', DRAIN_SECONDS: '0' }
  const variables = { ...clusterVariables(cluster), ...quick, BACKBOOK_DATA: data }
  const server = await startServer({ ...readConfig({ variables }, 1), port: 0 })
  try {
    const answers: string[] = []
    for (const path of PATHS) {
      const response = await fetch(`${server.url}${path}`, { headers: { authorization: `Bearer ${secret}` } })
      // Cursors are signed with the secret of their store, and failures have the id of their request.
      const body = (await response.text()).replace(/"(next_cursor|request_id)":"[^"]*"/g, '"$1":""')
      answers.push(`${path} ${response.status} ${body}`)
    }
    return answers
  } finally {
    await server.stop()
  }
}

async function recordsIn(cluster: ClusterSettings): Promise<{ markets: Map<string, number>; damage: unknown[] }> {
  const store = await openStoreAt({ folder: cluster.cacheFolder, cluster }, { mayWrite: false })
  const markets = new Map<string, number>()
  for await (const key of store.catalogue.partitions('kalshi')) {
    const records = (await store.catalogue.head(key))?.recordCount ?? 0
    markets.set(key.market, (markets.get(key.market) ?? 0) + records)
  }
  const { damage, storeDamage } = await verifyStore(store)
  await store.close()
  return { markets, damage: [...damage, ...storeDamage] }
}

async function userOf(url: string, secret: string): Promise<string> {
  const accounts = await openAccounts(url)
  const answer = await accounts.authenticate(secret)
  await accounts.close()
  return answer.ok ? answer.key.userId : answer.reason
}

const suite = () => {
  let given: CopiedCluster
  beforeAll(async () => {
    given = await CopiedCluster.open()
    await given.load()
  }, 60_000)
  afterAll(() => given[Symbol.asyncDispose](), 60_000)

  test('all tables are in it, and are restored to the same answers and keys', async () => {
    const { manifest, lacking } = await given.backup(given.path('whole'), 'checksum')
    expect([lacking, manifest.accounts]).toEqual([[], 'postgresql'])
    await using place = await given.place()
    const restored = await given.restore(given.path('whole'), place)
    expect([restored.lacking, restored.manifest]).toEqual([[], manifest])
    const wanted = [...CATALOGUE_TABLES.map((name) => `backbook.${name}`), ...ACCOUNTS_TABLES.map((n) => `public.${n}`)]
    expect(await place.tables()).toEqual(wanted.sort())
    const before = await answersOf(given.engines.cluster, given.path('node'), given.secret)
    expect(before.filter((answer) => !answer.includes(' 200 '))).toEqual([])
    expect(await answersOf(place.cluster, given.path('other-node'), given.secret)).toEqual(before)
  }, 60_000)

  test('what is restored goes on: it takes new records, and gives cursors of its own', async () => {
    await given.backup(given.path('goes-on'))
    await using place = await given.place()
    await given.restore(given.path('goes-on'), place)
    await Bun.write(given.path('more.ndjson'), tradeLines(0, 1_000, 'KX-MORE').join('\n'))
    const words = ['ingest', given.path('more.ndjson'), '--data', given.path('more')]
    const { exitCode, err } = await runBackbook(words, { env: clusterVariables(place.cluster) })
    expect([exitCode, err]).toEqual([0, ''])
    const { markets, damage } = await recordsIn(place.cluster)
    expect([markets.get('KX-MORE'), damage]).toEqual([1_000, []])
    const secrets = await Promise.all(
      [given.engines.cluster, place.cluster].map(async (cluster) => {
        const store = await openStoreAt({ folder: cluster.cacheFolder, cluster }, { mayWrite: false })
        return store.catalogue.cursorSecret().finally(() => store.close())
      }),
    )
    expect(Buffer.compare(secrets[0]!, secrets[1]!)).not.toBe(0)
  }, 60_000)

  test('made while commits go on, it is one moment of everything', async () => {
    const captures = Array.from({ length: 8 }, (_, n) => given.path(`${n}.ndjson`))
    for (const [n, path] of captures.entries()) {
      await Bun.write(path, tradeLines(n * 20_000, 20_000, `KX-${n}`).join('\n'))
    }
    const env = { PATH: process.env['PATH'] ?? '', ...given.engines.variables }
    const loads = Bun.spawn([process.execPath, MAIN, 'ingest', ...captures, '--data', given.path('loads')], { env })
    const accounts = await openAccounts(given.url)
    let isLoading = true
    const keys = (async () => {
      for (let n = 0; isLoading; n++) await accounts.createKey({ userId: `user${n}`, name: 'k', plan: undefined })
    })()
    const counts: number[] = []
    while (loads.exitCode === null) {
      const { manifest } = await given.backup(given.path(`while-${counts.length}`))
      counts.push(manifest.catalogue.records)
    }
    isLoading = false
    await keys
    await accounts.close()
    expect(await loads.exited).toBe(0)
    // Each capture is one commit.
    expect(counts.map((count) => (count - counts[0]!) % 20_000)).toEqual(counts.map(() => 0))
    expect(counts.toSorted((a, b) => a - b)).toEqual(counts)
    for (const n of new Set([0, Math.floor(counts.length / 2), counts.length - 1])) {
      await using place = await given.place()
      await given.restore(given.path(`while-${n}`), place)
      const { markets, damage } = await recordsIn(place.cluster)
      expect(damage).toEqual([])
      const loaded = [...markets].filter(([market]) => /^KX-[0-9]$/.test(market))
      expect(loaded.filter(([, records]) => records !== 20_000)).toEqual([])
      expect(await userOf(place.cluster.catalogue.url, given.secret)).toBe('ann')
    }
  }, 120_000)

  test('one that is killed leaves no folder with its name', async () => {
    const env = { PATH: process.env['PATH'] ?? '', ...given.engines.variables }
    const partials = () => readdirSync(given.folder.path).filter((name) => name.startsWith('.killed.partial-'))
    const child = Bun.spawn([process.execPath, MAIN, 'backup', given.path('killed')], { env })
    while (partials().length === 0 && child.exitCode === null) await Bun.sleep(1)
    child.kill('SIGKILL')
    await child.exited
    expect(partials()).toHaveLength(1)
    expect(existsSync(given.path('killed'))).toBe(false)
    const partial = given.path(partials()[0]!)
    await using place = await given.place()
    await expect(given.restore(partial, place)).rejects.toThrow('or was not finished: it has no manifest.json')
    await given.backup(given.path('killed'))
    expect(existsSync(join(given.path('killed'), 'manifest.json'))).toBe(true)
  }, 60_000)
}

if (HAS_ENGINES) describe('a backup of a cluster', suite)
else describe.skip(`a backup of a cluster: ${ENGINES_SKIPPED}`, suite)
