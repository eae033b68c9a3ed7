// Tests the messages of refusals.

import { expect, test } from 'bun:test'
import { parametersInvalid, quoted } from './request-failure.ts'

test.each([
  ['a', '"a"'],
  ['a"b\n', '"a\\"b\\n"'],
  ['x'.repeat(101), `"${'x'.repeat(100)}…"`],
  [1, '1'],
  [[1, 'a'], '[1,"a"]'],
  [undefined, 'undefined'],
])('quoted shows %p', (value, shown) => expect(quoted(value)).toBe(shown))

test('parametersInvalid uses its first error as the detail', () => {
  const errors = [
    { field: 'limit', message: 'must be 1, got "0"' },
    { field: 'date', message: 'is required' },
  ]
  const failure = parametersInvalid(errors)
  expect(failure.message).toBe('limit must be 1, got "0"')
  expect(failure.errors).toEqual(errors)
})
