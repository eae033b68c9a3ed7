// Tests the limit on pipelined requests: with simulated turns of the event loop, and on a real socket.

import { expect, test } from 'bun:test'
import { connect } from 'node:net'
import { listen } from './listen.ts'
import { type Peer, PIPELINED_MAX, Pipelining } from './pipelining.ts'

function turns() {
  let nowMs = 0
  const ends: (() => void)[] = []
  return {
    pass: (ms: number) => {
      nowMs += ms
    },
    end: () => {
      for (const end of ends.splice(0)) end()
    },
    given: { nowMs: () => nowMs, atEnd: (end: () => void) => void ends.push(end) },
  }
}

const peer = (port: number, address = '127.0.0.1') => ({ address, port })
const repeated = (count: number, isTooMuch: () => boolean) => Array.from({ length: count }, isTooMuch)

test('a connection that pipelines is ended, at the latest by a turn that lasts 50 ms', () => {
  const turn = turns()
  const pipelining = new Pipelining(turn.given)
  const one = () => pipelining.isTooMuch(() => peer(1))
  expect(repeated(PIPELINED_MAX, one)).not.toContain(true)
  expect(repeated(8, one).at(-1)).toBe(true)
  turn.end()
  expect(repeated(20, one)).not.toContain(true)
  turn.pass(51)
  expect(one()).toBe(true)
  turn.end()
  expect(repeated(20, one)).not.toContain(true)
})

test('many connections share the pipelined requests of a turn', () => {
  const pipelining = new Pipelining(turns().given)
  const ended = new Set<number>()
  for (let port = 0; port < 50; port += 1) {
    for (const isEnded of repeated(10, () => pipelining.isTooMuch(() => peer(port)))) if (isEnded) ended.add(port)
  }
  expect([...ended][0]).toBe(11)
  expect(ended.size).toBe(39)
})

test('a connection that waits for its answers is never ended, however many there are and however long a turn is', () => {
  const turn = turns()
  const pipelining = new Pipelining(turn.given)
  let lookups = 0
  const isEnded = (from: Peer) =>
    pipelining.isTooMuch(() => {
      lookups += 1
      return from
    })
  const ended: boolean[] = []
  for (let port = 0; port < 2_000; port += 1) {
    turn.pass(1)
    ended.push(isEnded(peer(port)), isEnded(peer(port, '::1')), isEnded(null))
  }
  for (let index = 0; index < 1_000; index += 1) {
    ended.push(isEnded(peer(1)))
    turn.end()
  }
  expect(ended).not.toContain(true)
  expect(lookups).toBeLessThan(6_300)
})

test('the server closes a connection of thousands of requests, with an answer that says so', async () => {
  let requests = 0
  const server = listen(
    () => {
      requests += 1
      return new Response('ok')
    },
    { host: '127.0.0.1', port: 0 },
  )
  const ended = Promise.withResolvers<void>()
  let text = ''
  const socket = connect(server.port, '127.0.0.1', () =>
    socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(5_000)),
  )
  socket.on('data', (bytes) => {
    text += bytes.toString('latin1')
  })
  socket.on('error', () => undefined)
  socket.on('close', () => ended.resolve())
  await ended.promise
  expect(requests).toBeLessThan(1_000)
  const answers = text
    .split('HTTP/1.1 200 OK')
    .slice(1)
    .map((answer) => /^connection: close/im.test(answer))
  expect(answers.slice(0, -1)).not.toContain(true)
  // If a connection ends with unread requests, the system drops answers that the client has not read yet.
  if (answers.length === requests) expect(answers.at(-1)).toBe(true)
  expect(await (await fetch(server.url)).text()).toBe('ok')
  await server.stop(0)
})
