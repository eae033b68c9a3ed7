// A column holds the pushed values, pushed one by one or together, with any initial capacity.

import { expect, test } from 'bun:test'
import { NumberBuilder } from './number-builder.ts'

test('numbers come back in the order in which they were pushed', () => {
  const builder = new NumberBuilder()
  const expected: number[] = []
  for (let i = 0; i < 30; i++) {
    builder.push(i + 0.5)
    builder.pushAll(Array.from({ length: i % 7 }, (_, j) => -j))
    expected.push(i + 0.5, ...Array.from({ length: i % 7 }, (_, j) => -j))
    expect(builder.count).toBe(expected.length)
    expect([...builder.taken()]).toEqual(expected)
  }
})

test('more than twice the room at once, and nothing after clear', () => {
  const builder = new NumberBuilder()
  builder.push(7)
  builder.pushAll(new Uint8Array(100).fill(3))
  expect([...builder.taken()]).toEqual([7, ...Array.from({ length: 100 }, () => 3)])
  builder.clear()
  expect([...builder.taken()]).toEqual([])
  builder.push(1)
  expect([...builder.taken()]).toEqual([1])
})
