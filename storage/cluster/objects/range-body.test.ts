// Goal: a read returns only the bytes that were requested, and reads no more than needed.

import { describe, expect, test } from 'bun:test'
import { HttpFailure } from '../../retry/http-client.ts'
import { TransientFailure } from '../../retry/with-retry.ts'
import { type ObjectRange, ObjectTooShort } from './objects.ts'
import { readRange } from './range-body.ts'

const RANGE = { key: 'key', start: 3, length: 4 }
const rejection = (promise: Promise<unknown>) =>
  promise.then(
    () => null,
    (error) => error,
  )
const readAs = async (status: number, headers: Record<string, string>, ...pieces: string[]) =>
  new TextDecoder().decode(await readRange(new Response(streamOf(pieces), { status, headers }), RANGE))

function streamOf(pieces: string[]) {
  return new ReadableStream<Uint8Array>({
    start(controller) {
      for (const piece of pieces) controller.enqueue(new TextEncoder().encode(piece))
      controller.close()
    },
  })
}

describe('a range', () => {
  const headers = { 'content-range': 'bytes 3-6/10' }

  test('is read in any pieces', async () => {
    expect(await readAs(206, headers, '3456')).toBe('3456')
    expect(await readAs(206, { ...headers, 'content-length': '4' }, '34', '56')).toBe('3456')
    expect(await readAs(206, headers, '3', '', '45', '6')).toBe('3456')
  })

  test.each([
    ['is incomplete', headers, '345'],
    ['is incomplete, with a declared length', { ...headers, 'content-length': '4' }, '345'],
    ['is another range', { 'content-range': 'bytes 2-5/10' }, '2345'],
    ['ends elsewhere', { 'content-range': 'bytes 3-5/10' }, '345'],
    ['has no Content-Range', {}, '3456'],
    ['is of an object of unknown length', { 'content-range': 'bytes 3-6/*' }, '3456'],
  ])('that %s is not taken', async (_, given, body) => {
    expect(await rejection(readAs(206, given as Record<string, string>, body))).toBeInstanceOf(TransientFailure)
  })

  test('that is longer is read no further', async () => {
    expect(await rejection(readAs(206, headers, '34567'))).toBeInstanceOf(HttpFailure)
  })

  test('beyond the end of the object has its own error', async () => {
    expect(await rejection(readAs(206, { 'content-range': 'bytes 3-5/6' }, '345'))).toBeInstanceOf(ObjectTooShort)
    expect(await rejection(readAs(416, {}, '<Error>'))).toBeInstanceOf(ObjectTooShort)
  })
})

describe('the whole in place of a range', () => {
  const whole = { key: 'key', start: 0, length: 4 }
  const readWhole = async (length: number | null, range: ObjectRange = whole) => {
    const headers = length === null ? {} : { 'content-length': `${length}` }
    return new TextDecoder().decode(await readRange(new Response(streamOf(['01', '23']), { headers }), range))
  }

  test('is read if it is the range', async () => {
    expect(await readWhole(4)).toBe('0123')
  })

  test.each<[string, number | null, ObjectRange]>([
    ['is longer', 10, whole],
    ['is shorter', 3, whole],
    ['begins elsewhere', 4, { ...whole, start: 3 }],
    ['has no length', null, whole],
  ])('that %s is not taken', async (_, length, range) => {
    expect(await rejection(readWhole(length, range))).toBeInstanceOf(TransientFailure)
  })

  test('is cancelled if it is of another length', async () => {
    let wasCancelled = false
    const body = new ReadableStream<Uint8Array>({
      cancel: () => {
        wasCancelled = true
      },
    })
    const response = new Response(body, { headers: { 'content-length': `${2 ** 40}` } })
    expect(await rejection(readRange(response, RANGE))).toBeInstanceOf(TransientFailure)
    expect(wasCancelled).toBe(true)
  })
})
