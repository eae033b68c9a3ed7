// The endpoints of replays: in the protocols of both venues, and as records.

import type { Catalogue } from '../../storage/catalogue.ts'
import { VENUES } from '../../storage/venue.ts'
import type { Workers } from '../../workers/requests.ts'
import { assertScope } from '../http/access/require-key.ts'
import { requestedMarkets, VENUE_MARKETS } from '../http/parameters/venue-markets.ts'
import type { Opening, SocketEndpoint } from '../http/sockets/socket.ts'
import { AssetMarkets } from './asset-markets.ts'
import { booksOf } from './books.ts'
import { Continuations, type Left } from './continuations.ts'
import { KalshiSession } from './kalshi-session.ts'
import { PageSource } from './page-source.ts'
import { PolymarketSession } from './polymarket-session.ts'
import { RecordsSession, type Resumed } from './records-session.ts'
import { STAMPED } from './stamped.ts'
import { REPLAY_TIMERS, type ReplayTimers } from './timers.ts'
import { SPEED, WINDOW, windowIn } from './window-parameters.ts'

export const POLYMARKET_PATH = '/replay/polymarket/ws/market'
export const KALSHI_PATH = '/replay/kalshi/trade-api/ws/v2'
export const RECORDS_PATH = '/replay'

/** Wait for further subscriptions before the replay begins. */
const SETTLE_MS = 250

type Dependencies = { catalogue: Catalogue; workers: Pick<Workers, 'ask'>; timers?: ReplayTimers; settleMs?: number }

export function replayEndpoints(dependencies: Dependencies): SocketEndpoint[] {
  const { catalogue, workers, timers = REPLAY_TIMERS, settleMs = SETTLE_MS } = dependencies
  const continuations = new Continuations(() => timers.nowMs())
  const assets = new AssetMarkets(catalogue)
  const askBooks = booksOf(workers)
  const shared = { required: WINDOW, optional: SPEED }

  const inProtocol = (opening: Opening) => {
    const { protocols, target } = opening
    const client = clientOf(opening)
    return {
      window: windowIn(opening.query),
      ...{ timers, settleMs, askBooks, isStamped: protocols.includes(STAMPED) },
      pages: new PageSource(workers, timers),
      left: continuations.take(client, target),
      disconnected: (left: Left) => continuations.leave(client, target, left),
    }
  }
  const accepted = <T>(session: T, { protocols }: Opening) =>
    protocols.includes(STAMPED) ? { session, protocol: STAMPED } : { session }

  const polymarket: SocketEndpoint = {
    path: POLYMARKET_PATH,
    venue: 'polymarket',
    ...shared,
    hasEvents: false,
    about: { id: 'replayPolymarket', tag: 'polymarket', ...IN_PROTOCOL("Polymarket's market channel") },
    accept: (opening) => accepted(new PolymarketSession({ ...inProtocol(opening), assets }), opening),
  }
  const kalshi: SocketEndpoint = {
    path: KALSHI_PATH,
    venue: 'kalshi',
    ...shared,
    hasEvents: false,
    about: { id: 'replayKalshi', tag: 'kalshi', ...IN_PROTOCOL("Kalshi's WebSocket") },
    accept: (opening) => accepted(new KalshiSession(inProtocol(opening)), opening),
  }
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
  return [polymarket, kalshi, records]
}

const IN_PROTOCOL = (protocol: string) => ({
  summary: `A replay in the protocol of ${protocol}`,
  description:
    `A program written for ${protocol} connects to this address instead. It receives the book at \`from\` of each ` +
    'market that it subscribes to, then the stored messages up to `to`. A gap closes the connection with 1012, the end ' +
    'with 1000.',
})

/** Returns the name by which a client is recognised after a disconnect: its key, else its address. */
const clientOf = ({ key, address }: Opening): string => key?.keyId ?? address ?? ''

const EVENT_ID = /^\d{1,15}\.\d{1,9}$/

/** Parses a Last-Event-ID. Returns null if it is not one of ours: then the client starts from the beginning. */
function resumedIn(lastEventId: string | null): Resumed | null {
  if (lastEventId === null || !EVENT_ID.test(lastEventId)) return null
  const [timeMs, count] = lastEventId.split('.').map(Number)
  return { timeMs: timeMs!, count: count! }
}
