// Reports what a configuration would record: runs discovery once and tries one connection to each venue, but
// subscribes and stores nothing.

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isRefusal } from '../../../storage/retry/http-client.ts'
import { inTime, systemTimers } from '../../../storage/retry/timers.ts'
import { byVenue, VENUES, type Venue } from '../../../storage/venue.ts'
import { isOfShare } from '../config/record-settings.ts'
import {
  type Handshake,
  handshakeRefusal,
  type OpenedSocket,
  openWebSocket,
  type SocketEnd,
  withoutSecrets,
} from '../connection/web-socket.ts'
import type { VenueTools } from '../discovery/recorded-venue.ts'
import { startDiscovery } from '../discovery/venue-discovery.ts'
import { RestHost } from '../rest/rest-host.ts'
import { RecorderStats } from '../status/recorder-stats.ts'
import { MachineClock } from '../time/clock.ts'
import type { RecordConfig } from '../venues/read-record-config.ts'
import { RECORDED } from '../venues/venues.ts'

/** A venue in the form that `--check --json` prints. */
export type CheckedVenue = {
  venue: Venue
  markets: number
  /** Tokens or tickers. */
  books: number
  connections: number
  /** Number of markets that do not fit into `connections_max` connections. */
  markets_left_out: number
  ws_url: string
  rest_requests: number
  /** Whether handshakes are signed; null if the venue has no signatures. */
  is_signed: boolean | null
  /** Whether the venue accepted a connection. */
  connects: boolean
  /** Failed requests and the failed connection, as sentences. */
  problems: string[]
}

export async function checkVenues(config: RecordConfig): Promise<CheckedVenue[]> {
  const folder = mkdtempSync(join(tmpdir(), 'backbook-check-'))
  const stats = new RecorderStats(Date.now())
  const books = byVenue(() => new Set<string>())
  const markets = byVenue(() => new Set<string>())
  const clock = new MachineClock()
  const shared = { clock, timers: systemTimers, random: Math.random }
  const opened = VENUES.flatMap((venue) => {
    const of = config[venue]
    if (of === null) return []
    const hostOf: VenueTools['hostOf'] = (rest) =>
      rest && new RestHost(rest, { ...shared, stats: stats.venues[venue].discovery })
    const tools = { ...shared, hostOf, hint: () => undefined, contradicted: () => undefined }
    return [{ venue, config: of, ...RECORDED[venue].open(of, tools) }]
  })
  try {
    const discovery = startDiscovery(opened, {
      ...{ ...shared, folder, stats },
      sink: {
        want(wanted) {
          const ours = wanted.filter((each) => config.share === null || isOfShare(each, config.share))
          for (const { venue, market, books: ids } of ours) {
            markets[venue].add(market ?? ids.join())
            for (const book of ids) books[venue].add(book)
          }
        },
        unwant: () => undefined,
      },
      store: () => undefined,
      log: { info: () => undefined, warn: () => undefined },
    })
    const failing = Promise.all(opened.map(({ venue, protocol }) => failureOf(venue, protocol.handshake())))
    const [failures] = await Promise.all([failing, ...discovery.map((each) => each.settled())])
    const problems = [...stats.problems.values()]
    await Promise.all(discovery.map((each) => each.stop()))
    return opened.map(({ venue, config: of, isSigned }, index): CheckedVenue => {
      const failure = failures[index]!
      const { perConnection, connectionsMax } = of
      const connections = Math.ceil(books[venue].size / perConnection)
      const fitting = Math.floor((markets[venue].size * connectionsMax) / Math.max(1, connections))
      const surplus = connections > connectionsMax ? markets[venue].size - fitting : 0
      return {
        venue,
        markets: markets[venue].size - surplus,
        books: books[venue].size,
        connections: Math.min(connections, connectionsMax),
        markets_left_out: surplus,
        ws_url: withoutSecrets(of.wsUrl),
        rest_requests: stats.venues[venue].discovery.requests,
        is_signed: isSigned,
        connects: failure === null,
        problems: [...problems.filter((problem) => problem.includes(venue)), ...(failure === null ? [] : [failure])],
      }
    })
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

const CONNECT_MS = 10_000

/** Returns why no connection can be opened, as a sentence; null if one was opened. */
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
  // The runtime's reason repeats the address, so this removes the address.
  return reason.replace(/^WebSocket connection to .* failed: /, '') || `it was closed with ${code}`
}
