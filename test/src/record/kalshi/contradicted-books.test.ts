// Kalshi sends messages that make an impossible book. Uses a connection of the recorder with real sockets and segments.

import { describe, expect, test } from 'bun:test'
import { kalshiRecordings } from '../../../support/venues/begun-kalshi.ts'
import type { KalshiServer } from '../../../support/venues/kalshi-server.ts'

const { begin, open } = kalshiRecordings()

/** Returns the number of received snapshots of a market. */
const snapshotsOf = (recording: Awaited<ReturnType<typeof open>>['recording'], ticker: string) =>
  recording.framesOf('orderbook_snapshot').filter(({ msg }) => msg['market_ticker'] === ticker).length

/** Sends changes that cross the book: a NO bid at 0.59, then a YES bid at 0.41. */
const cross = (server: KalshiServer) => {
  server.delta('A', 'no', 5_900, 300)
  server.delta('A', 'yes', 4_100, 500)
}

const unreadable = { market_ticker: 'A', price_dollars: null, delta_fp: '1.00', side: 'yes', ts_ms: 1 }

const MISBEHAVIOURS: [reason: string, seen: string, misbehave: (server: KalshiServer) => void][] = [
  ['crossed', 'YES is bid at 0.41 and NO at 0.59, together 1 or more', cross],
  [
    'below_zero',
    'a change of "-7.00" at "0.4000" of "yes" takes more than the level has',
    (server) => {
      server.delta('A', 'yes', 4_000, 500)
      server.delta('A', 'yes', 4_000, -700)
    },
  ],
  [
    'unreadable_change',
    'a change of "1.00" at null of "yes" cannot be read',
    (server) => server.play({ type: 'orderbook_delta', msg: unreadable }),
  ],
]

describe.each(MISBEHAVIOURS)('a book that is %s', (reason, seen, misbehave) => {
  test('is requested once more, and named in status, log and segment; recording continues', async () => {
    const { recording, server, stats } = await open()
    misbehave(server)
    await recording.drained()
    await recording.time.advance(1)
    // At the venue the book is sound again, and the next message has another venue time.
    server.setBook('A', { yes: [[4_000, 900]] })
    server.delta('B', 'yes', 3_000, 100)
    await recording.until(() => recording.warned.length > 0)
    expect(recording.warned).toEqual([`A ${reason}`])
    expect(Object.fromEntries(stats.contradictions)).toEqual({ [reason]: 1 })
    expect(recording.states('contradicted')).toMatchObject([{ market: 'A', reason, seen }])
    await recording.until(() => snapshotsOf(recording, 'A') === 2)
    expect(recording.problems.size).toBe(0)
    server.delta('A', 'yes', 4_000, 100)
    await recording.seconds(60)
    expect([snapshotsOf(recording, 'A'), snapshotsOf(recording, 'B'), recording.gaps]).toEqual([2, 1, []])
    expect(recording.framesOf('orderbook_delta').map(({ msg }) => msg)).toEqual(server.history.map(({ msg }) => msg))
  })

  test('is in the status until its snapshot arrives, and is not requested again until then', async () => {
    const { recording, server, stats } = await open()
    server.withoutSnapshot.add('A')
    misbehave(server)
    misbehave(server)
    server.delta('B', 'yes', 3_000, 100)
    await recording.time.advance(1)
    server.delta('B', 'yes', 3_000, 100)
    await recording.until(() => recording.warned.length > 0)
    await recording.drained()
    const text = `Books of kalshi contradict themselves: A (${reason}: ${seen})`
    expect([...recording.problems.values()]).toEqual([text])
    expect(stats.contradictions.get(reason)).toBe(1)
    const asking = recording.lines.filter(({ text }) => text?.includes('get_snapshot'))
    expect(asking.map(({ text }) => JSON.parse(text!).params.market_tickers)).toEqual([['A']])
    expect(recording.gaps).toEqual([])
  })
})

describe('prices of NO that are counted as prices of YES', () => {
  test('make all books of a connection crossed: the status names the flag, and pauses between requests grow', async () => {
    const tickers = ['A', 'B', 'C', 'D']
    const { recording, server, stats } = await begin({ tickers })
    server.countsNoAsYes = true
    for (const ticker of tickers) server.setBook(ticker, { yes: [[4_500, 500]], no: [[2_000, 500]] })
    await recording.settled()
    await recording.until(() => recording.problems.size > 0 && (stats.contradictions.get('crossed') ?? 0) >= 4)
    expect([...recording.problems.values()].join()).toContain('4 books are crossed: the venue may count NO prices')
    expect([...recording.problems.values()].join()).toContain('use_yes_price')
    // The recorder does not warn for each book: the third warning names the flag.
    expect(recording.warned).toHaveLength(3)
    await recording.seconds(100)
    // The subscription sends the first snapshot. The requests are sent at once, and 10 s, 30 s and 70 s later.
    expect(tickers.map((ticker) => snapshotsOf(recording, ticker))).toEqual([5, 5, 5, 5])
    expect([recording.gaps, recording.connection.isOpen]).toEqual([[], true])
    server.countsNoAsYes = false
    await recording.seconds(100)
    expect(recording.problems.size).toBe(0)
  })
})

test('a sound connection requests nothing', async () => {
  const { recording, server, stats } = await open()
  server.delta('A', 'no', 5_900, 300)
  // This change crosses the book, but the next changes of the same venue time uncross it.
  server.delta('A', 'yes', 4_100, 500)
  server.delta('A', 'no', 5_900, -300)
  server.delta('A', 'yes', 4_100, -500)
  await recording.seconds(30)
  server.delta('B', 'yes', 4_100, 500)
  await recording.drained()
  expect([snapshotsOf(recording, 'A'), snapshotsOf(recording, 'B')]).toEqual([1, 1])
  expect([stats.contradictions.size, recording.problems.size, recording.warned]).toEqual([0, 0, []])
})
