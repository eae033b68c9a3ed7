// Short pieces are joined and long ones pass unchanged; no byte is lost or moved.

import { expect, test } from 'bun:test'
import { joinedChunks } from './joined-chunks.ts'

const ENOUGH = 128 * 1_024

async function joined(lengths: number[]): Promise<Uint8Array[]> {
  let next = 0
  async function* pieces() {
    for (const length of lengths) yield Uint8Array.from({ length }, () => next++ % 251)
  }
  return Array.fromAsync(joinedChunks(pieces()))
}

test.each([
  [[], []],
  [[10, 20, 30], [60]],
  [
    [ENOUGH + 5, 10],
    [ENOUGH + 5, 10],
  ],
  [
    [10, ENOUGH],
    [10, ENOUGH],
  ],
  [
    [ENOUGH - 10, 10, 7],
    [ENOUGH, 7],
  ],
  [
    [ENOUGH - 10, 11],
    [ENOUGH - 10, 11],
  ],
])('pieces of %j bytes are sent as %j', async (lengths, expected) => {
  const chunks = await joined(lengths)
  expect(chunks.map(({ length }) => length)).toEqual(expected)
  const all = Buffer.concat(chunks)
  expect(all.every((byte, at) => byte === at % 251)).toBe(true)
})
