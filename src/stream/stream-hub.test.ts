// Tests the hub with simulated sockets: slow subscribers, subscribers that leave, which channels are read, and
// failures of the workers.

import { afterEach, beforeEach, expect, test } from 'bun:test'
import { DataError } from '../../storage/failures.ts'
import { capture, kalshiDelta, kalshiSnapshot, NOON, TICKER } from '../../test/model/lines.ts'
import { TestStore } from '../../test/support/store.ts'
import type { StreamMessage } from '../../test/support/stream/stream-client.ts'
import type { Channel } from '../../workers/follow/follow-request.ts'
import { answerInProcess } from '../../workers/pool/answer-in-process.ts'
import type { Workers } from '../../workers/requests.ts'
import type { Socket, SocketSession } from '../http/sockets/socket.ts'
import { StreamHub } from './stream-hub.ts'
import { StreamPositions } from './stream-position.ts'
import type { StreamQuery } from './stream-query.ts'

const SECRET = new Uint8Array(32).fill(5)
const queryOf = (...channels: Channel[]): StreamQuery => ({
  markets: [{ venue: 'kalshi', market: TICKER }],
  event: null,
  channels,
})

/** A client that reads messages only when the test says so. */
class TestSocket implements Socket {
  readonly messages: (StreamMessage & { position: string })[] = []
  waiting = 0
  takes = true
  closed: number | undefined
  failure: unknown
  session: SocketSession | undefined
  #watch: (() => void) | undefined

  send(text: string): boolean {
    this.messages.push(JSON.parse(text))
    this.#watch?.()
    return this.takes
  }

  cork(send: () => void): boolean {
    send()
    return this.takes
  }

  waitingBytes = () => this.waiting
  ping(): void {}

  close(code: number): void {
    this.closed = code
    this.session?.close(code)
  }

  fail(error: unknown): void {
    this.failure = error
    this.close(1011)
  }

  async has(count: number): Promise<string[]> {
    while (this.messages.length < count) await this.#more()
    return this.messages.map(({ channel, type }) => `${channel} ${type}`)
  }

  #more(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#watch = resolve
    return promise
  }
}

let store: TestStore
let requests: { channels: readonly Channel[] }[]
let failure: DataError | undefined
let hub: StreamHub

beforeEach(async () => {
  store = new TestStore()
  requests = []
  failure = undefined
  const { ask } = answerInProcess(store.store)
  const workers: Pick<Workers, 'ask'> = {
    async ask(task, request) {
      requests.push(request as never)
      if (failure !== undefined) throw failure
      return ask(task, request)
    },
  }
  hub = new StreamHub({ catalogue: store.store.catalogue, workers, waitingBytesMax: 1_000 })
  await store.loadLines('a', [JSON.stringify({ recv_ms: NOON, event: kalshiSnapshot([['0.40', '5.00']]) })])
})
const sockets: TestSocket[] = []
afterEach(async () => {
  for (const socket of sockets.splice(0)) if (socket.closed === undefined) socket.close(1000)
  expect(hub.stats.subscribers).toEqual({ websocket: 0, events: 0 })
  expect(hub.stats.markets).toBe(0)
  await store.close()
})

function subscribe(query: StreamQuery, after?: string, takes = true): TestSocket {
  const positions = new StreamPositions(SECRET, query)
  const places = after === undefined ? [null] : positions.open(after)!
  const { session } = hub.accept('websocket', query, positions, places)
  const socket = new TestSocket()
  Object.assign(socket, { session, takes })
  sockets.push(socket)
  session.open(socket)
  return socket
}

const commit = async (...ms: number[]) => {
  await store.loadLines(String(ms[0]), capture(...ms.map((each) => kalshiDelta(each, '0.41', '1.00'))).split('\n'))
  await hub.check()
}

test('a slow client is sent its position and closed; if it reconnects there, it misses nothing', async () => {
  const [quick, slow] = [subscribe(queryOf('book')), subscribe(queryOf('book'))]
  await Promise.all([quick.has(2), slow.has(2)])
  await commit(10)
  await Promise.all([quick.has(3), slow.has(3)])
  slow.waiting = 1_001
  await commit(20)
  expect(await slow.has(4)).toEqual(['book begin', 'book book', 'book level', 'undefined slow'])
  expect([slow.closed, quick.closed, hub.stats.slow]).toEqual([1013, undefined, 1])
  await quick.has(4)
  const { position } = slow.messages[3]!
  const again = subscribe(queryOf('book'), position)
  await again.has(1)
  expect(again.messages).toEqual(quick.messages.slice(3))
})

test('for a slow client that reads nothing, no more is read until it reads', async () => {
  const first = subscribe(queryOf('records'))
  await first.has(1)
  const { position } = first.messages[0]!
  await commit(10, 20)
  await first.has(3)
  const behind = subscribe(queryOf('records'), position, false)
  expect(await behind.has(2)).toEqual(['records delta', 'records delta'])
  const before = requests.length
  await commit(30)
  await first.has(4)
  expect(requests.length - before).toBe(1)
  expect(behind.messages).toHaveLength(2)
  behind.takes = true
  behind.session!.drain()
  await behind.has(3)
  expect(behind.messages).toEqual(first.messages.slice(1))
})

test('a channel without clients is no longer read', async () => {
  const [records, book] = [subscribe(queryOf('records')), subscribe(queryOf('book'))]
  await Promise.all([records.has(1), book.has(2)])
  await commit(10)
  expect(requests.at(-1)!.channels).toEqual(['records', 'book'])
  await Promise.all([records.has(2), book.has(3)])
  book.close(1000)
  await commit(20)
  expect(requests.at(-1)!.channels).toEqual(['records'])
  records.close(1000)
  const before = requests.length
  await commit(30)
  expect(requests.length).toBe(before)
})

test('a temporary failure is retried; another failure ends the streams of the market', async () => {
  const socket = subscribe(queryOf('book'))
  await socket.has(2)
  failure = new DataError('overloaded', 'busy')
  await commit(10)
  expect([socket.closed, socket.messages.length]).toEqual([undefined, 2])
  failure = undefined
  await hub.check()
  await socket.has(3)
  failure = new DataError('block_corrupt', 'damaged')
  await commit(20)
  expect([socket.closed, socket.failure]).toEqual([1011, failure])
})
