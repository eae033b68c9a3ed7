// Tests a standby that takes the place of the primary socket: frames that both receive, and frames that only one
// receives.

import { expect, test } from 'bun:test'
import { connectionScene, END, START_MS } from '../../../test/support/record/connection-scene.ts'

/** Returns a connection of two books whose primary socket has sent the frames `first`, and whose standby has sent
 *  `second`. */
async function besideStandby(first: readonly string[], second: readonly string[]) {
  const scene = connectionScene()
  const { connection, opened, time } = scene
  connection.add(['A', 'B'], '0x1')
  connection.start()
  await opened(...first)
  connection.rotate()
  await time.advance(1_000)
  await opened(...second)
  return scene
}

test('a new socket takes the place of a narrow one a second after it has all snapshots: no gap', async () => {
  const { connection, opened, sockets, seconds, written, stats } = connectionScene({ rotateMs: 60_000 })
  connection.add(['A', 'B'], '0x1')
  connection.start()
  await opened('book A h1', 'book B h1')
  for (let i = 0; i < 68; i++) {
    await seconds(1)
    sockets[0]!.events.text('PONG')
  }
  expect(sockets).toHaveLength(2)
  await opened('book A h1')
  sockets[0]!.events.text('B h2')
  sockets[1]!.events.text('B h2')
  expect(sockets[0]!.isClosed).toBe(false)
  sockets[1]!.events.text('book B h2')
  sockets[0]!.events.text('B h3')
  expect(sockets[0]!.isClosed).toBe(false)
  await seconds(1)
  expect(sockets[0]!.isClosed).toBe(true)
  sockets[0]!.events.text('B h4')
  sockets[0]!.events.ended({ ...END, code: 1000 })
  expect(written()).toEqual([
    'c-1: book A h1',
    'c-1: book B h1',
    'c-1: B h2',
    'c-1: B h3',
    'c-1: end',
    'c-2: book A h1',
    'c-2: B h2',
    'c-2: book B h2',
  ])
  expect(stats.rotations).toBe(1)
  await seconds(5)
  expect(sockets).toHaveLength(2)
})

test('an old socket that ends during its replacement leaves a gap for the books that the new one does not have', async () => {
  const { connection, opened, sockets, time, written } = connectionScene()
  connection.add(['A', 'B'], '0x1')
  connection.start()
  await opened('book A h1', 'book B h1')
  await time.advance(1_000)
  connection.rotate()
  await time.advance(1_000)
  await opened('book A h1')
  sockets[0]!.events.ended(END)
  sockets[1]!.events.text('book B h2')
  expect(written().slice(3)).toEqual(['c-2: book A h1', 'c-2: gap B disconnect 1..2000 snapshot', 'c-2: book B h2'])
  await time.advance(5_000)
  expect(sockets).toHaveLength(2)
})

test('a new book that only the replacement has received is lost when the replacement ends', async () => {
  const { connection, opened, sockets, time, written } = connectionScene()
  connection.add(['A'], '0x1')
  connection.start()
  await opened('book A h1')
  connection.rotate()
  await time.advance(1_000)
  await opened()
  connection.add(['B'], '0x1', new Map([['B', { market: '0x1', untilMs: START_MS - 5_000, hash: 'h1' }]]))
  sockets[1]!.events.text('book B h2')
  await time.advance(1_000)
  sockets[1]!.events.ended(END)
  sockets[0]!.events.text('A h2')
  await time.advance(1_000)
  sockets[0]!.events.text('book B h4')
  expect(written()).toEqual([
    'c-2: gap B restart -5000..1000 snapshot',
    'c-2: book B h2',
    'c-2: end',
    'c-1: book A h1',
    'c-1: A h2',
    'c-1: gap B disconnect 1001..3000 snapshot',
    'c-1: book B h4',
  ])
})

test('a book without a snapshot on either socket is lost when one replaces the other', async () => {
  const { sockets, seconds, written } = await besideStandby(['book A h1', 'B h1'], ['book A h1'])
  await seconds(2)
  expect(sockets[0]!.isClosed).toBe(true)
  sockets[1]!.events.text('book B h2')
  expect(written().filter((line) => line.includes('gap'))).toEqual(['c-2: gap B resync 0..3000 snapshot'])
})

test('a book that was removed and added again is lost with the socket, unless its successor has it', async () => {
  const { connection, opened, sockets, time, written } = connectionScene()
  connection.add(['A', 'B'], '0x1')
  connection.start()
  await opened('book A h1', 'book B h1')
  connection.remove(['B'])
  connection.add(['B'], '0x1')
  sockets[0]!.events.text('book B h1')
  connection.rotate()
  await time.advance(1_000)
  await opened('book A h1')
  sockets[0]!.events.ended(END)
  await time.advance(1_000)
  sockets[1]!.events.text('book B h2')
  expect(written().filter((line) => line.includes('gap'))).toEqual(['c-2: gap B disconnect 1..2000 snapshot'])
})

test('a book that was lost is still requested after the socket is replaced', async () => {
  const { sockets, seconds, protocol } = await besideStandby(['book A h1', 'book B h1'], ['book B h1'])
  sockets[0]!.events.text('hole B')
  sockets[0]!.events.ended(END)
  await seconds(9)
  expect(protocol.requests.at(-1)).toBe('c-2 missing B A')
})

test('a replacement that sends no snapshot is dropped; one that sends some takes over', async () => {
  const { connection, opened, sockets, seconds, time, written } = await besideStandby(['book A h1', 'book B h1'], [])
  await seconds(9)
  expect([sockets[0]!.isClosed, sockets[1]!.isClosed]).toEqual([false, true])
  await time.advance(60_000)
  sockets[0]!.events.text('PONG')
  connection.rotate()
  await time.advance(1_000)
  await opened('book A h1')
  for (let i = 0; i < 9; i++) {
    await seconds(1)
    sockets[0]!.events.text('PONG')
  }
  expect([sockets[0]!.isClosed, sockets[2]!.isClosed]).toEqual([true, false])
  written()
  sockets[2]!.events.text('book B h1')
  expect(written()).toEqual(['c-3: gap B resync 1..80000 same_hash', 'c-3: book B h1'])
})
