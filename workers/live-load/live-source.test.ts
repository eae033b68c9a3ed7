// Segments share the text that may be read. Segments with little text leave the rest to the others.

import { expect, test } from 'bun:test'
import { LineQueue } from './line-queue.ts'
import { fail, type LiveSource, sharesOf, waitingBytes } from './live-source.ts'

const KB = 1_024
function source(waiting: number, name = 'kalshi/x'): LiveSource {
  const queue = new LineQueue()
  queue.add({ from: 0, length: waiting, bytes: null })
  return { name, queue, error: null } as unknown as LiveSource
}
const shares = (waiting: number[], bytesMax: number) => {
  const sources = waiting.map((bytes) => source(bytes * KB))
  const found = sharesOf(sources, bytesMax * KB)
  return sources.map((each) => found.get(each)! / KB)
}

test('a segment gets an equal share, and the room that others leave', () => {
  expect(shares([1_000, 1_000], 600)).toEqual([300, 300])
  expect(shares([1_000, 100, 1_000], 700)).toEqual(
    [300, 700 / 3, 300].map((share, i) => (i === 1 ? Math.floor(share * KB) / KB : share)),
  )
  expect(shares([50, 10], 1_000)).toEqual([990, 500])
})

test('at least 64 KB each', () => expect(shares([1_000, 1_000, 1_000], 90)).toEqual([64, 64, 64]))

test('a failed segment has no waiting bytes, and keeps its first reason', () => {
  const failed = source(10)
  expect(waitingBytes(failed)).toBe(10)
  for (const reason of ['first', 'second']) fail(failed, reason)
  expect([failed.error, waitingBytes(failed)]).toEqual(['first', 0])
})
