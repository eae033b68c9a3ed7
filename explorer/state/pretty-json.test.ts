// Prints JSON as `JSON.stringify` indents it, with every number as it was printed.

import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { prettyJson } from './pretty-json.ts'

test('is indented as JSON.stringify does it', () => {
  fc.assert(
    fc.property(fc.json(), (text) => {
      const value = JSON.parse(text)
      expect(prettyJson(JSON.stringify(value))).toBe(JSON.stringify(value, null, 2))
    }),
  )
})

test('numbers and texts keep their digits', () => {
  expect(prettyJson('{"a":[1.50,{}],"b":"0.4390\\u0041"}')).toBe(
    '{\n  "a": [\n    1.50,\n    {}\n  ],\n  "b": "0.4390\\u0041"\n}',
  )
})
