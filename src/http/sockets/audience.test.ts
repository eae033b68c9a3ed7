// A group of connections: each gets every message, and one kind of connection one encoding.

import { expect, test } from 'bun:test'
import { Audience } from './audience.ts'
import { EventConnection } from './event-stream.ts'
import type { Socket } from './socket.ts'
import { WebSocketConnection } from './web-socket.ts'

const MESSAGES = [
  { text: 'ü', id: '1' },
  { text: 'b', id: '2' },
]

/** Connections of each kind that record the calls made to them. */
function made() {
  const told: unknown[] = []
  const spy = (kind: object, name: string, methods: readonly string[]): Socket => {
    const noted = methods.map((method) => [method, (...given: unknown[]) => told.push([name, method, ...given])])
    return Object.assign(Object.create(kind), Object.fromEntries(noted)) as Socket
  }
  const webSocket = (name: string) =>
    spy(WebSocketConnection.prototype, name, ['enter', 'leave', 'publish', 'published'])
  const events = (name: string) => spy(EventConnection.prototype, name, ['sendEvents'])
  const other = (name: string) => spy({}, name, ['send'])
  return { told, webSocket, events, other }
}

const TOPIC = expect.stringContaining('audience ')

test('a message is published once for all WebSockets, and each counts its bytes', () => {
  const { told, webSocket } = made()
  const audience = new Audience()
  for (const name of ['a', 'b']) audience.add(webSocket(name))
  told.length = 0
  audience.send(MESSAGES)
  expect(told).toEqual([
    ['a', 'publish', TOPIC, 'ü'],
    ['a', 'publish', TOPIC, 'b'],
    ['a', 'published', 3],
    ['b', 'published', 3],
  ])
})

test('streams of events share the same bytes, and any other connection is sent each message', () => {
  const { told, events, other } = made()
  const audience = new Audience()
  for (const socket of [events('a'), events('b'), other('c')]) audience.add(socket)
  audience.send(MESSAGES)
  const [first, second, ...rest] = told as [[string, string, Uint8Array], [string, string, Uint8Array], ...unknown[]]
  expect(new TextDecoder().decode(first[2])).toBe('id: 1\ndata: ü\n\nid: 2\ndata: b\n\n')
  expect(second[2]).toBe(first[2])
  expect(rest).toEqual([
    ['c', 'send', 'ü', '1'],
    ['c', 'send', 'b', '2'],
  ])
})

test('who leaves is sent nothing more, and two audiences have two topics', () => {
  const { told, webSocket, events, other } = made()
  const [one, two] = [new Audience(), new Audience()]
  const sockets = [webSocket('a'), events('b'), other('c')]
  for (const socket of sockets) one.add(socket)
  two.add(sockets[0]!)
  expect([one.size, [...one]]).toEqual([3, sockets])
  const topics = told.map((each) => (each as unknown[])[2])
  expect(new Set(topics).size).toBe(2)
  told.length = 0
  for (const socket of [...sockets, ...sockets]) one.delete(socket)
  one.send(MESSAGES)
  expect([one.size, told]).toEqual([0, [['a', 'leave', topics[0]]]])
})
