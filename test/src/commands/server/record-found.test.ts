// Runs the recorder as a process with markets that Gamma finds: from the list to the store, and again after a restart
// without Gamma.

import { afterAll, beforeAll, expect, test } from 'bun:test'
import { TemporaryFolders } from '../../../support/disk/temporary-folders.ts'
import { runBackbook } from '../../../support/programs/program.ts'
import { Recording } from '../../../support/trial/recording.ts'
import { conditionId } from '../../../support/venues/discovery-bench.ts'
import { PolymarketServer } from '../../../support/venues/polymarket-server.ts'
import { broken, RestServer } from '../../../support/venues/rest-server.ts'

const venue = new PolymarketServer()
const gamma = new RestServer()
const folders = new TemporaryFolders()
let listening: ReturnType<RestServer['listen']>
let recording: Recording | undefined

beforeAll(async () => {
  await venue.start()
  listening = gamma.listen()
})
afterAll(async () => {
  if (recording?.hasEnded === false) await recording.kill()
  folders.remove()
  await Promise.all([venue.stop(), listening.stop()])
})

/** Adds a market at the venue and in Gamma's list. */
function openMarket(n: number, tags: string[]): void {
  const tokens: [string, string] = [`${n}1`, `${n}2`]
  venue.addMarket(conditionId(n), tokens)
  gamma.markets.push({ conditionId: conditionId(n), slug: `market-${n}`, tokens, tags, createdMs: Date.now() })
}

test('the recorder finds markets, follows them to their end, and knows them after a restart', async () => {
  for (let n = 1; n <= 30; n++) openMarket(n, [n % 3 === 0 ? 'sports' : 'crypto'])
  const data = folders.make()
  const addresses = { ws_url: venue.wsUrl, gamma_url: listening.url, clob_url: venue.clobUrl }
  const pace = { newMs: 300, resolvedMs: 300, keepMs: 0 }
  const config = {
    commit_seconds: 0.3,
    polymarket: { ...addresses, ...pace, per_connection: 8, tags: ['crypto'] },
  }
  const recorded = (markets: number) =>
    recording!.until(`${markets} markets are recorded`, ({ state, venues: { polymarket } }) => {
      const { markets: wanted, books_lost: lost } = polymarket!
      return state === 'recording' && wanted === markets && lost === 0
    })

  recording = Recording.start(data, config)
  await recorded(20)
  // Five connections for eight tokens, and one that receives new markets.
  expect(recording.status?.venues.polymarket?.connections).toBe(6)
  openMarket(40, ['crypto'])
  openMarket(41, ['sports'])
  await recorded(21)
  gamma.markets[0]!.closedMs = Date.now()
  await recorded(20)
  await recording.stop()

  gamma.faultForEver = broken
  recording = Recording.start(data, config)
  await recording.until('books are recorded again', ({ venues: { polymarket } }) => {
    const { books, books_lost: lost } = polymarket!
    return books > 0 && lost === 0
  })
  expect(recording.status?.venues.polymarket).toMatchObject({ markets: 20, books: 40 })
  await recording.stop()

  const { out } = await runBackbook(['search', 'market-40', '--data', data])
  expect(out).toContain('Is it market-40?')
  const closed = await runBackbook(['info', '--data', data, '--venue', 'polymarket', '--market', conditionId(1)])
  expect(closed.out).toContain('closed')
  const stored = await runBackbook(['markets', '--data', data, '--json'])
  expect(JSON.parse(stored.out).markets).toHaveLength(21)
})
