// Tests a connection as server-sent events: its bytes, how it waits, and how it ends.

import { expect, test } from 'bun:test'
import { SentBody } from '../server/sent-body.ts'
import { EVENT_HEADERS, type EventConnection, eventStream, eventText } from './event-stream.ts'

function made(onOpen: (socket: EventConnection) => void = () => undefined) {
  const events: unknown[] = []
  const sent = new SentBody()
  const drained = Promise.withResolvers<void>()
  const held: { socket?: EventConnection } = {}
  const session = {
    open: (socket: unknown) => {
      held.socket = socket as EventConnection
      onOpen(held.socket)
    },
    message: () => undefined,
    drain: () => {
      events.push('drain')
      drained.resolve()
    },
    close: (code: number) => void events.push(['close', code]),
  }
  const place = { hold: () => void events.push('held'), leave: () => void events.push('left') }
  const onFailure = (error: unknown) => void events.push(['failed', String(error)])
  const response = eventStream(session, { place, sent, onFailure })
  const reader = response.body!.getReader()
  const read = async () => new TextDecoder().decode((await reader.read()).value)
  return { events, sent, response, reader, read, drained: drained.promise, socket: () => held.socket! }
}

test('a message is an event, with its id where it has one', () => {
  expect([eventText('{"a":1}'), eventText('x', '5')]).toEqual(['data: {"a":1}\n\n', 'id: 5\ndata: x\n\n'])
})

test('messages of a session arrive in order, and each byte is counted', async () => {
  const { events, sent, response, read, socket } = made((opened) => {
    expect(opened.send('ü', '1')).toBe(true)
  })
  expect(Object.fromEntries(response.headers)).toEqual(EVENT_HEADERS)
  expect(await read()).toBe(': connected\n\n')
  expect(await read()).toBe('id: 1\ndata: ü\n\n')
  socket().ping('a')
  expect(socket().cork(() => socket().sendEvents(new TextEncoder().encode('data: b\n\n')))).toBe(true)
  expect([await read(), await read()]).toEqual([': a\n\n', 'data: b\n\n'])
  expect([sent.bytes, sent.end, events]).toEqual([13 + 16 + 5 + 9, null, ['held']])
})

test('a client that reads too slowly is waited for', async () => {
  const { events, read, drained, socket } = made()
  await read()
  expect(socket().send('x'.repeat(65_535))).toBe(false)
  expect([socket().waitingBytes(), events]).toEqual([65_535 + 8, ['held']])
  await read()
  await drained
  expect([socket().waitingBytes(), events]).toEqual([0, ['held', 'drain']])
})

test.each([
  [1000, 'event: close\ndata: {"code":1000,"reason":"it is over"}\n\n'],
  [1001, ''],
])('an end with %d', async (code, text) => {
  const { events, sent, read, reader, socket } = made()
  await read()
  socket().close(code, 'it is over')
  socket().close(1002, 'again')
  expect(socket().send('late')).toBe(false)
  if (text !== '') expect(await read()).toBe(text)
  expect((await reader.read()).done).toBe(true)
  expect([sent.end, events]).toEqual(['whole', ['held', 'left', ['close', code]]])
})

test('a client that leaves, and a server that fails', async () => {
  const left = made()
  await left.read()
  await left.reader.cancel()
  expect([left.sent.end, left.events]).toEqual(['left', ['held', 'left', ['close', 1006]]])
  const failed = made(() => {
    throw new Error('a bug')
  })
  await expect(failed.read()).rejects.toThrow('a bug')
  expect(failed.sent.end).toBe('failed')
  expect(failed.events.slice(0, 3)).toEqual([['failed', 'Error: a bug'], 'left', ['close', 1011]])
})
