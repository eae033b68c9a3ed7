// Integers of every width are read back unchanged from their byte planes, and as sums of steps.

import { describe, expect, test } from 'bun:test'
import { Random } from '../../../workers/synthetic/random.ts'
import { planeWidth, readPlanes, readSteps, writePlanes } from './planes.ts'

test.each([
  [0, 1],
  [255, 1],
  [256, 2],
  [65_535, 2],
  [65_536, 3],
  [2 ** 32 - 1, 4],
  [2 ** 32, 5],
  [Number.MAX_SAFE_INTEGER, 7],
])('%i takes %i bytes', (value, width) => {
  expect(planeWidth(value)).toBe(width)
})

test('all lowest bytes come first', () => {
  const bytes = new Uint8Array(7).fill(9)
  writePlanes(Float64Array.of(0x0102, 0x0304, 0x0506), 3, 2, bytes, 1)
  expect([...bytes]).toEqual([9, 0x02, 0x04, 0x06, 0x01, 0x03, 0x05])
})

describe.each([1, 2, 3, 4, 5, 6, 7])('integers of %i bytes', (width) => {
  const random = new Random(width, 'planes')
  const most = Math.min(2 ** (8 * width) - 1, Number.MAX_SAFE_INTEGER)
  const written = Float64Array.from({ length: 50 }, (_, i) => (i === 0 ? most : Math.floor(random.fraction() * most)))
  const bytes = new Uint8Array(3 + 50 * width)
  writePlanes(written, 50, width, bytes, 3)

  test('are read with a base added', () => {
    const read = new Float64Array(50)
    const base = width < 7 ? 1_000 : 0
    readPlanes(bytes, 3, 50, width, read, base)
    expect(read).toEqual(written.map((value) => value + base))
  })

  test('are read as steps', () => {
    const read = new Float64Array(50)
    readSteps(bytes, 3, 50, width, read, 7)
    let sum = 7
    expect(read).toEqual(
      written.map((step) => {
        sum += step
        return sum
      }),
    )
  })
})

test('many small steps sum beyond 32 bits', () => {
  const count = 0x8001
  const bytes = new Uint8Array(2 * count).fill(0xff)
  const read = new Float64Array(count)
  readSteps(bytes, 0, count, 2, read, 0)
  expect(read.at(-1)).toBe(count * 0xffff)
})
