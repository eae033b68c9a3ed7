// Goal: a server on a store with a damaged page in its index refuses the markets below it by name, in its threads as
// well, and answers the others; also where the page is damaged while it runs.

import { expect, test } from 'bun:test'
import { openSync, readFileSync, writeFileSync, writeSync } from 'node:fs'
import { startServer } from '../../src/commands/server/serve.ts'
import { readConfig } from '../../src/config/config.ts'
import type { DataError } from '../../storage/failures.ts'
import { checkPages } from '../../storage/lmdb/check-pages.ts'
import { storeFile } from '../../storage/lmdb/environment.ts'
import { openStore } from '../../storage/open-store.ts'
import { createWorkers } from '../../workers/pool/pool.ts'
import { DAY, kalshiDelta, kalshiSnapshot, TICKER } from '../model/lines.ts'
import { type TestStore, withStore } from '../support/store.ts'

const PAGE = 4_096
const WHOLE = { pages: Number.POSITIVE_INFINITY, readsOverflow: true }
const nameOf = (number: number) => `KXM-${String(number).padStart(3, '0')}`

/** The server's own thread asks for heads, and those that answer for blocks, too. */
const TREES = ['heads', 'blocks'] as const
type Tree = (typeof TREES)[number]

const boundsWound = (page: Buffer) => void page.writeUInt8(page[22]! ^ 0x40, 22)
/** LMDB sees it, and says so. */
const emptied = (page: Buffer) => void page.fill(0)

/** Damages a leaf in the middle of a tree, and gives a market that lies on it. */
function damageLeaf(file: string, tree: Tree, wound: (page: Buffer) => void = boundsWound): string {
  const sound = readFileSync(file)
  for (let page = 2; page < sound.length / PAGE; page++) {
    const bytes = Buffer.from(sound)
    if (bytes.readUInt16LE(page * PAGE + 18) !== 2) continue
    wound(bytes.subarray(page * PAGE, (page + 1) * PAGE))
    writeFileSync(`${file}.tried`, bytes)
    const { faults } = checkPages(`${file}.tried`, PAGE, WHOLE)
    const found = faults.find((fault) => fault.tree === tree && fault.before !== null && fault.after !== null)
    const market = found?.from?.toString('latin1').match(/KXM-[0-9]+/)?.[0]
    if (market === undefined) continue
    // In place, as the file is mapped by whoever has it open.
    writeSync(openSync(file, 'r+'), bytes, page * PAGE, PAGE, page * PAGE)
    return market
  }
  throw new Error('the store has no such leaf')
}

type Ask = (question: string, market: string) => Promise<readonly [number, string]>

const MARKETS = Array.from({ length: 80 }, (_, number) => nameOf(number))

/** A folder with a day of each market. */
async function loaded(store: TestStore): Promise<string> {
  const lines = [kalshiSnapshot([['0.4800', '5.00']]), kalshiDelta(0, '0.4900', '1.00')].map((line) =>
    JSON.stringify(line),
  )
  await store.loadLines(
    'c.ndjson',
    MARKETS.flatMap((market) => lines.map((line) => line.replaceAll(TICKER, market))),
  )
  await store.store.close()
  return store.folder
}

/** A server of one thread. */
async function withServer(folder: string, run: (ask: Ask, url: string) => Promise<void>): Promise<void> {
  const config = readConfig({ flags: {}, variables: { WORKER_THREADS: '1' }, file: undefined }, 1)
  const server = await startServer({ ...config, data: folder, port: 0 })
  try {
    const made = await fetch(`${server.url}/keys?user_id=ann&name=test`, { method: 'POST' })
    const { data } = (await made.json()) as { data: { api_key: string } }
    const headers = { authorization: `Bearer ${data.api_key}` }
    const ask: Ask = async (question, market) => {
      const url = `${server.url}/api/v1/kalshi/market/${question}?ticker=${market}&date=${DAY}`
      const response = await fetch(question === 'coverage' ? url.replace(/&.*/, '') : url, { headers })
      return [response.status, await response.text()]
    }
    await run(ask, server.url)
  } finally {
    await server.stop()
  }
}

async function expectRefused(ask: Ask, tree: Tree, damaged: string): Promise<void> {
  for (const question of ['data', 'orderbook-summary', ...(tree === 'heads' ? ['coverage'] : [])]) {
    const [status, text] = await ask(question, damaged)
    expect([question, status]).toEqual([question, 500])
    expect(text).toMatch(new RegExp(`"The stored index \\(${tree}\\) of kalshi ${damaged}[^"]* is damaged: page `))
    for (const market of [MARKETS[0]!, MARKETS.at(-1)!]) expect((await ask(question, market))[0]).toBe(200)
  }
}

test.each(TREES)(
  'a damaged page of the %s costs its markets, in every thread, and no other',
  (tree) =>
    withStore(async (store) => {
      const folder = await loaded(store)
      const damaged = damageLeaf(storeFile(folder), tree)
      await withServer(folder, (ask) => expectRefused(ask, tree, damaged))
    }),
  30_000,
)

test.each(TREES)(
  'a page of the %s that is damaged while the server runs is found, and costs no more than that',
  (tree) =>
    withStore(async (store) => {
      const folder = await loaded(store)
      await withServer(folder, async (ask, url) => {
        for (const market of MARKETS) expect((await ask('data', market))[0]).toBe(200)
        expect(await metric(url, 'backbook_store_index_faults')).toBe(0)
        const damaged = damageLeaf(storeFile(folder), tree)
        while ((await metric(url, 'backbook_store_index_faults')) === 0) await Bun.sleep(20)
        await expectRefused(ask, tree, damaged)
        expect(await (await fetch(`${url}/api/v1/monitoring/status`)).text()).toContain(
          '"name":"storage","status":"degraded"',
        )
        expect(await metric(url, 'backbook_index_checks_total')).toBeGreaterThan(1)
        expect(await metric(url, 'backbook_index_checked_pages_total')).toBeGreaterThan(10)
      })
    }),
  30_000,
)

test('a page that LMDB meets before the check costs its market, and the thread goes on', () =>
  withStore(async (store) => {
    const folder = await loaded(store)
    const opened = openStore(folder)
    const workers = createWorkers({ folder, threads: 1, queueMax: 10 })
    const ask = async (market: string) => {
      const scope = { date: DAY, offset: 0 }
      const asking = workers.page({ venue: 'kalshi', market, book: null, limit: 10, scope })
      return asking.then(
        ({ dataCount }) => dataCount,
        (error: DataError) => error.code,
      )
    }
    try {
      for (const market of MARKETS) expect(await ask(market)).toBe(2)
      const damaged = damageLeaf(storeFile(folder), 'blocks', emptied)
      expect(await ask(damaged)).toBe('block_corrupt')
      for (const market of [MARKETS[0]!, MARKETS.at(-1)!]) expect(await ask(market)).toBe(2)
    } finally {
      await workers.close()
      await opened.close()
    }
  }))

async function metric(url: string, name: string): Promise<number> {
  const text = await (await fetch(`${url}/api/v1/metrics`)).text()
  return Number(text.match(new RegExp(`^${name} (\\d+)$`, 'm'))?.[1])
}
