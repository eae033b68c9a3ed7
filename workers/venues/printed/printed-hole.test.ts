// A printed hole is read back unchanged; a line that is not a hole is refused.

import { expect, test } from 'bun:test'
import { printHole, readHole } from './printed-hole.ts'

test.each([[undefined], ['ag']])('of the source %p', (source) => {
  const hole = { market: 'KXA', source, hole: { fromMs: 5 } }
  const line = printHole(hole)
  expect(line).toEndWith('}\n')
  expect(readHole(JSON.parse(line), source)).toEqual(hole)
})

test.each([
  { market: 'KXA' },
  { from: 5 },
  { market: 'KXA', from: -1 },
  { market: 'KXA', from: 0.5 },
  { market: 1, from: 5 },
])('%j is no hole', (value) => {
  expect(readHole(value, undefined)).toBeUndefined()
})
