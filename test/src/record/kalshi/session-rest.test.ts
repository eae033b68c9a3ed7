// A session requests two kinds of books from REST: books that do not arrive over the socket, and books to compare with.

import { beforeEach, describe, expect, test } from 'bun:test'
import { RestError } from '../../../../src/record/rest/rest-host.ts'
import { BODY, delta, KalshiScene, snapshot, subscribed } from '../../../support/venues/kalshi-scene.ts'

let scene: KalshiScene
beforeEach(() => {
  scene = new KalshiScene()
})

describe('a book that does not arrive', () => {
  test('is taken from REST, after its gap is reported, if nothing arrives for it meanwhile', async () => {
    scene.begin()
    scene.read(delta('A', 5))
    scene.calls = []
    scene.session.snapshotsMissing(['A', 'B'])
    await scene.time.advance(0)
    expect(scene.requestedPaths).toEqual(['/markets/A/orderbook?depth=0', '/markets/B/orderbook?depth=0'])
    await scene.time.advance(500)
    expect(scene.calls).toEqual(['snapshot A rest_book ', 'rest A true', 'snapshot B rest_book ', 'rest B true'])
  })

  test('is requested again if a change came during the request or soon after it', async () => {
    scene.begin()
    scene.read(delta('A', 5))
    scene.session.snapshotsMissing(['A'])
    await scene.time.advance(400)
    scene.read(delta('A', 6))
    scene.calls = []
    await scene.time.advance(100)
    expect([scene.requestedPaths.length, scene.calls]).toEqual([2, []])
    await scene.time.advance(500)
    expect(scene.calls).toEqual(['snapshot A rest_book ', 'rest A true'])
  })

  test('is not taken from REST before the venue confirms its market: its changes would be lost', async () => {
    scene.begin()
    scene.session.add(['C'])
    scene.session.snapshotsMissing(['C'])
    await scene.time.advance(1_000)
    expect(scene.requestedPaths).toEqual([])
    const channels = [1, 2].map((sid, i) => ({ type: 'ok', id: 2 + i, sid, seq: sid === 1 ? 3 : 1 }))
    scene.read(...channels.map((ok) => ({ ...ok, msg: { market_tickers: ['A', 'B', 'C'] } })))
    scene.session.snapshotsMissing(['C'])
    await scene.time.advance(1_000)
    expect(scene.calls).toEqual(['snapshot C rest_book ', 'rest C true'])
  })

  test('stays lost if its changes never stop', async () => {
    scene.begin()
    scene.read(delta('A', 5))
    scene.session.snapshotsMissing(['A'])
    for (let seq = 6; seq < 40; seq++) {
      scene.read(delta('A', seq))
      await scene.time.advance(100)
    }
    expect(scene.requestedPaths).toHaveLength(3)
    expect(scene.callsOf('rest')).toEqual([])
  })

  test('is not taken from REST once its snapshot has arrived', async () => {
    scene.begin()
    scene.read(delta('A', 5))
    scene.session.snapshotsMissing(['A'])
    await scene.time.advance(100)
    scene.read(snapshot('A', 6))
    await scene.time.advance(5_000)
    expect(scene.calls.filter((text) => text.includes('rest'))).toEqual([])
  })

  test('stays lost if REST fails, and can be requested again', async () => {
    scene.begin()
    scene.read(delta('A', 5))
    scene.answer = new RestError('refused', 404, 'GET: the answer was 404')
    scene.session.snapshotsMissing(['A'])
    await scene.time.advance(1_000)
    scene.answer = BODY
    scene.session.snapshotsMissing(['A'])
    await scene.time.advance(1_000)
    expect(scene.callsOf('rest')).toEqual(['rest A true'])
  })

  test('but comes from REST keeps a quiet socket open', async () => {
    scene.read(subscribed('orderbook_delta', 1), subscribed('trade', 2), snapshot('B', 1))
    await scene.time.advance(30_000)
    scene.session.snapshotsMissing(['A'])
    await scene.time.advance(60_000)
    expect([scene.callsOf('rest'), scene.callsOf('reconnect')]).toEqual([['rest A true'], []])
  })

  test('and does not come from REST ends a socket that receives nothing else', async () => {
    scene.read(subscribed('orderbook_delta', 1), subscribed('trade', 2), snapshot('B', 1))
    scene.answer = new RestError('refused', 404, 'GET: the answer was 404')
    await scene.time.advance(30_000)
    scene.session.snapshotsMissing(['A'])
    await scene.time.advance(60_000)
    expect(scene.callsOf('reconnect')).toEqual(['reconnect silence no answer to get_snapshot within 10000 ms'])
  })

  test('nothing is left behind when the socket closes', async () => {
    scene.begin()
    scene.read(delta('A', 5))
    scene.session.snapshotsMissing(['A'])
    await scene.time.advance(0)
    scene.close()
    scene.calls = []
    await scene.time.advance(60_000)
    expect([scene.calls, scene.time.waiting]).toEqual([[], 0])
  })
})

describe('audits', () => {
  const levels = (size: number) => new Map([[400_000, size * 1_000_000]])

  test('compare the book as it was during the REST request', () => {
    scene.begin()
    expect(scene.session.watch('A')).toBe(true)
    scene.read(delta('A', 3), delta('A', 4))
    scene.session.conclude('A', levels(6))
    scene.session.watch('B')
    scene.session.conclude('B', levels(5))
    scene.session.watch('B')
    scene.session.conclude('B', levels(4))
    expect(scene.callsOf('audit')).toEqual(['audit A consistent', 'audit B exact', 'audit B inconsistent'])
  })

  test('do not begin on a lost book, and decide nothing if the book is lost meanwhile', () => {
    scene.begin()
    scene.session.watch('A')
    scene.read(delta('A', 9), snapshot('A', 10))
    expect(scene.session.watch('B')).toBe(false)
    scene.session.conclude('A', levels(5))
    expect(scene.calls.at(-1)).toBe('audit A undecidable')
  })
})
