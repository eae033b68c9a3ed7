// Tests a WebSocket whose runtime does not report that the client has read everything.

import { expect, test } from 'bun:test'
import type { ServerWebSocket } from 'bun'
import { WebSocketConnection } from './web-socket.ts'

function connected(buffered: () => number) {
  const drained = Promise.withResolvers<void>()
  let drains = 0
  const session = {
    open: () => undefined,
    message: () => undefined,
    close: () => undefined,
    drain: () => {
      drains++
      drained.resolve()
    },
  }
  const ws = { cork: (send: () => void) => send(), send: () => -1, getBufferedAmount: buffered }
  const place = { hold: () => undefined, leave: () => undefined }
  const about = { place, sent: { bytes: 0, done: () => undefined }, onFailure: () => undefined }
  const connection = new WebSocketConnection(
    session,
    about as unknown as ConstructorParameters<typeof WebSocketConnection>[1],
  )
  connection.opened(ws as unknown as ServerWebSocket<WebSocketConnection>)
  return { connection, drained: drained.promise, drains: () => drains }
}

test('the session still gets its drain call', async () => {
  let waiting = 5
  const { connection, drained, drains } = connected(() => waiting)
  expect(connection.cork(() => expect(connection.send('text')).toBe(false))).toBe(false)
  waiting = 0
  await drained
  expect(drains()).toBe(1)
  connection.ended(1000)
})
