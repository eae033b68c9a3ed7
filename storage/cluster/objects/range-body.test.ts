// Goal: a read returns only the bytes that were requested, and reads no more than needed.

import { describe, expect, test } from 'bun:test'
import { TransientFailure } from '../../retry/with-retry.ts'
import { ObjectTooShort } from './objects.ts'
import { readRange, readText } from './range-body.ts'

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
    ['broke off', headers, '345'],
    ['broke off though its length was told', { ...headers, 'content-length': '4' }, '345'],
    ['is longer', headers, '34567'],
    ['is another', { 'content-range': 'bytes 2-5/10' }, '2345'],
    ['ends elsewhere', { 'content-range': 'bytes 3-5/10' }, '345'],
    ['is not named', {}, '3456'],
    ['is of an object of unknown length', { 'content-range': 'bytes 3-6/*' }, '3456'],
  ])('that %s is not taken', async (_, given, body) => {
    expect(await rejection(readAs(206, given as Record<string, string>, body))).toBeInstanceOf(TransientFailure)
  })

  test('beyond the end of the object has its own error', async () => {
    expect(await rejection(readAs(206, { 'content-range': 'bytes 3-5/6' }, '345'))).toBeInstanceOf(ObjectTooShort)
    expect(await rejection(readAs(416, {}, '<Error>'))).toBeInstanceOf(ObjectTooShort)
  })
})

describe('the whole in place of a range', () => {
  const headers = { 'content-length': '10' }

  test('is read up to where the range ends, in any pieces', async () => {
    expect(await readAs(200, headers, '0123456789')).toBe('3456')
    expect(await readAs(200, headers, '0', '12', '34', '5', '6789')).toBe('3456')
    expect(await readAs(200, { 'content-length': '7' }, '0123', '456')).toBe('3456')
    expect(await readAs(200, {}, '0123456789')).toBe('3456')
  })

  test('is too short if its length says so, and counts as broken off otherwise', async () => {
    expect(await rejection(readAs(200, { 'content-length': '6' }, '012345'))).toBeInstanceOf(ObjectTooShort)
    expect(await rejection(readAs(200, headers, '012345'))).toBeInstanceOf(TransientFailure)
    expect(await rejection(readAs(200, {}, '012345'))).toBeInstanceOf(TransientFailure)
  })

  test('is let go of as soon as the range is there', async () => {
    let read = 0
    let wasCancelled = false
    const body = new ReadableStream<Uint8Array>({
      pull: (controller) => controller.enqueue(new Uint8Array(1_000).fill(read++)),
      cancel: () => {
        wasCancelled = true
      },
    })
    const response = new Response(body, { headers: { 'content-length': `${2 ** 40}` } })
    const bytes = await readRange(response, { key: 'key', start: 5_500, length: 1_000 })
    expect([...new Set(bytes)]).toEqual([5, 6])
    expect(wasCancelled).toBe(true)
    expect(read).toBeLessThan(12)
  })
})

test('reads a whole text, and no more than the limit', async () => {
  const textOf = (length: string | null, ...pieces: string[]) =>
    readText(new Response(streamOf(pieces), { headers: length === null ? {} : { 'content-length': length } }), 5)
  expect(await textOf(null, 'ab', 'cde')).toBe('abcde')
  expect(await readText(new Response(null), 5)).toBe('')
  expect(await rejection(textOf(null, 'abc', 'def'))).toBeInstanceOf(TransientFailure)
  expect(await rejection(textOf('5', 'abc'))).toBeInstanceOf(TransientFailure)
})
