// Goal: if a socket receives no data but answers PING, the next socket reveals that. The missed data is in gaps.

import { expect, test } from 'bun:test'
import { connectionScene, END } from '../../../support/record/connection-scene.ts'

test('the next socket reveals that a socket was frozen although it answered PING', async () => {
  const { connection, opened, sockets, seconds, written, stats } = connectionScene({ rotateMs: 60_000 })
  connection.add(['A', 'B', 'C'], '0x1')
  connection.start()
  await opened('book A h1', 'book B h1', 'book C h1')
  await seconds(2)
  sockets[0]!.events.text('A h2')
  for (let i = 0; i < 68; i++) {
    await seconds(1)
    sockets[0]!.events.text('PONG')
  }
  // A and C have changed, and the old socket has one second to send the changes.
  await opened('book A h3', 'book B h1', 'book C h2')
  expect(sockets[0]!.isClosed).toBe(false)
  await seconds(2)
  expect(sockets[0]!.isClosed).toBe(true)
  const lines = written()
  const [first, second] = ['c-1', 'c-2'].map((socket) => lines.filter((line) => line.startsWith(socket)))
  expect(first!.slice(4)).toEqual([
    'c-1: gap A silence 2000..70000 snapshot',
    'c-1: gap C silence 2000..70000 snapshot',
    'c-1: end',
  ])
  expect(second).toEqual(['c-2: book A h3', 'c-2: book B h1', 'c-2: book C h2'])
  expect(stats.rotations).toBe(1)
})

test('a socket that stalls after the next one opened has missed the change, even if it ends', async () => {
  for (const isEnded of [false, true]) {
    const { connection, opened, sockets, seconds, time, written } = connectionScene()
    connection.add(['A', 'B'], '0x1')
    connection.start()
    await opened('book A h1', 'book B h1')
    connection.rotate()
    await time.advance(1_000)
    await opened()
    sockets[0]!.events.text('A h2')
    await seconds(1)
    sockets[1]!.events.text('book B h2')
    if (isEnded) sockets[0]!.events.ended(END)
    sockets[1]!.events.text('book A h2')
    await seconds(2)
    const gaps = written().filter((line) => line.includes('gap B'))
    expect(gaps).toEqual(['c-1: gap B silence 1000..2000 snapshot'])
  }
})

test('a socket that sends data later than the next socket was not frozen', async () => {
  const { connection, opened, sockets, seconds, written } = connectionScene({ rotateMs: 60_000 })
  connection.add(['A'], '0x1')
  connection.start()
  await opened('book A h1')
  for (let i = 0; i < 68; i++) {
    await seconds(1)
    sockets[0]!.events.text('PONG')
  }
  await opened('book A h2')
  sockets[0]!.events.text('A h2')
  await seconds(2)
  expect(sockets[0]!.isClosed).toBe(true)
  expect(written().filter((line) => line.includes('gap'))).toEqual([])
})

test('a frame without a time does not move the start of the gap', async () => {
  const { connection, opened, sockets, time, written } = connectionScene()
  connection.add(['A'], '0x1')
  connection.start()
  await opened('book A h1')
  await time.advance(1_000)
  sockets[0]!.events.text('untimed A h2')
  sockets[0]!.events.ended(END)
  await time.advance(1_000)
  await opened('book A h3')
  expect(written()).toContain('c-2: gap A disconnect 1..2000 snapshot')
})

test('a snapshot on one socket does not give the standby socket a book', async () => {
  const { connection, opened, sockets, time, written } = connectionScene()
  connection.add(['A', 'B'], '0x1')
  connection.start()
  await opened('book A h1', 'book B h1')
  sockets[0]!.events.text('hole B')
  connection.rotate()
  await time.advance(1_000)
  await opened()
  sockets[0]!.events.text('book B h2')
  sockets[1]!.events.text('book A h1')
  sockets[0]!.events.ended(END)
  await time.advance(1_000)
  sockets.at(-1)!.events.text('book B h3')
  expect(written().filter((line) => line.includes('gap B disconnect'))).toEqual([
    'c-2: gap B disconnect 1001..2000 snapshot',
  ])
})

test('the gap of a frozen socket is written, even if the next socket ends before the switch', async () => {
  const { connection, opened, sockets, seconds, written } = connectionScene({ rotateMs: 60_000 })
  connection.add(['A', 'B'], '0x1')
  connection.start()
  await opened('book A h1', 'book B h1')
  for (let i = 0; i < 68; i++) {
    await seconds(1)
    sockets[0]!.events.text('PONG')
  }
  await opened('book A h2')
  sockets.at(-1)!.events.ended(END)
  expect(written().filter((line) => line.includes('gap'))).toEqual(['c-1: gap A silence 1..68000 snapshot'])
})
