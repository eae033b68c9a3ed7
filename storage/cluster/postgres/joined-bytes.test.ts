// Goal: values are where `substring` of PostgreSQL finds them.

import { expect, test } from 'bun:test'
import { JoinedBytes } from './joined-bytes.ts'

test('positions count from 1', () => {
  const values = [Uint8Array.of(1, 2), new Uint8Array(0), Uint8Array.of(3)]
  const joined = new JoinedBytes()
  expect(values.map((value) => joined.add(value))).toEqual([
    [1, 2],
    [3, 0],
    [3, 1],
  ])
  expect([...joined.joined()]).toEqual([1, 2, 3])
})
