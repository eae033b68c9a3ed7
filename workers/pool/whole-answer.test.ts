// Short answers become one piece; longer ones stay the chunks that they were.

import { expect, test } from 'bun:test'
import { WHOLE_MAX, wholeAnswer } from './whole-answer.ts'

const chunksOf = (...lengths: number[]) => lengths.map((length, i) => new Uint8Array(length).fill(i + 1)).values()

test('no chunk, and chunks of up to the limit, are one piece in a buffer of its own', () => {
  for (const lengths of [[], [3], [1, 0, 2], [WHOLE_MAX - 1, 1]]) {
    const answer = wholeAnswer(chunksOf(...lengths))
    if (!('bytes' in answer)) throw new Error('the answer is short')
    const expected = Buffer.concat([...chunksOf(...lengths)])
    expect(Buffer.compare(answer.bytes, expected)).toBe(0)
    expect(answer.bytes.buffer.byteLength).toBe(expected.length)
  }
})

test('more than that stays the same chunks', () => {
  const lengths = [WHOLE_MAX - 1, 2, 5, 0, 7]
  const answer = wholeAnswer(chunksOf(...lengths))
  if (!('chunks' in answer)) throw new Error('the answer is long')
  const found: Uint8Array[] = []
  for (let next = answer.chunks.next(); !next.done; next = answer.chunks.next()) found.push(next.value)
  expect(found.map(({ length }) => length)).toEqual(lengths)
  expect(found.map((chunk) => chunk[0])).toEqual([1, 2, 3, undefined, 5])
})
