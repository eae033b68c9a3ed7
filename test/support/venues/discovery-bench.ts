// Runs discovery with a test REST server, a test clock, and a recorder that notes its calls.

import { join } from 'node:path'
import type { VenueTools } from '../../../src/record/discovery/recorded-venue.ts'
import { startDiscovery, type VenueDiscovery } from '../../../src/record/discovery/venue-discovery.ts'
import { RestHost } from '../../../src/record/rest/rest-host.ts'
import { RecorderStats } from '../../../src/record/status/recorder-stats.ts'
import { RECORDED } from '../../../src/record/venues/venues.ts'
import { VENUES, type Venue } from '../../../storage/venue.ts'
import { TemporaryFolders } from '../disk/temporary-folders.ts'
import { recordConfig } from '../record/record-config.ts'
import { FakeTime } from './fake-time.ts'
import { type MadeMarket, RestServer } from './rest-server.ts'

export const NOW = Date.UTC(2026, 6, 20, 12)
const ORIGIN = 'http://venue.test'

const folders = new TemporaryFolders()
/** Removes the folders. Call it in `afterAll` of each file that makes a bench: a folder may outlive its bench. */
export const removeBenches = () => folders.remove()

export type Bench = ReturnType<typeof discoveryBench>

/** Makes a bench. `sections` are what `recordConfig` accepts, without addresses. */
export function discoveryBench(
  sections: { polymarket?: object; kalshi?: object },
  { folder = folders.make(), server = new RestServer(), time = new FakeTime(NOW) } = {},
) {
  const { polymarket, kalshi } = sections
  const file = {
    ...(polymarket && {
      polymarket: { ws_url: 'ws://x/', gamma_url: ORIGIN, ...polymarket },
    }),
    ...(kalshi && {
      kalshi: { ws_url: 'ws://x/', rest_url: `${ORIGIN}/trade-api/v2`, ...kalshi },
    }),
  }
  const config = recordConfig(file, folder)
  const stats = new RecorderStats(NOW)
  const wanted = new Map<string, string>()
  const bodies: string[] = []
  const context = { clock: time.clock, timers: time.timers, random: () => 0.5 }
  const found = VENUES.flatMap((venue) => {
    const of = config[venue]
    if (of === null) return []
    const counted = { ...context, fetch: server.fetch, stats: stats.venues[venue].discovery }
    const hostOf: VenueTools['hostOf'] = (rest) => rest && new RestHost({ ...rest, requestsPerSecond: 1_000 }, counted)
    const tools = { ...context, hostOf, hint: () => undefined, contradicted: () => undefined }
    return [{ venue, config: of, ...RECORDED[venue].open(of, tools) }]
  })
  let discovery: VenueDiscovery[] = []
  return {
    time,
    server,
    folder,
    stats,
    /** The market of each wanted book, by book. */
    wanted,
    bodies,
    hint: (venue: Venue, ...of: Parameters<VenueDiscovery['hint']>) =>
      discovery.find((each) => each.venue === venue)?.hint(...of),
    settled: () => Promise.all(discovery.map((each) => each.settled())),
    start() {
      const options = { folder, clock: time.clock, timers: time.timers, random: () => 0.5, stats }
      discovery = startDiscovery(found, {
        ...options,
        sink: {
          want(markets) {
            for (const { market, books } of markets) for (const book of books) wanted.set(book, market ?? 'named')
          },
          unwant(_, books) {
            for (const book of books) wanted.delete(book)
          },
        },
        store: (_venue, body) => bodies.push(body),
        log: { info: () => undefined, warn: () => undefined },
      })
    },
    async stop() {
      const stopped = Promise.all(discovery.map((each) => each.stop()))
      await time.advance(0)
      await stopped
    },
  }
}

/** Returns 0x and 64 digits. */
export const conditionId = (n: number): string => `0x${n.toString(16).padStart(64, '0')}`

export const madeMarket = (n: number, given: Partial<MadeMarket> = {}): MadeMarket => ({
  conditionId: conditionId(n),
  slug: `market-${n}`,
  tokens: [`${n}1`, `${n}2`],
  createdMs: NOW - 86_400_000,
  ...given,
})
export const madeMarkets = (count: number): MadeMarket[] => Array.from({ length: count }, (_, i) => madeMarket(i + 1))

export async function startedBench(polymarket: object, markets: MadeMarket[]): Promise<Bench> {
  const bench = discoveryBench({ polymarket })
  bench.server.markets = markets
  bench.start()
  await bench.time.advance(5_000)
  return bench
}

export const setFile = ({ folder }: Bench) => join(folder, 'recorder', 'markets-polymarket.ndjson')
