// Tests the cache of answers: it returns stored answers, and never exceeds its limit.

import { expect, test } from 'bun:test'
import { VALIDATORS } from '../../../test/support/bodies.ts'
import { AnswerCache } from './answer-cache.ts'

const bytes = (length: number, fill = 49) => new Uint8Array(length).fill(fill)

function put(cache: AnswerCache, key: string, pieces: Uint8Array[], encoding: 'identity' | 'zstd' = 'identity'): void {
  const keep = cache.keep(key)
  for (const piece of pieces) keep?.add(piece)
  keep?.done(encoding)
}

test('an answer comes back with its headers, any number of times', async () => {
  const cache = new AnswerCache(100)
  put(cache, 'a', [bytes(2), bytes(3, 50)], 'zstd')
  for (let each = 0; each < 2; each++) {
    const response = cache.response('a', VALIDATORS)!
    expect(response.headers.get('content-encoding')).toBe('zstd')
    expect(await response.text()).toBe('11222')
  }
  expect(cache.response('b', VALIDATORS)).toBeUndefined()
})

test('evicts the least used answers when full, and does not store one larger than the cache', () => {
  const cache = new AnswerCache(100)
  put(cache, 'a', [bytes(50)])
  put(cache, 'b', [bytes(50)])
  cache.response('a', VALIDATORS)
  put(cache, 'c', [bytes(50)])
  put(cache, 'd', [bytes(60), bytes(60)])
  expect(['a', 'b', 'c', 'd'].map((key) => cache.response(key, VALIDATORS) !== undefined)).toEqual([
    true,
    false,
    true,
    false,
  ])
})

test('answers in progress are aborted if there are too many, and their end frees their room', () => {
  const cache = new AnswerCache(100)
  const slow = cache.keep('slow')!
  slow.add(bytes(80))
  put(cache, 'late', [bytes(30)])
  expect(cache.response('late', VALIDATORS)).toBeUndefined()
  slow.abort()
  put(cache, 'later', [bytes(90)])
  expect(cache.response('later', VALIDATORS)).toBeDefined()
})

test('of several answers that grow alike, stores the one that is furthest along', () => {
  const cache = new AnswerCache(100)
  const writers = ['a', 'b', 'c'].map((key) => cache.keep(key)!)
  for (let round = 0; round < 9; round++) for (const keep of writers) keep.add(bytes(10))
  for (const keep of writers) keep.done('identity')
  expect(['a', 'b', 'c'].map((key) => cache.response(key, VALIDATORS) !== undefined)).toEqual([true, false, false])
})

test('stores nothing if the limit is 0', () => expect(new AnswerCache(0).keep('a')).toBeUndefined())

test('frees sent pieces with their answer, whether it is stored, dropped or requested again', async () => {
  const size = 2 ** 16
  const cache = new AnswerCache(3 * size)
  const sending = (key: string, pieces: Uint8Array[], sentCount: number) => {
    const keep = cache.keep(key)!
    for (const piece of pieces) keep.add(piece)
    for (const piece of pieces.slice(0, sentCount)) keep.sent(piece)
    return keep
  }
  const pieces = () => [bytes(size), bytes(size)]
  const freed = (each: Uint8Array[]) => each.map(({ byteLength }) => byteLength === 0)

  const [storedPieces, next, shared] = [pieces(), pieces(), pieces()]
  sending('kept', storedPieces, 2).done('identity')
  expect(freed(storedPieces)).toEqual([false, false])
  sending('next', next, 2).done('identity')
  expect([freed(storedPieces), freed(next)]).toEqual([
    [true, true],
    [false, false],
  ])
  expect((await cache.response('next', VALIDATORS)!.bytes()).length).toBe(2 * size)
  expect(freed(next)).toEqual([true, true])
  expect((await cache.response('next', VALIDATORS)!.bytes()).every((byte) => byte === 49)).toBe(true)

  sending('shared', shared, 0).done('identity')
  sending('last', pieces(), 2).done('identity')
  expect(freed(shared)).toEqual([false, false])

  const left = pieces()
  const leaving = sending('left', left, 1)
  leaving.abort()
  expect(freed(left)).toEqual([true, false])
  leaving.sent(left[1]!)
  expect(freed(left)).toEqual([true, true])
})
