// Kalshi loses books, ends subscriptions, or never sends a book. Uses a connection with real sockets and segments.

import { describe, expect, test } from 'bun:test'
import { kalshiRecordings } from '../../../support/venues/begun-kalshi.ts'

const { begin, open, current } = kalshiRecordings()

/** Returns the kinds of a market's lines, in order. */
const kinds = (market: string) =>
  current().lines.flatMap(({ raw, source, type, market: named, msg, ticker }) => {
    if (source === 'rest') return ticker === market ? ['rest'] : []
    if (type === 'gap') return named === market ? [`gap ${msg!.reason}`] : []
    const frame = raw === undefined ? undefined : JSON.parse(raw)
    return frame?.msg?.market_ticker === market ? [String(frame.type).replace('orderbook_', '')] : []
  })

describe('a hole', () => {
  test('is written before the frame that shows it; the books are requested, and the socket stays open', async () => {
    const { recording, server, stats } = await open()
    await recording.seconds(1)
    server.delta('A', 'yes', 4_000, 500)
    await recording.drained()
    await recording.seconds(2)
    server.peers[0]!.skip('orderbook_delta', 3)
    server.delta('A', 'yes', 4_000, 100)
    await recording.until(() => stats.gaps.get('resync') === 2)
    await recording.drained()
    expect(kinds('A')).toEqual(['snapshot', 'delta', 'gap sequence_hole', 'delta', 'gap resync', 'snapshot'])
    expect(recording.gaps.filter((gap) => gap.includes('hole'))).toEqual([
      'A sequence_hole 1000..3000 end',
      'B sequence_hole 1000..3000 end',
    ])
    expect(recording.lines.find(({ type }) => type === 'gap')!.msg).toMatchObject({ expected: 4, got: 7 })
    await recording.seconds(30)
    expect(server.opened).toBe(1)
    expect(recording.framesOf('orderbook_snapshot').at(-1)!.msg).toEqual(server.snapshotOf('B'))
  })

  test('whose books do not come in time replaces the socket', async () => {
    const { recording, server, stats } = await open()
    const [peer] = server.peers
    peer!.skip('orderbook_delta', 1)
    server.withoutSnapshot.add('B')
    server.delta('A', 'yes', 4_000, 100)
    await recording.until(() => stats.gaps.has('sequence_hole'))
    await recording.until(() => peer!.commands.some(({ params }) => params.action === 'get_snapshot'))
    await recording.drained()
    await recording.seconds(9)
    expect(server.opened).toBe(1)
    server.withoutSnapshot.clear()
    await recording.seconds(3)
    await recording.settled()
    expect([server.opened, Object.fromEntries(stats.reconnects)]).toEqual([2, { sequence_hole: 1 }])
    expect(recording.states('reconnect').map(({ because }) => because)).toEqual([
      '1 books had no snapshot within 10000 ms of a hole',
    ])
  })

  test('in the trades is a gap as well', async () => {
    const { recording, server } = await open()
    server.trade('B', 4_000, 100, 'yes')
    server.peers[0]!.skip('trade', 1)
    server.trade('B', 4_000, 100, 'no')
    await recording.until(() => recording.gaps.length === 4)
    expect(kinds('B')).toEqual(['snapshot', 'trade', 'gap sequence_hole', 'trade', 'gap resync', 'snapshot'])
  })
})

describe('subscriptions', () => {
  test.each([10, 25])('that end with code %d are made again on the same socket', async (code) => {
    const { recording, server } = await open()
    server.peers[0]!.endSubscription('orderbook_delta', code)
    await recording.until(() => recording.connection.booksLost === 2)
    server.delta('A', 'yes', 4_000, 500)
    await recording.seconds(1)
    await recording.settled()
    await recording.drained()
    expect(server.opened).toBe(1)
    const reason = code === 25 ? 'overflow' : 'resync'
    expect(recording.gaps).toEqual([`A ${reason} 1..1000 snapshot`, `B ${reason} 1..1000 snapshot`])
    expect(recording.framesOf('orderbook_snapshot').at(-2)!.msg).toEqual(server.snapshotOf('A'))
  })

  test('that reach the market limit release books, and lower the limit of the connection', async () => {
    const tickers = Array.from({ length: 150 }, (_, index) => `M-${index}`)
    const { recording, server } = await begin({ tickers: [] })
    server.marketLimit = 120
    recording.connection.add(tickers, null)
    await recording.settled()
    await recording.until(() => recording.refused.length > 0)
    expect(recording.refused).toEqual(tickers.slice(100))
    expect(recording.protocol.booksMax).toBe(100)
    await recording.settled()
    expect(new Set(server.peers[0]!.tickers)).toEqual(new Set(tickers.slice(0, 100)))
    expect(recording.gaps).toEqual([])
  })

  test('are requested later if the venue asks to slow down', async () => {
    const { recording, server } = await begin({ tickers: [] })
    server.errors.push({ cmd: 'subscribe', code: 27 }, { cmd: 'subscribe', code: 27 })
    recording.connection.add(['A'], null)
    await recording.until(() => server.peers[0]?.commands.length === 1)
    for (const commands of [2, 3]) {
      await recording.until(() => server.errors.length === 3 - commands)
      await recording.seconds(commands)
      await recording.until(() => server.peers[0]!.commands.length >= commands)
    }
    await recording.settled()
    expect(server.opened).toBe(1)
  })

  test('without an answer replace the socket', async () => {
    const { recording, server, stats } = await open()
    server.peers[0]!.answers = false
    recording.connection.add(['C'], null)
    await recording.until(() => server.peers[0]!.commands.some(({ params }) => params.action === 'add_markets'))
    await recording.seconds(12)
    await recording.settled()
    expect([server.opened, Object.fromEntries(stats.reconnects)]).toEqual([2, { silence: 1 }])
    expect(recording.states('reconnect').map(({ because }) => because)).toEqual([
      'no answer to add_markets within 10000 ms',
    ])
  })

  test('of many markets are made in chunks, and change with the markets', async () => {
    const tickers = Array.from({ length: 25 }, (_, index) => `M-${index}`)
    const { recording, server } = await open({ tickers, chunk: 10 })
    const named = server.peers[0]!.commands.map(({ params }) => params.market_tickers?.length ?? 0)
    expect(Math.max(...named)).toBe(10)
    recording.connection.remove(tickers.slice(0, 5))
    recording.connection.add(['N'], null)
    const { tickers: books } = server.peers[0]!.subscription('orderbook_delta')!
    const { tickers: trades } = server.peers[0]!.subscription('trade')!
    await recording.until(() => books.size === 21 && trades.size === 21)
    await recording.settled()
    expect(trades).toEqual(new Set([...tickers.slice(5), 'N']))
    expect(books).toEqual(trades)
    expect(recording.gaps).toEqual([])
  })
})

describe('a market that never sends a snapshot', () => {
  test('is taken from REST, under its name', async () => {
    const { recording, server, stats } = await begin({ tickers: [], hasRest: true })
    server.setBook('A', { yes: [[4_000, 500]], no: [[100, 25]] })
    server.withoutSnapshot.add('A')
    recording.connection.add(['A', 'B'], null)
    await recording.until(() => recording.connection.booksLost === 1)
    await recording.secondsUntil(() => recording.connection.booksLost === 0)
    expect([recording.connection.booksLost, stats.snapshotsMissing, stats.restBooks]).toEqual([0, 1, 1])
    const rest = recording.lines.filter(({ source }) => source === 'rest')
    expect(rest.map(({ ticker, raw }) => [ticker, JSON.parse(raw!)])).toEqual([
      ['A', { orderbook_fp: { yes_dollars: [['0.4000', '5.00']], no_dollars: [['0.0100', '0.25']] } }],
    ])
    expect(recording.gaps).toEqual([])
  })

  test('after its subscription ended has its gap closed by REST', async () => {
    const { recording, server } = await open({ hasRest: true })
    server.delta('A', 'yes', 4_000, 100)
    await recording.drained()
    server.withoutSnapshot.add('A')
    server.peers[0]!.endSubscription('orderbook_delta', 10)
    await recording.until(() => recording.connection.booksLost === 2)
    await recording.secondsUntil(() => recording.connection.booksLost === 0)
    expect(recording.gaps.filter((gap) => gap.startsWith('A'))).toEqual([
      expect.stringMatching(/^A resync 1\.\.\d+ rest_book$/),
    ])
    expect(kinds('A').slice(-2)).toEqual(['gap resync', 'rest'])
    expect(server.opened).toBe(1)
  })

  test('without REST is requested again and again', async () => {
    const { recording, server, stats } = await begin({ tickers: [] })
    server.withoutSnapshot.add('A')
    recording.connection.add(['A', 'B'], null)
    await recording.until(() => recording.connection.booksLost === 1)
    await recording.seconds(10)
    const snapshotCommands = () => server.peers[0]!.commands.filter(({ params }) => params.action === 'get_snapshot')
    await recording.until(() => snapshotCommands().length === 1)
    expect(snapshotCommands()[0]!.params.market_tickers).toEqual(['A'])
    server.withoutSnapshot.clear()
    // The command has expired without an answer. It is sent again after eight more deadlines.
    await recording.seconds(82)
    await recording.settled()
    expect(snapshotCommands().length).toBe(2)
    expect(stats.snapshotsMissing).toBeGreaterThanOrEqual(1)
  })
})

test('audits compare books with those of REST, many at once', async () => {
  const { recording, server, stats } = await open({ hasRest: true, auditsPerSecond: 1 })
  for (let change = 1; change <= 30; change++) {
    server.delta(change % 2 === 0 ? 'A' : 'B', 'no', 1_000 + change * 10, change)
    await recording.seconds(1)
  }
  await recording.until(() => stats.audits.consistent + stats.audits.exact >= 2)
  expect([stats.audits.inconsistent, stats.audits.undecidable]).toEqual([0, 0])
  expect(server.requestedPaths.filter((path) => path.startsWith('/markets/orderbooks?tickers='))).not.toEqual([])
  expect(recording.lines.filter(({ backbook }) => backbook === 'audit').length).toBe(
    stats.audits.consistent + stats.audits.exact,
  )
})

test('the lifecycle of other markets makes no record; the book of a market is requested after a pause', async () => {
  const { recording, server } = await open()
  await recording.until(() => server.peers[0]!.subscription('market_lifecycle_v2') !== undefined)
  server.lifecycle('Z', 'created')
  server.lifecycle('A', 'deactivated')
  server.lifecycle('A', 'activated')
  await recording.until(() => server.peers[0]!.commands.some(({ params }) => params.action === 'get_snapshot'))
  await recording.drained()
  expect(recording.framesOf('market_lifecycle_v2').map(({ msg }) => msg['market_ticker'])).toEqual(['A', 'A'])
  expect(recording.states('aside').map(({ text }) => JSON.parse(text!).msg['market_ticker'])).toEqual(['Z'])
  expect(recording.framesOf('orderbook_snapshot')).toHaveLength(3)
  expect(recording.hints).toEqual(['new Z', 'new A'])
})
