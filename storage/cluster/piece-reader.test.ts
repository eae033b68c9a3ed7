// Goal: reads of objects are counted with their bytes. A missing or too short object does not count as a failed read.

import { expect, test } from 'bun:test'
import { NodeCounters } from './node-counters.ts'
import { ObjectGone, type Objects, ObjectTooShort } from './objects/objects.ts'
import { NO_CACHE, PieceReader, type WantedPiece } from './piece-reader.ts'

const WANTED: WantedPiece = {
  key: { venue: 'kalshi', market: 'KXTEST', date: '2026-07-20' },
  piece: { kind: 'block', id: 1, book: 0, segment: 0, start: 40, length: 100, checksum: '' },
  segment: 'a',
}

const reading = (read: () => Promise<Uint8Array>) => {
  const counters = new NodeCounters()
  const reader = new PieceReader({ read } as unknown as Objects, NO_CACHE, counters)
  return { counters, read: () => reader.read([WANTED]) }
}

test('a read', async () => {
  const { counters, read } = reading(async () => new Uint8Array(100))
  expect(await read()).toEqual([{ damage: expect.any(Error) }])
  expect(counters.counts()).toMatchObject({ reads: 1, readBytes: 100, failedReads: 0 })
})

test.each([
  ['a moved piece', new ObjectGone('a')],
  ['a shorter object', new ObjectTooShort({ key: 'a', start: 40, length: 100 })],
])('%s', async (_, error) => {
  const { counters, read } = reading(() => Promise.reject(error))
  expect(await read()).toEqual([{ damage: expect.objectContaining({ message: error.message }) }])
  expect(counters.counts()).toMatchObject({ reads: 1, failedReads: 0 })
})

test('a failure', async () => {
  const error = new Error('broken')
  const { counters, read } = reading(() => Promise.reject(error))
  expect(await read().catch((caught: unknown) => caught)).toBe(error)
  expect(counters.counts()).toMatchObject({ reads: 1, failedReads: 1 })
})
