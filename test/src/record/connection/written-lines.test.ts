// What a connection reports about lines that the disk accepted, and about lines that it refused.

import { expect, test } from 'bun:test'
import { connectionScene, END } from '../../../support/record/connection-scene.ts'

test('lines that the disk refuses are dropped beyond a limit, and reported when it accepts lines again', async () => {
  const { connection, opened, sockets, disk, lines, time } = connectionScene()
  connection.add(['A'], '0x1')
  connection.start()
  await opened('book A h1')
  connection.flush()
  await time.advance(1_000)
  disk.isFull = true
  sockets[0]!.events.text('A h2')
  expect(String(connection.flush())).toContain('full')
  expect(connection.overflow()).toBe(1)
  sockets[0]!.events.text('book A h3')
  expect(connection.booksLost).toBe(1)
  disk.isFull = false
  connection.flush()
  await time.advance(2_000)
  await opened('book A h4')
  connection.flush()
  expect(lines).toEqual([
    'c-1: book A h1',
    'c-1: overflow 2',
    'c-1: end',
    'c-2: gap A overflow 1..3000 snapshot',
    'c-2: book A h4',
  ])
})

test('if the disk refuses a snapshot, everything since the last written one is lost', async () => {
  const { connection, opened, sockets, disk, lines, time } = connectionScene()
  connection.add(['A'], '0x1')
  connection.start()
  await opened('book A h1')
  connection.flush()
  await time.advance(1_000)
  disk.isFull = true
  sockets[0]!.events.text('A h2')
  await time.advance(1_000)
  sockets[0]!.events.text('book A h3')
  expect(String(connection.flush())).toContain('full')
  connection.overflow()
  disk.isFull = false
  connection.flush()
  await time.advance(2_000)
  await opened('book A h4')
  connection.flush()
  expect(lines.filter((line) => line.includes('gap'))).toEqual(['c-2: gap A overflow 1..4000 snapshot'])
})

test('if the disk refuses several snapshots, the gap begins after the one before them', async () => {
  const { connection, opened, sockets, disk, lines, time } = connectionScene()
  connection.add(['A'], '0x1')
  connection.start()
  await opened()
  await time.advance(500)
  sockets[0]!.events.text('untimed book A h1')
  connection.flush()
  disk.isFull = true
  for (const hash of ['h2', 'h3']) {
    await time.advance(1_000)
    sockets[0]!.events.text(`book A ${hash}`)
  }
  expect(String(connection.flush())).toContain('full')
  connection.overflow()
  disk.isFull = false
  connection.flush()
  await time.advance(2_000)
  await opened('book A h4')
  connection.flush()
  expect(lines.filter((line) => line.includes('gap'))).toEqual(['c-2: gap A overflow 501..4500 snapshot'])
})

test('a book has a gap if the disk refused its last lines, even if the book was removed since', async () => {
  const { connection, opened, sockets, disk, written, time } = connectionScene()
  connection.add(['A', 'B', 'C'], '0x1')
  connection.start()
  await opened('book A h1', 'book B h1')
  await time.advance(1_000)
  sockets[0]!.events.text('B h2')
  connection.remove(['B'])
  written()
  disk.isFull = true
  sockets[0]!.events.text('A h2')
  await time.advance(1_000)
  connection.remove(['A', 'C'])
  for (let times = 0; times < 2; times++) {
    expect(String(connection.flush())).toContain('full')
    connection.overflow()
  }
  disk.isFull = false
  expect(written()).toEqual(['c-3: gap A overflow 1000..2000 end', 'c-3: end', 'c-1: overflow 1'])
  connection.add(['A'], '0x1')
  await time.advance(1_000)
  await opened('book A h3')
  expect(written()).toEqual(['c-1: end', 'c-4: book A h3'])
})

test('the lines of a socket are on the disk before the next socket reports its books', async () => {
  const { connection, opened, lines, sockets, time, seconds } = connectionScene({ rotateMs: 60_000 })
  connection.add(['A'], '0x1')
  connection.start()
  await opened('book A h1', 'A h2')
  sockets[0]!.events.ended(END)
  await time.advance(1_000)
  expect(lines).toEqual([])
  await opened('book A h2')
  expect(lines.splice(0)).toEqual(['c-1: book A h1', 'c-1: A h2', 'c-1: end'])
  for (let i = 0; i < 68; i++) {
    await seconds(1)
    sockets[1]!.events.text('PONG')
  }
  await opened('book A h2')
  await seconds(1)
  expect(lines).toEqual(['c-2: gap A disconnect 1..1000 same_hash', 'c-2: book A h2', 'c-2: end'])
})
