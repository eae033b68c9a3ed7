// `backbook record` with markets that Gamma finds: from the list to the store, and again after a restart without Gamma.

import { afterAll, beforeAll, expect, test } from 'bun:test'
import { runBackbook } from '../../../support/programs/program.ts'
import { emptyFolder, endRecorders, recordProcess, recordToml, seenOf } from '../../../support/record/record-process.ts'
import { conditionId } from '../../../support/venues/discovery-bench.ts'
import { PolymarketServer } from '../../../support/venues/polymarket-server.ts'
import { broken, RestServer } from '../../../support/venues/rest-server.ts'

const venue = new PolymarketServer()
const gamma = new RestServer()
let listening: ReturnType<RestServer['listen']>

beforeAll(async () => {
  await venue.start()
  listening = gamma.listen()
})
afterAll(async () => {
  await endRecorders()
  await Promise.all([venue.stop(), listening.stop()])
})

/** At the venue, and in Gamma's list. */
function openMarket(n: number, tags: string[]): void {
  const tokens: [string, string] = [`${n}1`, `${n}2`]
  venue.addMarket(conditionId(n), tokens)
  gamma.markets.push({ conditionId: conditionId(n), slug: `market-${n}`, tokens, tags, createdMs: Date.now() })
}

test('markets are found, followed to their end, and known again after a restart', async () => {
  for (let n = 1; n <= 30; n++) openMarket(n, [n % 3 === 0 ? 'sports' : 'crypto'])
  const data = emptyFolder()
  const addresses = `ws_url = "${venue.wsUrl}"\ngamma_url = "${listening.url}"\nclob_url = "${venue.clobUrl}"\n`
  const pace =
    'new_seconds = 0.3\nresolved_seconds = 0.3\nkeep_seconds = 0\ngamma_per_second = 100\nper_connection = 8\n'
  const config = recordToml(data, `commit_seconds = 0.3\n[polymarket]\n${addresses}${pace}tags = ["crypto"]\n`)
  const recorded = (markets: number) =>
    seenOf(data, ({ state, status: { venues } }) => {
      const { markets: wanted, books_lost: lost } = venues.polymarket!
      return state === 'recording' && wanted === markets && lost === 0
    })

  const first = recordProcess(data, config)
  // Five of eight tokens, and one that hears of new markets.
  expect((await recorded(20)).status.venues.polymarket?.connections).toBe(6)
  openMarket(40, ['crypto'])
  openMarket(41, ['sports'])
  await recorded(21)
  gamma.markets[0]!.closedMs = Date.now()
  await recorded(20)
  expect((await first.stop()).exitCode).toBe(0)

  gamma.faultForEver = broken
  const second = recordProcess(data, config)
  const seen = await seenOf(data, ({ status: { pid, venues } }) => {
    const { books, books_lost: lost } = venues.polymarket!
    return pid === second.pid && books > 0 && lost === 0
  })
  expect(seen.status.venues.polymarket).toMatchObject({ markets: 20, books: 40 })
  expect((await second.stop()).exitCode).toBe(0)

  const { out } = await runBackbook(['search', 'market-40', '--data', data])
  expect(out).toContain('Is it market-40?')
  const closed = await runBackbook(['info', '--data', data, '--venue', 'polymarket', '--market', conditionId(1)])
  expect(closed.out).toContain('closed')
  const stored = await runBackbook(['markets', '--data', data, '--json'])
  expect(JSON.parse(stored.out).markets).toHaveLength(21)
})
