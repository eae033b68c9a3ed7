// Reports what a configuration would record: runs discovery once and tries one connection to each venue, but
// subscribes and stores nothing.

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isRefusal } from '../../../storage/retry/http-client.ts'
import { inTime, systemTimers } from '../../../storage/retry/timers.ts'
import { VENUES, type Venue } from '../../../storage/venue.ts'
import type { RecordConfig } from '../config/read-record-config.ts'
import { isOfShare } from '../config/record-settings.ts'
import type { RestConfig } from '../config/venue-config.ts'
import type { VenueProtocol } from '../connection/venue-protocol.ts'
import {
  type Handshake,
  handshakeRefusal,
  type OpenedSocket,
  openWebSocket,
  type SocketEnd,
  withoutSecrets,
} from '../connection/web-socket.ts'
import { startDiscovery } from '../discovery/start-discovery.ts'
import { KalshiProtocol } from '../kalshi/protocol.ts'
import { PolymarketProtocol } from '../polymarket/protocol.ts'
import { RestHost } from '../rest/rest-host.ts'
import { RecorderFigures } from '../status/recorder-figures.ts'
import { type Clock, MachineClock } from '../time/clock.ts'

/** As `--check --json` prints it. */
export type CheckedVenue = {
  venue: Venue
  markets: number
  /** Tokens or tickers. */
  books: number
  connections: number
  /** Markets above the limit of discovery or `connections_max`. */
  markets_left_out: number
  ws_url: string
  rest_requests: number
  /** Null if the venue has no signatures. */
  is_signed: boolean | null
  /** Whether the venue accepted a connection. */
  connects: boolean
  /** Failed requests and the failed connection, as sentences. */
  problems: string[]
}

export async function checkVenues(config: RecordConfig): Promise<CheckedVenue[]> {
  const folder = mkdtempSync(join(tmpdir(), 'backbook-check-'))
  const figures = new RecorderFigures(Date.now())
  const books = new Map<Venue, Set<string>>(VENUES.map((venue) => [venue, new Set()]))
  const markets = new Map<Venue, Set<string>>(VENUES.map((venue) => [venue, new Set()]))
  const clock = new MachineClock()
  const shared = { clock, timers: systemTimers, random: Math.random }
  const hostOf = (venue: Venue, rest: RestConfig | null | undefined) =>
    rest ? new RestHost(rest, { ...shared, figures: figures.venues[venue].discovery }) : null
  const hosts = { gamma: hostOf('polymarket', config.polymarket?.gamma), kalshi: hostOf('kalshi', config.kalshi?.rest) }
  try {
    const discovery = startDiscovery(config, hosts, {
      ...{ ...shared, folder, figures },
      sink: {
        want(wanted) {
          const ours = wanted.filter((each) => config.share === null || isOfShare(each, config.share))
          for (const { venue, market, books: ids } of ours) {
            markets.get(venue)!.add(market ?? ids.join())
            for (const book of ids) books.get(venue)!.add(book)
          }
          return []
        },
        unwant: () => undefined,
      },
      store: () => undefined,
      log: { info: () => undefined, warn: () => undefined },
    })
    const [failures] = await Promise.all([tryConnections(config, clock), discovery.settled()])
    const problems = [...figures.problems.values()]
    await discovery.stop()
    return VENUES.flatMap((venue): CheckedVenue[] => {
      const of = config[venue]
      if (of === null) return []
      const failure = failures.get(venue)
      const { perConnection, connectionsMax } = of
      const connections = Math.ceil(books.get(venue)!.size / perConnection)
      const fitting = Math.floor((markets.get(venue)!.size * connectionsMax) / Math.max(1, connections))
      const surplus = connections > connectionsMax ? markets.get(venue)!.size - fitting : 0
      return [
        {
          venue,
          markets: markets.get(venue)!.size - surplus,
          books: books.get(venue)!.size,
          connections: Math.min(connections, connectionsMax),
          markets_left_out: figures.venues[venue].marketsLeftOut + surplus,
          ws_url: withoutSecrets(of.wsUrl),
          rest_requests: figures.venues[venue].discovery.requests,
          is_signed: venue === 'kalshi' ? config.kalshi?.signing != null : null,
          connects: failure === undefined,
          problems: [
            ...problems.filter((problem) => problem.includes(venue)),
            ...(failure === undefined ? [] : [failure]),
          ],
        },
      ]
    })
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

const CONNECT_MS = 10_000

/** Returns a sentence for each venue that accepts no connection. */
async function tryConnections(
  { polymarket, kalshi }: RecordConfig,
  clock: Pick<Clock, 'wallNs'>,
): Promise<Map<Venue, string>> {
  const shared = { rest: null, timers: systemTimers, random: Math.random }
  const protocols: VenueProtocol[] = []
  if (kalshi !== null) protocols.push(new KalshiProtocol({ ...shared, config: kalshi, clock }))
  if (polymarket !== null) {
    protocols.push(new PolymarketProtocol({ ...shared, config: polymarket, listens: false, hint: () => undefined }))
  }
  const tried = protocols.map(
    async (protocol) => [protocol.venue, await failureOf(protocol.venue, protocol.handshake())] as const,
  )
  const failures = new Map<Venue, string>()
  for (const [venue, failure] of await Promise.all(tried)) if (failure !== null) failures.set(venue, failure)
  return failures
}

async function failureOf(venue: Venue, handshake: Handshake): Promise<string | null> {
  const cannot = `the connection to ${withoutSecrets(handshake.url)} cannot be opened`
  let socket: OpenedSocket | undefined
  const opening = new Promise<string | null>((resolve) => {
    socket = openWebSocket()(handshake, [], {
      opened: () => resolve(null),
      ended: (end) =>
        resolve(isRefusal(end.status) ? handshakeRefusal(venue, handshake, end) : `${cannot}: ${whyNot(end)}`),
      text: () => undefined,
      alive: () => undefined,
    })
  })
  const late = () => new Error(`${cannot}: it did not open within ${CONNECT_MS / 1_000} s`)
  try {
    return await inTime(() => opening, CONNECT_MS, late)
  } catch (error) {
    return (error as Error).message
  } finally {
    socket?.terminate()
  }
}

function whyNot({ status, reason, code }: SocketEnd): string {
  if (status !== null) return `the answer was ${status}${reason === '' ? '' : ` (${reason})`}`
  // The runtime repeats the address.
  return reason.replace(/^WebSocket connection to .* failed: /, '') || `it was closed with ${code}`
}
