// Faults of venues. Each fault affects one connection or the next ones. `endFaults` ends those that would continue.

import { broken, cursorIgnored, cutOff, garbage, tooMany, wrongForm } from '../venues/rest-server.ts'
import type { TrialMarket, TrialVenues } from './trial-venues.ts'

export type Fault = (venues: TrialVenues) => void

const BIG_LENGTH = 2 * 2 ** 20

const polymarketPeer = ({ polymarket: { peers }, random }: TrialVenues) =>
  peers.length === 0 ? undefined : random.pick(peers)
const kalshiPeer = ({ kalshi: { peers }, random }: TrialVenues) => (peers.length === 0 ? undefined : random.pick(peers))
const anySocket = (venues: TrialVenues) =>
  (venues.random.chance(0.5) ? polymarketPeer(venues) : kalshiPeer(venues))?.socket
const aMarket = (venues: TrialVenues, venue: TrialMarket['venue']): TrialMarket | undefined => {
  const all = venues.of(venue)
  return all.length === 0 ? undefined : venues.random.pick(all)
}
const later = (ms: number, action: () => void) => void setTimeout(action, ms)

export const FAULTS = {
  'drops of TCP': (venues) => anySocket(venues)?.drop(),

  'drops within a frame': (venues) => {
    const socket = anySocket(venues)
    socket?.partOf(JSON.stringify({ type: 'cut', filling: 'x'.repeat(500) }), venues.random.between(1, 500))
    socket?.drop()
  },

  'closes with 1001': (venues) => anySocket(venues)?.close(1001, 'going away'),
  'closes with 1012': (venues) => anySocket(venues)?.close(1012, 'service restart'),

  /** Heartbeats are answered, but data stops. Kalshi's sequence numbers still increase: they show the loss when data
   *  resumes. */
  'freezes with PONG': (venues) => {
    if (venues.random.chance(0.5)) {
      const peer = polymarketPeer(venues)
      if (peer !== undefined) peer.isFrozen = true
      return
    }
    const peer = kalshiPeer(venues)
    if (peer === undefined) return
    peer.isFrozen = true
    later(venues.random.between(5, 2_000), () => {
      peer.isFrozen = false
    })
  },

  'half-open connections': (venues) => {
    const peer = venues.random.chance(0.5) ? polymarketPeer(venues) : kalshiPeer(venues)
    if (peer === undefined) return
    peer.isFrozen = true
    peer.socket.isSilent = true
  },

  'sequence numbers left out': (venues) => {
    kalshiPeer(venues)?.skip(venues.random.pick(['orderbook_delta', 'trade']), venues.random.between(1, 5))
  },

  'frames sent twice': (venues) => {
    venues.polymarket.isRepeating = true
    later(20, () => {
      venues.polymarket.isRepeating = false
    })
  },

  'numbered frames sent twice': (venues) => {
    const text = kalshiPeer(venues)?.repeat() ?? ''
    const n = /"n":(\d+)/.exec(text)?.[1]
    if (n !== undefined) venues.ledger.delivered(Number(n), 1, 2)
  },

  arrays: (venues) => {
    const market = aMarket(venues, 'polymarket')
    if (market !== undefined) venues.sendArray(market, venues.random.between(2, 20))
  },

  'ends of lines behind frames': ({ polymarket }) => {
    polymarket.frameEnd = polymarket.frameEnd === '' ? '\n' : ''
  },

  'messages of unknown types': (venues) => {
    const market = aMarket(venues, 'polymarket')
    if (market !== undefined) venues.sendOfToken(market, 0, { event_type: 'never_seen', list: [1, { a: null }] })
  },

  'messages of 2 MB': (venues) => {
    const market = aMarket(venues, 'polymarket')
    if (market !== undefined) venues.sendOfToken(market, 1, { event_type: 'huge', filling: 'x'.repeat(BIG_LENGTH) })
  },

  'refusals with 429': (venues) => {
    const { polymarket, kalshi, random } = venues
    const headers = random.chance(0.5) ? { 'retry-after': '1' } : {}
    for (const { refusals } of [polymarket, kalshi]) refusals.push({ status: 429, headers })
    anySocket(venues)?.drop()
  },

  'closes after a large subscribe': (venues) => {
    const { polymarket } = venues
    const before = polymarket.tokensMax
    if (before < 1_000) return
    polymarket.tokensMax = 5
    polymarketPeer(venues)?.socket.drop()
    later(2_000, () => {
      polymarket.tokensMax = before
    })
  },

  'invalid answers of REST': ({ polymarket: { restFaults }, random }) => {
    restFaults.push(
      random.pick([
        () => new Response('<html>502</html>'),
        () => new Response('no', { status: 500 }),
        () => new Response('slow down', { status: 429, headers: { 'retry-after': '1' } }),
        () => new Response('slow down', { status: 429 }),
      ]),
    )
  },

  'invalid lists of markets': ({ rest, random }) => {
    rest.faults.push(random.pick([garbage, cutOff, wrongForm, broken, cursorIgnored, tooMany(), tooMany('1')]))
  },

  'errors of commands': (venues) => {
    const { kalshi, random } = venues
    const cmd = random.pick(['subscribe', 'add_markets', 'get_snapshot'])
    kalshi.errors.push({ cmd, code: random.pick([1, 10, 18, 25, 27]) })
    kalshiPeer(venues)?.socket.drop()
  },

  'subscriptions ended': (venues) => {
    const { random } = venues
    kalshiPeer(venues)?.endSubscription(random.pick(['orderbook_delta', 'trade']), random.pick([10, 25]))
  },

  /** From now on, a book is available only over REST. */
  'books never sent': (venues) => {
    const [one, other] = [aMarket(venues, 'polymarket'), aMarket(venues, 'kalshi')]
    if (one !== undefined) venues.polymarket.withoutSnapshot.add(one.tokens![0])
    if (other !== undefined) venues.kalshi.withoutSnapshot.add(other.market)
    anySocket(venues)?.drop()
  },
} satisfies Record<string, Fault>

export type FaultName = keyof typeof FAULTS
export const FAULT_NAMES = Object.keys(FAULTS) as FaultName[]

/** Ends the faults that do not end by themselves: from now on both venues work correctly, except for connections that
 *  are frozen. */
export function endFaults({ polymarket, kalshi, rest }: TrialVenues): void {
  polymarket.tokensMax = 1_000
  polymarket.isRepeating = false
  polymarket.withoutSnapshot.clear()
  kalshi.withoutSnapshot.clear()
  polymarket.refusals.length = 0
  polymarket.restFaults.length = 0
  rest.faults.length = 0
  kalshi.refusals.length = 0
  kalshi.errors.length = 0
  for (const peer of kalshi.peers) if (!peer.socket.isSilent) peer.isFrozen = false
}
