// Tests the protocol on one socket, between a link that records its calls and a simulated venue.

import { beforeEach, describe, expect, test } from 'bun:test'
import { delta, KalshiScene, snapshot, subscribed, trade } from '../../../../test/support/venues/kalshi-scene.ts'

let scene: KalshiScene
beforeEach(() => {
  scene = new KalshiScene()
})

describe('KalshiSession', () => {
  test('reports what frames mean', () => {
    scene.read(subscribed('orderbook_delta', 1), subscribed('trade', 2))
    scene.read(snapshot('A', 1), delta('A', 2), trade('B', 1))
    expect(scene.calls).toEqual(['snapshot A snapshot 1', 'changed A', 'changed B'])
  })

  test('takes data that arrives before the confirmation', () => {
    scene.read(snapshot('A', 1), delta('A', 2), subscribed('orderbook_delta', 1), delta('A', 3))
    expect(scene.calls).toEqual(['snapshot A snapshot 1', 'changed A', 'changed A'])
  })

  test('a duplicate is evidence, and no record', () => {
    scene.begin()
    scene.read(delta('A', 2), snapshot('A', 1))
    expect(scene.calls).toEqual(['aside', 'aside'])
  })

  test('a hole loses all books, is reported once, and requests a snapshot of each', () => {
    scene.begin()
    scene.read(delta('A', 5), delta('A', 6))
    const loss = '{"reason":"sequence_hole","scope":"subscription","expected":3,"got":5,"sinceMs":1786410000000}'
    expect(scene.calls).toEqual([`lost ["A","B"] ${loss}`, 'changed A', 'changed A'])
    expect(scene.requestedSnapshots).toEqual([['A', 'B']])
  })

  test('replies count: an `ok` between two messages is no hole', () => {
    scene.begin()
    scene.session.add(['C'])
    scene.read({ type: 'ok', id: 2, sid: 1, seq: 3, msg: { market_tickers: ['A', 'B', 'C'] } }, delta('A', 4))
    expect(scene.calls).toEqual(['changed A'])
  })

  test('a hole that is shown by a snapshot is closed by it for that book', () => {
    scene.begin()
    scene.read(snapshot('B', 9))
    expect(scene.calls.map((text) => text.split(' ')[0])).toEqual(['lost', 'snapshot'])
  })

  test('a hole in the trades loses the books as well', () => {
    scene.begin()
    scene.read(trade('A', 1), trade('A', 3))
    expect(scene.calls[1]).toBe(
      'lost ["A","B"] {"reason":"sequence_hole","scope":"subscription","expected":2,"got":3,"sinceMs":1786410000000}',
    )
    expect(scene.requestedSnapshots).toEqual([['A', 'B']])
  })

  test('a socket whose books are not clean in time after a hole is replaced', async () => {
    scene.begin()
    scene.read(delta('A', 5))
    scene.read(snapshot('A', 6))
    await scene.time.advance(9_999)
    // The answer to the command has come, so only the books are still missing.
    expect(scene.callsOf('reconnect')).toEqual([])
    await scene.time.advance(1)
    expect(scene.calls.at(-1)).toBe('reconnect sequence_hole 1 books had no snapshot within 10000 ms of a hole')
  })

  test('a socket whose books are clean in time is not replaced', async () => {
    scene.begin()
    scene.read(delta('A', 5), snapshot('A', 6), snapshot('B', 7))
    await scene.time.advance(60_000)
    expect(scene.callsOf('reconnect')).toEqual([])
  })

  test('a subscription that the venue ends loses its books, and its number may be reused', async () => {
    scene.begin()
    scene.read({ type: 'error', sid: 1, seq: 3, msg: { code: 25, msg: 'Subscription buffer overflow' } })
    expect(scene.calls).toEqual(['lost ["A","B"] {"reason":"overflow","scope":"subscription"}'])
    await scene.time.advance(1_000)
    expect(scene.sent.at(-1)!.cmd).toBe('subscribe')
    scene.read({ ...subscribed('orderbook_delta', 1), id: scene.sent.at(-1)!.id }, snapshot('A', 1), delta('A', 2))
    expect(scene.calls.slice(1)).toEqual(['snapshot A snapshot 1', 'changed A'])
  })

  test('counts types that are not known', () => {
    scene.begin()
    scene.read({ type: 'weather', sid: 1, seq: 3, msg: {} }, { type: 'ticker', sid: 3, msg: { market_ticker: 'A' } })
    expect(scene.calls).toEqual(['unknown weather', 'changed A', 'unknown ticker'])
  })

  test('refuses a frame that is not JSON', () => {
    expect(() => scene.session.read('PONG', { recvNs: 0n, monoNs: 0n, sentMs: 0 })).toThrow('not JSON')
  })

  test('records the lifecycle messages of its markets, and sets aside the rest', () => {
    scene.begin()
    const lifecycle = (market: string, seq: number) => ({
      type: 'market_lifecycle_v2',
      sid: 3,
      seq,
      msg: { market_ticker: market, event_type: 'created' },
    })
    scene.read(lifecycle('A', 1), lifecycle('Z', 9), { type: 'event_lifecycle', sid: 3, seq: 10, msg: {} })
    expect(scene.calls).toEqual(['changed A', 'aside', 'aside'])
  })
})
