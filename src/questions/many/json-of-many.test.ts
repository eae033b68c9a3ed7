// Tests the answers about many books as one JSON object. The bytes of each answer stay unchanged.

import { expect, test } from 'bun:test'
import type { RecordsAnswer } from '../question.ts'
import { bytesOf, type Entry, jsonOfMany } from './json-of-many.ts'

const data = (text: string) => ({ bytes: new TextEncoder().encode(text) })
const entry = (ticker: string, failure: Entry['failure'] = null): Entry => ({ ids: { market_ticker: ticker }, failure })
const GONE = { code: 'market_not_stored', detail: 'gone' }

function answersOf(answers: RecordsAnswer[]) {
  let returned = 0
  const left = [...answers]
  const iterator: AsyncIterator<RecordsAnswer> = {
    async next() {
      const value = left.shift()
      return value === undefined ? { done: true, value: undefined } : { done: false, value }
    },
    async return() {
      returned++
      return { done: true, value: undefined }
    },
  }
  return { iterator, returned: () => returned }
}
const textOf = async (pieces: AsyncIterable<Uint8Array>) => Buffer.concat(await Array.fromAsync(pieces)).toString()

test('shared fields come once, fields of a book with its data, and a book without an answer has its error', async () => {
  const envelope = (ticker: string, points: number) => {
    return { market_ticker: ticker, date: '2026-08-10', resolution_seconds: 60, data_points: points }
  }
  const { iterator, returned } = answersOf([
    { envelope: envelope('A', 1), data: data('[{"p":0.50}]') },
    { envelope: envelope('C', 0), data: data('[]') },
  ])
  expect(await textOf(jsonOfMany([entry('A'), entry('B', GONE), entry('C')], iterator))).toBe(
    '{"date":"2026-08-10","resolution_seconds":60,"markets":[' +
      '{"market_ticker":"A","data_points":1,"data":[{"p":0.50}]},' +
      '{"market_ticker":"B","error":{"code":"market_not_stored","detail":"gone"}},' +
      '{"market_ticker":"C","data_points":0,"data":[]}]}',
  )
  expect(returned()).toBe(1)
})

test('an answer without an envelope is an entry of its own', async () => {
  const { iterator } = answersOf([{ envelope: null, data: data('{"a":1}') }])
  expect(await textOf(jsonOfMany([entry('B', GONE), entry('A')], iterator))).toBe(
    '{"markets":[{"market_ticker":"B","error":{"code":"market_not_stored","detail":"gone"}},{"a":1}]}',
  )
})

test('a reader that leaves ends the answers, and a failure breaks the text', async () => {
  const left = answersOf([{ envelope: {}, data: data('[]') }])
  for await (const _ of jsonOfMany([entry('A')], left.iterator)) break
  expect(left.returned()).toBe(1)
  const failing = answersOf([])
  failing.iterator.next = () => Promise.reject(new Error('lost'))
  await expect(textOf(jsonOfMany([entry('A')], failing.iterator))).rejects.toThrow('lost')
  expect(failing.returned()).toBe(1)
})

test('bytes in one piece, in several, and none', async () => {
  async function* chunks() {
    yield new Uint8Array([1])
    yield new Uint8Array([2, 3])
  }
  expect(await Array.fromAsync(bytesOf({ chunks: chunks() }))).toEqual([new Uint8Array([1]), new Uint8Array([2, 3])])
  expect(await Array.fromAsync(bytesOf({ bytes: new Uint8Array([4]) }))).toEqual([new Uint8Array([4])])
  expect(await Array.fromAsync(bytesOf({ bytes: new Uint8Array(0) }))).toEqual([])
})
