// Tests a connection with sockets and a clock that the test controls.

import { expect, test } from 'bun:test'
import { connectionScene, END, START_MS } from '../../../test/support/record/connection-scene.ts'

test('a frame is written as it came, also one that is not understood; heartbeats are not', async () => {
  const { connection, opened, written, stats } = connectionScene()
  connection.add(['A'], null)
  connection.start()
  await opened('book A h1', 'bad', 'PONG', 'PONG\n', 'A h2\n', 'aside news')
  expect(written()).toEqual(['c-1: book A h1', 'c-1: bad', 'c-1: A h2\n'])
  expect(Object.fromEntries(stats.unknown)).toEqual({ 'no JSON': 1 })
})

test('a gap is written before the frame that follows it; a snapshot closes it, a change does not', async () => {
  const { connection, opened, written, sockets, time, protocol } = connectionScene()
  connection.add(['A', 'B'], '0x1')
  connection.start()
  await opened('book A h1', 'book B h1')
  await time.advance(2_000)
  sockets[0]!.events.text('A h2')
  await time.advance(3_000)
  sockets[0]!.events.ended(END)
  expect(written()).toEqual(['c-1: book A h1', 'c-1: book B h1', 'c-1: A h2', 'c-1: end'])
  await time.advance(1_000)
  await opened('A h3')
  await time.advance(500)
  sockets[1]!.events.text('book A h4')
  sockets[1]!.events.text('book B h1')
  sockets[1]!.events.text('book A h4')
  expect(written()).toEqual([
    'c-2: gap A disconnect 2000..6000 end',
    'c-2: A h3',
    'c-2: gap A disconnect 6000..6500 snapshot',
    'c-2: book A h4',
    'c-2: gap B disconnect 2000..6500 same_hash',
    'c-2: book B h1',
    'c-2: book A h4',
  ])
  expect(protocol.requests).toEqual(['c-1 add A B', 'c-2 add A B'])
})

test('a book that was never received has no gap; one that was recorded before has one', async () => {
  const { connection, opened, written, sockets, time } = connectionScene()
  connection.add(['A'], '0x1')
  connection.add(['B'], '0x1', new Map([['B', { market: '0x1', untilMs: START_MS - 5_000, hash: 'h1' }]]))
  connection.start()
  await opened()
  sockets[0]!.events.ended(END)
  await time.advance(2_000)
  await opened('book A h1', 'book B h1')
  expect(written()).toEqual([
    'c-1: end',
    'c-2: book A h1',
    'c-2: gap B restart -5000..2000 same_hash',
    'c-2: book B h1',
  ])
})

test('an outage during the maintenance of the venue is written as maintenance', async () => {
  const { connection, opened, written, sockets, protocol, time } = connectionScene()
  connection.add(['A'], '0x1')
  connection.start()
  await opened('book A h1')
  protocol.isAway = true
  sockets[0]!.events.ended(END)
  await time.advance(1_000)
  await opened('book A h2')
  expect(written()).toContain('c-2: gap A maintenance 1..1000 snapshot')
})

test('a hole is written before the frame that shows it, and then a gap until the snapshot comes', async () => {
  const { connection, opened, written, sockets, time } = connectionScene()
  connection.add(['A', 'B'], '0x1')
  connection.start()
  await opened('book A h1', 'book B h1')
  await time.advance(1_000)
  sockets[0]!.events.text('hole A')
  await time.advance(1_000)
  sockets[0]!.events.text('B h2')
  sockets[0]!.events.text('book A h3')
  expect(written().slice(2)).toEqual([
    'c-1: gap A sequence_hole 1..1000 end',
    'c-1: hole A',
    'c-1: B h2',
    'c-1: gap A resync 1000..2000 snapshot',
    'c-1: book A h3',
  ])
})

test('a ping that nothing answers ends the socket; any frame answers it', async () => {
  const { connection, opened, sockets, seconds, stats } = connectionScene()
  connection.add(['A'], '0x1')
  connection.start()
  await opened('book A h1')
  await seconds(11)
  expect(sockets[0]!.sent).toEqual(['PING'])
  sockets[0]!.events.text('PONG')
  await seconds(11)
  expect(sockets[0]!.sent).toEqual(['PING', 'PING'])
  sockets[0]!.events.alive()
  await seconds(17)
  expect(sockets[0]!.isTerminated).toBe(true)
  expect(sockets).toHaveLength(2)
  expect(Object.fromEntries(stats.reconnects)).toEqual({ silence: 1 })
})

test('a busy, broad socket ends when its data stops, even if PONG still arrives', async () => {
  const { connection, opened, sockets, seconds } = connectionScene({ silenceMs: 30_000 })
  connection.add(['A'], '0x1')
  connection.start()
  await opened('book A h1')
  for (let i = 0; i < 40; i++) {
    await seconds(1)
    sockets[0]!.events.text(`A h${i}`)
  }
  for (let i = 0; i < 29; i++) {
    await seconds(1)
    sockets[0]!.events.text('PONG')
  }
  expect(sockets[0]!.isTerminated).toBe(false)
  await seconds(2)
  expect(sockets[0]!.isTerminated).toBe(true)
})

test('a snapshot that does not arrive in time is requested', async () => {
  const { connection, opened, seconds, protocol } = connectionScene()
  connection.add(['A', 'B'], '0x1')
  connection.start()
  await opened('book A h1')
  await seconds(9)
  expect(protocol.requests).toEqual(['c-1 add A B', 'c-1 missing B'])
})

test('a normal close by the venue ends the connection if it is set to end with the venue', async () => {
  const { connection, opened, sockets, time } = connectionScene({ endsWithVenue: true })
  connection.add(['A'], '0x1')
  connection.start()
  await opened('book A h1')
  sockets[0]!.events.ended({ ...END, code: 1012 })
  await time.advance(1_000)
  await opened('book A h2')
  sockets[1]!.events.ended({ ...END, code: 1000 })
  await time.advance(100_000)
  expect([sockets.length, connection.isFinished]).toEqual([2, true])
})

test('failed attempts wait longer and longer; a 429 sets the wait, for all connections', async () => {
  const { connection, sockets, time, stats, logged } = connectionScene()
  connection.add(['A'], '0x1')
  connection.start()
  const waits: number[] = []
  for (let i = 0; i < 5; i++) {
    await time.advance(0)
    const before = time.nowMs
    const answer = i === 3 ? { status: 429, retryAfter: '7' } : {}
    sockets.at(-1)!.events.ended({ ...END, ...answer })
    const count = sockets.length
    while (sockets.length === count) await time.advance(25)
    waits.push(time.nowMs - before)
  }
  expect(waits).toEqual([750, 1_500, 3_000, 7_000, 12_000].map((ms) => Math.ceil(ms / 25) * 25))
  expect(stats.connectFailures).toBe(5)
  expect(logged.map(({ message, status }) => [message, status])).toEqual(
    [null, null, null, 429, null].map((status) => ['a connection was not opened', status]),
  )
})

test('a stop writes the open gaps, in a segment of their own if needed', async () => {
  const { connection, opened, sockets, written, time } = connectionScene()
  connection.add(['A'], '0x1')
  connection.start()
  await opened('book A h1')
  await time.advance(1_000)
  sockets[0]!.events.ended(END)
  expect(written()).toEqual(['c-1: book A h1', 'c-1: end'])
  connection.stop()
  expect(written()).toEqual(['c-2: gap A disconnect 1..1000 end', 'c-2: end'])
  await time.advance(100_000)
  expect([sockets.length, time.waiting]).toEqual([1, 0])
})
