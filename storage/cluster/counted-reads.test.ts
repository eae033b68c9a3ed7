// Goal: reads of objects are counted with their bytes, and a read fails only if the object should be there.

import { expect, test } from 'bun:test'
import { withCountedReads } from './counted-reads.ts'
import { NodeCounters } from './node-counters.ts'
import { ObjectGone, type Objects, ObjectTooShort } from './objects/objects.ts'

const reading = (read: () => Promise<Uint8Array>) => {
  const counters = new NodeCounters()
  const objects = withCountedReads({ read } as unknown as Objects, counters)
  const range = { key: 'a', start: 0, length: 100 } as Parameters<Objects['read']>[0]
  return { counters, read: () => objects.read(range) }
}

test('a read', async () => {
  const { counters, read } = reading(async () => Uint8Array.of(1))
  expect([...(await read())]).toEqual([1])
  expect(counters.counts()).toMatchObject({ reads: 1, readBytes: 100, failedReads: 0 })
})

test.each([
  ['a moved piece', Object.create(ObjectGone.prototype) as Error, 0],
  ['a shorter object', Object.create(ObjectTooShort.prototype) as Error, 0],
  ['a failure', new Error('broken'), 1],
])('%s', async (_, error, failedReads) => {
  const { counters, read } = reading(() => Promise.reject(error))
  expect(await read().catch((caught: unknown) => caught)).toBe(error)
  expect(counters.counts()).toMatchObject({ reads: 1, failedReads })
})
