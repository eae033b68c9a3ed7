// Tests which connection carries which market: all books of a market together, up to the maximum of a connection.

import { expect, test } from 'bun:test'
import { FakeTime } from '../../../test/support/venues/fake-time.ts'
import { ConnectPacer } from '../connection/attempts.ts'
import type { Link, VenueProtocol } from '../connection/venue-protocol.ts'
import type { SocketEvents } from '../connection/web-socket.ts'
import type { Segment } from '../segments/segment-files.ts'
import { VenueStats } from '../status/recorder-stats.ts'
import { VenueConnections } from './venue-connections.ts'

const NOTHING: Segment = {
  name: 'none',
  pendingLength: 0,
  frame: () => undefined,
  rest: () => undefined,
  gap: () => undefined,
  audit: () => undefined,
  control: () => undefined,
  drop: () => ({ frame: 0, rest: 0, gap: 0 }),
  abandon: () => ({ frame: 0, rest: 0, gap: 0 }),
  isDue: () => false,
  flush: () => undefined,
  close: () => undefined,
}

/** `refusals` answer the first attempts to connect; null accepts. */
function scene({ booksMax = 4, connectionsMax = 2, refusals = [] as (number | null)[] } = {}) {
  const time = new FakeTime(0)
  const links = new Map<string, Link>()
  const carried = new Map<string, Set<string>>()
  const limits = { booksMax, hasRoom: true, roomChecks: 0 }
  const protocol: VenueProtocol = {
    venue: 'polymarket',
    useYesPrice: null,
    heartbeat: 'PING',
    bookSource: null,
    get booksMax() {
      limits.roomChecks++
      return limits.booksMax
    },
    handshake: () => ({ url: 'wss://venue.example/ws', headers: {} }),
    isPlannedOutage: () => false,
    open(link) {
      const books = new Set<string>()
      links.set(link.connectionId, link)
      carried.set(link.connectionId, books)
      return {
        add(added) {
          for (const book of added) books.add(book)
        },
        remove(removed) {
          for (const book of removed) books.delete(book)
        },
        read: () => undefined,
        snapshotsMissing: () => undefined,
        due: () => Number.POSITIVE_INFINITY,
        beginBook: () => false,
        readBook: () => true,
        close: () => void carried.delete(link.connectionId),
      }
    },
  }
  const stats = new VenueStats()
  const gaps: string[] = []
  const logged: string[] = []
  const problems = new Map<string, string>()
  const sockets: SocketEvents[] = []
  const connections = new VenueConnections({
    protocol,
    connectionsMax,
    stats,
    hasRoom: () => limits.hasRoom,
    takeLastSeen: () => undefined,
    connection: {
      openSocket: (_handshake, _protocols, events) => {
        sockets.push(events)
        const status = refusals.shift() ?? null
        time.timers.after(0, () =>
          status === null ? events.opened('') : events.ended({ code: 1006, reason: '', status, retryAfter: null }),
        )
        return { send: () => true, ping: () => undefined, close: () => undefined, terminate: () => undefined }
      },
      openSegment: () => ({
        ...NOTHING,
        gap: ({ assetId, msg }) => void gaps.push(`${assetId} ${msg.reason} ${msg.from}..${msg.to}`),
      }),
      clock: time.clock,
      timers: time.timers,
      random: () => 0,
      limits: {
        ...{ pingMs: 1e9, pongMs: 1e9, silenceMs: null, broadBooks: 1, rotateMs: null },
        ...{ backoffFromMs: 1_000, backoffToMs: 60_000, reconnectJitterMs: 750 },
        snapshotMs: 1e9,
      },
      pacer: new ConnectPacer(0),
      endsWithVenue: false,
    },
    warn: (_, message) => void logged.push(message),
    refused: (because) => void logged.push(because),
    problems,
  })
  const market = (...books: string[]) => ({ venue: 'polymarket' as const, market: books[0]!, books })
  const now = async () => {
    await time.advance(10)
    return [...carried].map(([id, books]) => `${id}: ${[...books].join(' ')}`)
  }
  const leftOut = () => {
    connections.check()
    return stats.marketsLeftOut
  }
  return { connections, market, now, leftOut, time, limits, links, stats, gaps, logged, problems, sockets }
}

test('fills a connection; markets without room wait until there is room', async () => {
  const { connections, market, now, leftOut } = scene()
  const wanted = ['A', 'B', 'C', 'D', 'E', 'F'].map((name) => market(`${name}1`, `${name}2`))
  connections.want(wanted)
  expect(await now()).toEqual(['polymarket-1-1: A1 A2 B1 B2', 'polymarket-2-1: C1 C2 D1 D2'])
  connections.want(wanted)
  expect(leftOut()).toBe(2)
  connections.unwant(['B1', 'B2', 'F1', 'F2'])
  expect(leftOut()).toBe(0)
  expect(await now()).toEqual(['polymarket-1-1: A1 A2 E1 E2', 'polymarket-2-1: C1 C2 D1 D2'])
})

test('puts a token on the connection of the other token of its market', async () => {
  const { connections, market, now } = scene({ booksMax: 2 })
  connections.want([market('A1'), market('B1')])
  connections.want([market('C1')])
  connections.want([market('A1', 'A2')])
  expect(await now()).toEqual(['polymarket-1-1: A1 B1 A2', 'polymarket-2-1: C1'])
})

test('closes a connection that carries nothing any more', async () => {
  const { connections, market, now } = scene({ booksMax: 1 })
  connections.want([market('A1'), market('B1')])
  await now()
  connections.unwant(['A1'])
  expect(await now()).toEqual(['polymarket-2-1: B1'])
  expect([connections.flush(), connections.has('A1')]).toEqual([[], false])
})

test('counts both tokens of a market as one, and a token without its market as one', () => {
  const { connections, market, stats } = scene()
  const count = () => {
    connections.check()
    return stats.markets
  }
  connections.want([market('A1', 'A2'), { venue: 'polymarket', market: null, books: ['B1'] }])
  expect(count()).toBe(2)
  connections.unwant(['A1'])
  expect(count()).toBe(2)
  connections.unwant(['A2'])
  expect(count()).toBe(1)
})

test('gives books that a venue refuses to another connection', async () => {
  const { connections, market, now, limits, links } = scene()
  connections.want([market('A1', 'A2'), market('B1', 'B2')])
  await now()
  limits.booksMax = 2
  links.get('polymarket-1-1')!.refused(['B1', 'B2'], 'too many')
  expect(await now()).toEqual(['polymarket-1-1: A1 A2', 'polymarket-2-1: B1 B2'])
})

test('requests refused books again if they find no room elsewhere, and writes their gap', async () => {
  const { connections, market, now, limits, links, gaps, leftOut } = scene({ connectionsMax: 1 })
  connections.want([market('A1', 'A2'), market('B1', 'B2')])
  await now()
  links.get('polymarket-1-1')!.snapshot('B1', { market: 'B1', by: 'snapshot' })
  limits.booksMax = 2
  links.get('polymarket-1-1')!.refused(['B1', 'B2'], 'too many')
  expect([leftOut(), await now()]).toEqual([2, ['polymarket-1-1: A1 A2']])
  connections.unwant(['A1', 'B2'])
  expect([leftOut(), await now()]).toEqual([0, ['polymarket-1-1: A2 B1']])
  links.get('polymarket-1-1')!.snapshot('B1', { market: 'B1', by: 'snapshot' })
  expect(gaps).toEqual(['B1 resync 11..30'])
})

test('writes the gap of a book between two connections', async () => {
  const { connections, market, now, limits, links, gaps } = scene()
  connections.want([market('A1', 'A2'), market('B1', 'B2')])
  await now()
  links.get('polymarket-1-1')!.snapshot('B1', { market: 'B1', by: 'snapshot' })
  limits.booksMax = 2
  await now()
  links.get('polymarket-1-1')!.refused(['B1', 'B2'], 'too many')
  await now()
  for (const book of ['B1', 'B2']) links.get('polymarket-2-1')!.snapshot(book, { market: 'B1', by: 'snapshot' })
  expect(gaps).toEqual(['B1 resync 11..30'])
})

const REFUSED = 'the connection to wss://venue.example/ws is refused with 403: this machine has no access'

test('logs once that a venue accepts no connection', async () => {
  const { connections, market, time, logged, sockets } = scene({ booksMax: 1, refusals: [403, 403, 403, 403] })
  connections.want([market('A1'), market('B1')])
  await time.advance(5_000)
  expect([logged, sockets.length > 2]).toEqual([[REFUSED], true])
})

test('tries again if a connection was open before, and logs each refusal once', async () => {
  const { connections, market, now, time, logged, problems, sockets } = scene({ refusals: [null, 401, 403, 403] })
  connections.want([market('A1')])
  await now()
  sockets[0]!.ended({ code: 1006, reason: 'gone', status: null, retryAfter: null })
  await time.advance(1_000)
  expect([...problems.values()]).toEqual([
    'the connection to wss://venue.example/ws is refused with 401: check polymarket.ws_url',
  ])
  await time.advance(1_500)
  expect([...problems.values()]).toEqual([REFUSED])
  await time.advance(60_000)
  expect([sockets.length, problems.size]).toEqual([5, 0])
  const again = 'a connection is refused, and tried again'
  expect(logged).toEqual(['a connection ended', again, again])
})

test.each([404, 429, 503])('a first connection that is answered with %i', async (status) => {
  const { connections, market, time, logged } = scene({ refusals: [status] })
  connections.want([market('A1')])
  await time.advance(2_000)
  const refused = `the connection to wss://venue.example/ws is refused with ${status}: check polymarket.ws_url`
  expect(logged).toEqual([status === 404 ? refused : 'a connection was not opened'])
})

test('looks for room in few connections, however many there are', () => {
  const { connections, market, limits } = scene({ booksMax: 3, connectionsMax: 1_000 })
  const wanted = Array.from({ length: 1_000 }, (_, i) => market(`${i}a`, `${i}b`))
  connections.want(wanted)
  expect(limits.roomChecks).toBeLessThanOrEqual(2 * wanted.length)
})

test('takes no new market while there is no room on the disk', async () => {
  const { connections, market, now, limits, leftOut } = scene()
  connections.want([market('A1')])
  limits.hasRoom = false
  connections.want([market('B1')])
  expect(leftOut()).toBe(1)
  expect(await now()).toEqual(['polymarket-1-1: A1'])
})
