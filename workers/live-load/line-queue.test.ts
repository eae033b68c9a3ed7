// Waiting lines come out in order, from memory or from the segment's file, as many as may be taken.

import { expect, test } from 'bun:test'
import { appendFileSync } from 'node:fs'
import { join } from 'node:path'
import { temporaryFolder } from '../../test/support/server.ts'
import { LineQueue } from './line-queue.ts'

const textOf = (pieces: Iterable<Uint8Array>) => Array.from(pieces, (piece) => Buffer.from(piece).toString())
const taken = (queue: LineQueue, path: string, bytesMax = 1_000, settledEnd?: number) =>
  textOf(queue.take(() => path, bytesMax, settledEnd))

test('from memory, a flush at a time', () => {
  const queue = new LineQueue()
  expect(queue.last).toBeUndefined()
  let from = 0
  for (const text of ['one\n', 'two\n', 'three\n']) {
    queue.add({ from, length: text.length, bytes: Buffer.from(text) })
    from += text.length
  }
  expect([queue.memoryBytes, queue.fileBytes, Buffer.from(queue.last!).toString()]).toEqual([14, 0, 'three\n'])
  expect(taken(queue, '', 5)).toEqual(['one\n', 'two\n'])
  expect([queue.memoryBytes, taken(queue, ''), queue.memoryBytes]).toEqual([6, ['three\n'], 0])
})

test('takes only settled lines of the last flush; the rest waits', () => {
  const queue = new LineQueue()
  queue.add({ from: 0, length: 4, bytes: Buffer.from('one\n') })
  queue.add({ from: 4, length: 10, bytes: Buffer.from('two\nthree\n') })
  expect(taken(queue, '', 1_000, 4)).toEqual(['one\n', 'two\n'])
  expect([queue.memoryBytes, taken(queue, '', 1_000, 0), queue.memoryBytes]).toEqual([6, [], 6])
  expect(taken(queue, '')).toEqual(['three\n'])
})

test('from the file, also in parts of a flush, and then from memory again', () => {
  using folder = temporaryFolder()
  const path = join(folder.path, 's.zst')
  const texts = ['skipped\n', 'one\n', 'two\n', 'three\n']
  for (const text of texts) appendFileSync(path, Bun.zstdCompressSync(Buffer.from(text)))
  const queue = new LineQueue()
  queue.add({ from: 8, length: 14, bytes: null })
  queue.add({ from: 22, length: 5, bytes: Buffer.from('four\n') })
  expect([queue.memoryBytes, queue.fileBytes]).toEqual([5, 14])
  expect(taken(queue, path, 4)).toEqual(['one\n'])
  expect(queue.fileBytes).toBe(10)
  expect(taken(queue, path)).toEqual(['two\n', 'three\n', 'four\n'])
  expect([queue.memoryBytes, queue.fileBytes]).toEqual([0, 0])
})

test('a file that ends too early is a failure; clear drops the waiting lines', () => {
  using folder = temporaryFolder()
  const path = join(folder.path, 's.zst')
  appendFileSync(path, Bun.zstdCompressSync(Buffer.from('one\n')))
  const queue = new LineQueue()
  queue.add({ from: 0, length: 9, bytes: null })
  expect(() => taken(queue, path)).toThrow(`${path} ends before what was flushed to it`)
  queue.clear()
  expect([queue.fileBytes, taken(queue, path)]).toEqual([0, []])
})
