// The endpoints of replays: in the protocols of venues, and as records.

import type { Catalogue } from '../storage/catalogue.ts'
import { VENUES, type Venue } from '../storage/venue.ts'
import type { Workers } from '../workers/requests.ts'
import { assertScope } from './http/access/require-key.ts'
import { requestedMarkets, VENUE_MARKETS } from './http/parameters/venue-markets.ts'
import type { Opening, SocketEndpoint } from './http/sockets/socket.ts'
import { booksOf } from './replay/books.ts'
import { continuations, type Left, placeName } from './replay/continuations.ts'
import { PageSource } from './replay/page-source.ts'
import { RecordsSession, type Resumed } from './replay/records-session.ts'
import type { ReplayProtocol } from './replay/replay-protocol.ts'
import { STAMPED } from './replay/stamped.ts'
import { REPLAY_TIMERS, type ReplayTimers } from './replay/timers.ts'
import { KALSHI } from './replay/venues/kalshi/protocol.ts'
import { POLYMARKET } from './replay/venues/polymarket/protocol.ts'
import { SPEED, WINDOW, windowIn } from './replay/window-parameters.ts'

/** Null: messages of the venue are replayed only as records. */
const PROTOCOLS: Readonly<Record<Venue, ReplayProtocol | null>> = { polymarket: POLYMARKET, kalshi: KALSHI }

export const RECORDS_PATH = '/replay'

/** Wait for further subscriptions before the replay begins. */
const SETTLE_MS = 250

type Dependencies = { catalogue: Catalogue; workers: Pick<Workers, 'ask'>; timers?: ReplayTimers; settleMs?: number }

export function replayEndpoints(dependencies: Dependencies): SocketEndpoint[] {
  const { catalogue, workers, timers = REPLAY_TIMERS, settleMs = SETTLE_MS } = dependencies
  const places = continuations(() => timers.nowMs())
  const askBooks = booksOf(workers)
  const shared = { required: WINDOW, optional: SPEED }

  const inProtocol = (opening: Opening) => {
    const { protocols, target } = opening
    const name = placeName(clientOf(opening), target)
    const left = places.get(name) ?? null
    places.delete(name)
    return {
      window: windowIn(opening.query),
      ...{ timers, settleMs, askBooks, isStamped: protocols.includes(STAMPED) },
      pages: new PageSource(workers, timers),
      left,
      disconnected: (place: Left) => void places.set(name, place),
    }
  }
  const accepted = <T>(session: T, { protocols }: Opening) =>
    protocols.includes(STAMPED) ? { session, protocol: STAMPED } : { session }

  const ofVenues = VENUES.flatMap((venue): SocketEndpoint[] => {
    const protocol = PROTOCOLS[venue]
    if (protocol === null) return []
    const { path, id, name } = protocol
    const sessionOf = protocol.sessions(catalogue)
    const about = { id, tag: venue, ...inProtocolOf(name) }
    const accept = (opening: Opening) => accepted(sessionOf(inProtocol(opening)), opening)
    return [{ path, venue, ...shared, hasEvents: false, about, accept }]
  })
  const records: SocketEndpoint = {
    path: RECORDS_PATH,
    venue: null,
    required: WINDOW,
    optional: { ...SPEED, ...VENUE_MARKETS },
    hasEvents: true,
    about: {
      id: 'replayRecords',
      tag: 'lookup',
      summary: 'Records of many markets of both venues, in one order and at any speed',
      description:
        'Each message is a record as in raw data, with `venue` and `market` in front. The connection closes with 1000 ' +
        'when all is sent. Server-sent events end with an event `close`, and continue from `Last-Event-ID`.',
      failures: ['market_not_stored', 'event_not_found'],
    },
    async accept(opening) {
      const { query, key, lastEventId } = opening
      const window = windowIn(query)
      const resumed = resumedIn(lastEventId)
      const markets = await requestedMarkets(query, catalogue)
      for (const venue of VENUES) {
        if (key !== null && markets.some((market) => market.venue === venue)) assertScope(key, venue)
      }
      const pages = new PageSource(workers, timers)
      return { session: new RecordsSession({ window, timers, pages, markets, resumed }) }
    },
  }
  return [...ofVenues, records]
}

const inProtocolOf = (protocol: string) => ({
  summary: `A replay in the protocol of ${protocol}`,
  description:
    `A program written for ${protocol} connects to this address instead. It receives the book at \`from\` of each ` +
    'market that it subscribes to, then the stored messages up to `to`. A gap closes the connection with 1012, the end ' +
    'with 1000.',
})

/** Returns the name by which a client is recognised after a disconnect: its key, else its address. */
const clientOf = ({ key, address }: Opening): string => key?.keyId ?? address ?? ''

const EVENT_ID = /^\d{1,15}\.\d{1,9}$/

/** Parses a Last-Event-ID. Returns null for an invalid id: the client then starts from the beginning. */
function resumedIn(lastEventId: string | null): Resumed | null {
  if (lastEventId === null || !EVENT_ID.test(lastEventId)) return null
  const [timeMs, count] = lastEventId.split('.').map(Number)
  return { timeMs: timeMs!, count: count! }
}
