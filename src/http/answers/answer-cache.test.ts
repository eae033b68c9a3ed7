// The cache of answers: what was kept comes back, and never more than was allowed is held.

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

test('the least used go when there is no room, and what is larger than all of it is not kept', () => {
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

test('answers under way are aborted when they are too many, and room comes back with their end', () => {
  const cache = new AnswerCache(100)
  const slow = cache.keep('slow')!
  slow.add(bytes(80))
  put(cache, 'late', [bytes(30)])
  expect(cache.response('late', VALIDATORS)).toBeUndefined()
  slow.abort()
  put(cache, 'later', [bytes(90)])
  expect(cache.response('later', VALIDATORS)).toBeDefined()
})

test('of many that grow alike, the one that is furthest is kept', () => {
  const cache = new AnswerCache(100)
  const keeps = ['a', 'b', 'c'].map((key) => cache.keep(key)!)
  for (let round = 0; round < 9; round++) for (const keep of keeps) keep.add(bytes(10))
  for (const keep of keeps) keep.done('identity')
  expect(['a', 'b', 'c'].map((key) => cache.response(key, VALIDATORS) !== undefined)).toEqual([true, false, false])
})

test('nothing is kept where nothing is allowed', () => expect(new AnswerCache(0).keep('a')).toBeUndefined())

test('pieces that were sent are freed with their answer, whether it is kept, dropped or asked for again', async () => {
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

  const [kept, next, shared] = [pieces(), pieces(), pieces()]
  sending('kept', kept, 2).done('identity')
  expect(freed(kept)).toEqual([false, false])
  sending('next', next, 2).done('identity')
  expect([freed(kept), freed(next)]).toEqual([
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
