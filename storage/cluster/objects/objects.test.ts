// Every object store behaves the same: the one in memory, which other tests rely on, and S3-compatible ones.

import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { MemoryObjects } from '../../../test/support/cluster/memory-objects.ts'
import { startS3Double } from '../../../test/support/cluster/s3-double.ts'
import { S3_SKIPPED, S3_TEST_URL, testObjectSettings } from '../../../test/support/cluster/s3-server.ts'
import { ObjectGone, type Objects, ObjectTooShort } from './objects.ts'
import { S3Objects } from './s3-objects.ts'

const ODD_KEYS = ['a b', 'a+b', 'a%2Fb', 'a&b<c>"d\'', 'a:b;c=d,e@f!$*()~', 'q?x=1#h', 'sl//ash', 'ü/é 漢字', '.a/..b']
/** More objects than a server returns in one list. */
const MANY = 1_001

const rejection = (promise: Promise<unknown>) =>
  promise.then(
    () => null,
    (error) => error,
  )
const bytesOf = (text: string) => new TextEncoder().encode(text)

async function keysOf(objects: Objects, prefix: string): Promise<string[]> {
  const keys: string[] = []
  for await (const { key } of objects.list(prefix)) keys.push(key)
  return keys
}

function suite(open: () => Promise<Objects>) {
  let objects: Objects
  const text = async (key: string, start: number, length: number) =>
    new TextDecoder().decode(await objects.read({ key, start, length }))

  beforeAll(async () => {
    objects = await open()
  })
  afterAll(() => objects.close())

  test('ranges of an object are its bytes', async () => {
    await objects.put('ranges/one', bytesOf('0123456789'))
    expect(await text('ranges/one', 0, 10)).toBe('0123456789')
    expect(await text('ranges/one', 0, 1)).toBe('0')
    expect(await text('ranges/one', 9, 1)).toBe('9')
    expect(await text('ranges/one', 3, 4)).toBe('3456')
    expect(await text('ranges/one', 3, 0)).toBe('')
  })

  test('distinguishes a missing object from one that is too short', async () => {
    await objects.put('short/one', bytesOf('0123456789'))
    await objects.put('short/empty', new Uint8Array(0))
    const read = (key: string, start: number, length: number) => rejection(objects.read({ key, start, length }))
    expect(await read('short/none', 0, 1)).toBeInstanceOf(ObjectGone)
    expect(await read('short/one', 0, 11)).toBeInstanceOf(ObjectTooShort)
    expect(await read('short/one', 9, 2)).toBeInstanceOf(ObjectTooShort)
    expect(await read('short/one', 10, 1)).toBeInstanceOf(ObjectTooShort)
    expect(await read('short/one', 1_000, 1)).toBeInstanceOf(ObjectTooShort)
    expect(await read('short/empty', 0, 1)).toBeInstanceOf(ObjectTooShort)
  })

  test('the same object is put twice, and the caller may change the bytes afterwards', async () => {
    const bytes = bytesOf('same')
    await objects.put('twice/one', bytes)
    await objects.put('twice/one', bytes)
    bytes.fill(0)
    expect(await text('twice/one', 0, 4)).toBe('same')
  })

  test('a view of a longer buffer is put alone', async () => {
    await objects.put('view/one', bytesOf('0123456789').subarray(2, 5))
    expect(await text('view/one', 0, 3)).toBe('234')
    expect(await rejection(objects.read({ key: 'view/one', start: 0, length: 4 }))).toBeInstanceOf(ObjectTooShort)
  })

  test('a list has the sizes, and times of the store’s own clock', async () => {
    await objects.put('listed/one', bytesOf('1'))
    await objects.put('listed/three', bytesOf('333'))
    const nowMs = await objects.nowMs()
    const listed = await Array.fromAsync(objects.list('listed/'))
    expect(listed.map(({ key, bytes }) => [key, bytes])).toEqual([
      ['listed/one', 1],
      ['listed/three', 3],
    ])
    // The clock has whole seconds, and a busy machine may be slow.
    for (const { modifiedMs } of listed) expect(Math.abs(modifiedMs - nowMs)).toBeLessThan(60_000)
  })

  test('a prefix may end anywhere in a key', async () => {
    for (const key of ['prefix/ab', 'prefix/abc', 'prefix/b']) await objects.put(key, bytesOf('x'))
    expect(await keysOf(objects, 'prefix/ab')).toEqual(['prefix/ab', 'prefix/abc'])
    expect(await keysOf(objects, 'prefix/none')).toEqual([])
  })

  test.each(ODD_KEYS)('stores, lists and removes the key %s unchanged', async (odd) => {
    const key = `odd/${odd}`
    await objects.put(key, bytesOf(odd))
    expect(await text(key, 0, bytesOf(odd).length)).toBe(odd)
    expect(await keysOf(objects, key)).toEqual([key])
    await objects.remove([key])
    expect(await keysOf(objects, 'odd/')).toEqual([])
  })

  test('many are listed in order, and removed with some that are missing', async () => {
    const keys = Array.from({ length: MANY }, (_, index) => `many/${`${index}`.padStart(4, '0')}`)
    await Promise.all(keys.map((key) => objects.put(key, bytesOf(key))))
    expect(await keysOf(objects, 'many/')).toEqual(keys)
    await objects.remove([...keys.slice(1), 'many/missing'])
    expect(await keysOf(objects, 'many/')).toEqual(['many/0000'])
    expect(await rejection(objects.read({ key: keys[1]!, start: 0, length: 1 }))).toBeInstanceOf(ObjectGone)
  })
}

describe('in memory', () => suite(async () => new MemoryObjects()))

describe('in a double of an S3-compatible store', () => {
  const double = startS3Double()
  afterAll(() => double.stop())
  suite(async () => new S3Objects(await testObjectSettings(double.url)))
})

if (S3_TEST_URL) {
  describe('in an S3-compatible store', () => {
    suite(async () => new S3Objects(await testObjectSettings(S3_TEST_URL)))

    test('the whole bucket, without a prefix', async () => {
      const objects = new S3Objects(await testObjectSettings(S3_TEST_URL, ''))
      const key = `whole-${crypto.randomUUID()}`
      await objects.put(key, bytesOf('x'))
      expect(await keysOf(objects, key)).toEqual([key])
      await objects.remove([key])
    })
  })
} else describe.skip(`in an S3-compatible store: ${S3_SKIPPED}`, () => suite(async () => new MemoryObjects()))
