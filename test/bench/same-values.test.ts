// Tests the comparison of a peer's answers with ours.

import { expect, test } from 'bun:test'
import { firstDifference } from '../../bench/measure/same-values.ts'

test.each([
  [[{ bid: 0.41 }], [{ bid: 0.41 }], undefined],
  [[{ bid: 0.3 }], [{ bid: 0.1 + 0.2 }], undefined],
  [[{ bid: 0.41 }], [{ bid: 0.4101 }], '/0/bid'],
  [[{ bid: null }], [{ bid: 0 }], '/0/bid'],
  [[{ bid: 1 }, { bid: 2 }], [{ bid: 1 }], '/1'],
  [[{ bid: 1 }], [{ bid: 1, ask: 2 }], '/0/ask'],
])('firstDifference of %j and %j is %p', (a, b, path) => {
  expect(firstDifference(a, b)).toBe(path)
})
