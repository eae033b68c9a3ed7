// The protocol on one socket, between a link that writes down what it is told and a venue that is played here.

import { beforeEach, describe, expect, test } from 'bun:test'
import type { Link } from '../../../../src/record/connection/venue-protocol.ts'
import { KalshiSession, type SessionSurroundings } from '../../../../src/record/kalshi/session.ts'
import { RestError, type RestRequest } from '../../../../src/record/rest/rest-host.ts'
import { FakeTime } from '../../../support/venues/fake-time.ts'

const BODY = '{"orderbook_fp":{"yes_dollars":[["0.4000","5.00"]],"no_dollars":[]}}'

let time: FakeTime
let told: string[]
let sent: { id: number; cmd: string; params: { action?: string; market_tickers?: string[] } }[]
let asked: string[]
/** What REST says next. */
let answer: string | RestError
let session: KalshiSession

const rest = {
  get: <Read>({ path, read }: RestRequest<Read>) => {
    asked.push(path)
    if (answer instanceof RestError) return Promise.reject(answer)
    return Promise.resolve({ body: answer, read: read(answer) as Read, receivedNs: 0n, askedMs: 0 })
  },
}

function link(): Link {
  const note = (name: string, ...fields: unknown[]) => void told.push([name, ...fields].map(printed).join(' '))
  const printed = (field: unknown) => (typeof field === 'string' ? field : JSON.stringify(field))
  return {
    connectionId: 'c1',
    isReplay: false,
    clock: time.clock,
    timers: time.timers,
    random: () => 0,
    send: (text) => {
      sent.push(JSON.parse(text))
      return true
    },
    heartbeat: (kind, payload) => note('heartbeat', kind, payload),
    data: () => undefined,
    snapshot: (book, { by, seq }) => note('snapshot', book, by, seq ?? ''),
    changed: (book) => note('changed', book),
    lost: (books, loss) => note('lost', [...books], loss),
    aside: () => note('aside'),
    unknown: (kind) => note('unknown', kind),
    rest: (body, ticker) => note('rest', ticker, body === BODY),
    audit: (book, _market, result) => note('audit', book, result),
    state: () => undefined,
    reconnect: (reason, because) => note('reconnect', reason, because),
    refused: (books) => note('refused', books),
  }
}

const around: SessionSurroundings = {
  settings: { chunk: 100, replyMs: 10_000, resyncMs: 10_000 },
  rest,
  keepsBooks: true,
  halveLimit: () => 100,
  lifecycle: ({ market }) => market === 'A',
  closed: () => undefined,
}

const read = (...frames: object[]) => {
  const stamp = { recvNs: 0n, monoNs: 0n, saidMs: 0 }
  for (const frame of frames) session.read(`${JSON.stringify(frame)}\n`, stamp)
}
const subscribed = (channel: string, sid: number) => ({ type: 'subscribed', id: 1, msg: { channel, sid } })
const snapshot = (market: string, seq: number, yes = '5.00') => ({
  type: 'orderbook_snapshot',
  sid: 1,
  seq,
  msg: { market_ticker: market, yes_dollars_fp: [['0.4000', yes]] },
})
const delta = (market: string, seq: number, change = '1.00') => ({
  type: 'orderbook_delta',
  sid: 1,
  seq,
  msg: { market_ticker: market, price_dollars: '0.4000', delta_fp: change, side: 'yes', ts_ms: 1_786_410_000_000 },
})
const trade = (market: string, seq: number) => ({ type: 'trade', sid: 2, seq, msg: { market_ticker: market } })
const snapshotsAsked = () =>
  sent.filter(({ params }) => params.action === 'get_snapshot').map(({ params }) => params.market_tickers)

beforeEach(() => {
  time = new FakeTime(1_786_410_000_000)
  told = []
  sent = []
  asked = []
  answer = BODY
  session = new KalshiSession(link(), around, false)
  session.add(['A', 'B'])
})

const begin = () => {
  read(subscribed('orderbook_delta', 1), subscribed('trade', 2), snapshot('A', 1), snapshot('B', 2))
  told = []
}

describe('KalshiSession', () => {
  test('tells what frames mean', () => {
    read(subscribed('orderbook_delta', 1), subscribed('trade', 2))
    read(snapshot('A', 1), delta('A', 2), trade('B', 1))
    expect(told).toEqual(['snapshot A snapshot 1', 'changed A', 'changed B'])
  })

  test('takes data that arrives before the confirmation', () => {
    read(snapshot('A', 1), delta('A', 2), subscribed('orderbook_delta', 1), delta('A', 3))
    expect(told).toEqual(['snapshot A snapshot 1', 'changed A', 'changed A'])
  })

  test('a duplicate changes nothing', () => {
    begin()
    read(delta('A', 2), snapshot('A', 1))
    expect(told).toEqual([])
  })

  test('a hole loses all books, is told once, and asks for each', () => {
    begin()
    read(delta('A', 5), delta('A', 6))
    const loss = '{"reason":"sequence_hole","scope":"subscription","expected":3,"got":5}'
    expect(told).toEqual([`lost ["A","B"] ${loss}`, 'changed A', 'changed A'])
    expect(snapshotsAsked()).toEqual([['A', 'B']])
  })

  test('replies count: an `ok` between two messages is no hole', () => {
    begin()
    session.add(['C'])
    read({ type: 'ok', id: 2, sid: 1, seq: 3, msg: { market_tickers: ['A', 'B', 'C'] } }, delta('A', 4))
    expect(told).toEqual(['changed A'])
  })

  test('a hole that is shown by a snapshot is closed by it for that book', () => {
    begin()
    read(snapshot('B', 9))
    expect(told.map((text) => text.split(' ')[0])).toEqual(['lost', 'snapshot'])
  })

  test('a hole in the trades loses the books as well', () => {
    begin()
    read(trade('A', 1), trade('A', 3))
    expect(told[1]).toBe('lost ["A","B"] {"reason":"sequence_hole","scope":"subscription","expected":2,"got":3}')
    expect(snapshotsAsked()).toEqual([['A', 'B']])
  })

  test('a socket whose books are not clean in time after a hole is replaced', async () => {
    begin()
    read(delta('A', 5))
    read(snapshot('A', 6))
    await time.advance(9_999)
    // The answer to the command has come: only the books are waited for.
    expect(told.filter((text) => text.startsWith('reconnect'))).toEqual([])
    await time.advance(1)
    expect(told.at(-1)).toBe('reconnect sequence_hole 1 books had no snapshot within 10000 ms of a hole')
  })

  test('a socket whose books are clean in time is kept', async () => {
    begin()
    read(delta('A', 5), snapshot('A', 6), snapshot('B', 7))
    await time.advance(60_000)
    expect(told.filter((text) => text.startsWith('reconnect'))).toEqual([])
  })

  test('a subscription that the venue ends loses its books, and its number may be given again', async () => {
    begin()
    read({ type: 'error', sid: 1, seq: 3, msg: { code: 25, msg: 'Subscription buffer overflow' } })
    expect(told).toEqual(['lost ["A","B"] {"reason":"overflow","scope":"subscription"}'])
    await time.advance(1_000)
    expect(sent.at(-1)!.cmd).toBe('subscribe')
    read({ ...subscribed('orderbook_delta', 1), id: sent.at(-1)!.id }, snapshot('A', 1), delta('A', 2))
    expect(told.slice(1)).toEqual(['snapshot A snapshot 1', 'changed A'])
  })

  test('counts types that are not known', () => {
    begin()
    read({ type: 'weather', sid: 1, seq: 3, msg: {} }, { type: 'ticker', sid: 3, msg: { market_ticker: 'A' } })
    expect(told).toEqual(['unknown weather', 'changed A', 'unknown ticker'])
  })

  test('refuses a frame that is no JSON', () => {
    expect(() => session.read('PONG', { recvNs: 0n, monoNs: 0n, saidMs: 0 })).toThrow('no JSON')
  })

  test('keeps what the lifecycle says of its markets, and sets aside the rest', () => {
    begin()
    const lifecycle = (market: string, seq: number) => ({
      type: 'market_lifecycle_v2',
      sid: 3,
      seq,
      msg: { market_ticker: market, event_type: 'created' },
    })
    read(lifecycle('A', 1), lifecycle('Z', 9), { type: 'event_lifecycle', sid: 3, seq: 10, msg: {} })
    expect(told).toEqual(['changed A', 'aside', 'aside'])
  })

  test('pings with a frame', () => {
    session.ping()
    expect(told).toEqual(['heartbeat ping '])
  })
})

describe('a book that does not come', () => {
  test('is taken from REST, after its gap was told, where nothing of it arrives meanwhile', async () => {
    begin()
    read(delta('A', 5))
    told = []
    session.snapshotsMissing(['A', 'B'])
    await time.advance(0)
    expect(asked).toEqual(['/markets/A/orderbook?depth=0', '/markets/B/orderbook?depth=0'])
    await time.advance(500)
    expect(told).toEqual(['snapshot A rest_book ', 'rest A true', 'snapshot B rest_book ', 'rest B true'])
  })

  test('is asked for again where a change came within the request or soon after it', async () => {
    begin()
    read(delta('A', 5))
    session.snapshotsMissing(['A'])
    await time.advance(400)
    read(delta('A', 6))
    told = []
    await time.advance(100)
    expect([asked.length, told]).toEqual([2, []])
    await time.advance(500)
    expect(told).toEqual(['snapshot A rest_book ', 'rest A true'])
  })

  test('is left where it never rests', async () => {
    begin()
    read(delta('A', 5))
    session.snapshotsMissing(['A'])
    for (let seq = 6; seq < 40; seq++) {
      read(delta('A', seq))
      await time.advance(100)
    }
    expect(asked).toHaveLength(3)
    expect(told.filter((text) => text.startsWith('rest'))).toEqual([])
  })

  test('is not taken from REST once its snapshot has come', async () => {
    begin()
    read(delta('A', 5))
    session.snapshotsMissing(['A'])
    await time.advance(100)
    read(snapshot('A', 6))
    await time.advance(5_000)
    expect(told.filter((text) => text.includes('rest'))).toEqual([])
  })

  test('stays lost where REST fails, and can be asked for anew', async () => {
    begin()
    read(delta('A', 5))
    answer = new RestError('refused', 404, 'GET: the answer was 404')
    session.snapshotsMissing(['A'])
    await time.advance(1_000)
    answer = BODY
    session.snapshotsMissing(['A'])
    await time.advance(1_000)
    expect(told.filter((text) => text.startsWith('rest'))).toEqual(['rest A true'])
  })

  test('nothing is left behind when the socket closes', async () => {
    begin()
    read(delta('A', 5))
    session.snapshotsMissing(['A'])
    await time.advance(0)
    session.close()
    told = []
    await time.advance(60_000)
    expect([told, time.waiting]).toEqual([[], 0])
  })
})

describe('audits', () => {
  const levels = (size: number) => new Map([[400_000, size * 1_000_000]])

  test('compare the book as it was while REST was asked', () => {
    begin()
    expect(session.watch('A')).toBeDefined()
    read(delta('A', 3), delta('A', 4))
    session.conclude('A', levels(6))
    session.watch('B')
    session.conclude('B', levels(5))
    session.watch('B')
    session.conclude('B', levels(4))
    expect(told.filter((text) => text.startsWith('audit'))).toEqual([
      'audit A consistent',
      'audit B exact',
      'audit B inconsistent',
    ])
  })

  test('do not begin on a lost book, and decide nothing of one that is lost meanwhile', () => {
    begin()
    session.watch('A')
    read(delta('A', 9), snapshot('A', 10))
    expect(session.watch('B')).toBeUndefined()
    session.conclude('A', levels(5))
    expect(told.at(-1)).toBe('audit A undecidable')
  })
})
