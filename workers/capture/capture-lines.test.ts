// A text is split into the same lines wherever its chunks are cut; blank lines are counted and skipped.

import { expect, test } from 'bun:test'
import { Random } from '../synthetic/random.ts'
import { LineSplitter, withoutByteOrderMark } from './capture-lines.ts'

function split(chunks: Uint8Array[], isAbandoned = false) {
  const found: string[] = []
  let lineCount = 0
  const splitter = new LineSplitter({
    line: (bytes, start, end, number) =>
      void found.push(`${number}: ${Buffer.from(bytes.subarray(start, end)).toString()}`),
    longLine: (head, bytesMax, number) => void found.push(`${number} is longer than ${bytesMax}: ${head.length}`),
    end: (count) => {
      lineCount = count
    },
  })
  for (const chunk of chunks) {
    const bytes = chunk.slice()
    splitter.push(bytes)
    bytes.fill(0)
  }
  isAbandoned ? splitter.abandon() : splitter.finish()
  return { found, lineCount }
}

test.each([1, 2, 3, 4])('chunks of any length, seed %d', (seed) => {
  const random = new Random(seed, 'lines')
  const lines = Array.from({ length: 60 }, () => random.pick(['', 'é', '{"a":1}', 'x'.repeat(random.below(40))]))
  const text = new TextEncoder().encode(lines.map((line) => line + random.pick(['\n', '\r\n'])).join(''))
  const chunks: Uint8Array[] = []
  for (let at = 0; at < text.length; at += chunks.at(-1)!.length)
    chunks.push(text.subarray(at, at + 1 + random.below(50)))
  const expected = lines.flatMap((line, i) => (line === '' ? [] : [`${i + 1}: ${line}`]))
  expect(split(chunks)).toEqual({ found: expected, lineCount: 60 })
})

test('a last line without an end counts, unless it is abandoned', () => {
  const chunks = ['one\ntw', 'o'].map((text) => new Uint8Array(Buffer.from(text)))
  expect(split(chunks)).toEqual({ found: ['1: one', '2: two'], lineCount: 2 })
  expect(split(chunks, true)).toEqual({ found: ['1: one'], lineCount: 1 })
})

test('only the head of a line that is too long is held in memory', () => {
  const chunk = new Uint8Array(8 << 20).fill(0x78)
  const { found } = split([...Array.from({ length: 9 }, () => chunk), new Uint8Array(Buffer.from('\nnext\n'))])
  expect(found).toEqual([`1 is longer than ${64 << 20}: ${1 << 20}`, '2: next'])
})

test('a byte order mark', () => {
  expect([...withoutByteOrderMark(Uint8Array.of(0xef, 0xbb, 0xbf, 1))]).toEqual([1])
  expect([...withoutByteOrderMark(Uint8Array.of(0xef, 0xbb))]).toEqual([0xef, 0xbb])
})
