// Goal: a server on a store with a damaged page in its index refuses the markets below it by name, in its threads as well,
// and answers the others.

import { expect, test } from 'bun:test'
import { readFileSync, writeFileSync } from 'node:fs'
import { startServer } from '../../src/commands/serve.ts'
import { readConfig } from '../../src/config.ts'
import { checkPages } from '../../storage/check-pages.ts'
import { storeFile } from '../../storage/environment.ts'
import { DAY, kalshiDelta, kalshiSnapshot, TICKER } from '../model/lines.ts'
import { withStore } from '../support/store.ts'

const PAGE = 4_096
const WHOLE = { pages: Number.POSITIVE_INFINITY, readsOverflow: true }
const nameOf = (number: number) => `KXM-${String(number).padStart(3, '0')}`

/** Damages a leaf of the heads in the middle of the tree, and gives a market that lies on it. */
function damageLeaf(file: string): string {
  const sound = readFileSync(file)
  for (let page = 2; page < sound.length / PAGE; page++) {
    const bytes = Buffer.from(sound)
    bytes[page * PAGE + 22]! ^= 0x40
    if (bytes.readUInt16LE(page * PAGE + 18) !== 2) continue
    writeFileSync(file, bytes)
    const { faults } = checkPages(file, PAGE, WHOLE)
    const found = faults.find(({ tree, before, after }) => tree === 'heads' && before !== null && after !== null)
    const market = found?.from?.toString('latin1').match(/KXM-[0-9]+/)?.[0]
    if (market !== undefined) return market
  }
  throw new Error('the store has no such leaf')
}

test(
  'a damaged page costs its markets, in every thread, and no other',
  () =>
    withStore(async (store) => {
      const lines = [kalshiSnapshot([['0.4800', '5.00']]), kalshiDelta(0, '0.4900', '1.00')].map((line) =>
        JSON.stringify(line),
      )
      const markets = Array.from({ length: 80 }, (_, number) => nameOf(number))
      await store.loadLines(
        'c.ndjson',
        markets.flatMap((market) => lines.map((line) => line.replaceAll(TICKER, market))),
      )
      await store.store.close()
      const damaged = damageLeaf(storeFile(store.folder))
      const config = readConfig({ flags: {}, variables: { WORKER_THREADS: '1' }, file: undefined }, 1)
      const server = await startServer({ ...config, data: store.folder, port: 0 })
      try {
        const made = await fetch(`${server.url}/keys?user_id=ann&name=test`, { method: 'POST' })
        const { data } = (await made.json()) as { data: { api_key: string } }
        const headers = { authorization: `Bearer ${data.api_key}` }
        const ask = async (question: string, market: string) => {
          const url = `${server.url}/api/v1/kalshi/market/${question}?ticker=${market}&date=${DAY}`
          const response = await fetch(question === 'coverage' ? url.replace(/&.*/, '') : url, { headers })
          return [response.status, await response.text()] as const
        }
        for (const question of ['data', 'orderbook-summary', 'coverage']) {
          const [status, text] = await ask(question, damaged)
          expect([question, status]).toEqual([question, 500])
          expect(text).toMatch(new RegExp(`"The stored index \\(heads\\) of kalshi ${damaged}[^"]* is damaged: page `))
          for (const market of [markets[0]!, markets.at(-1)!]) expect((await ask(question, market))[0]).toBe(200)
        }
      } finally {
        await server.stop()
      }
    }),
  30_000,
)
