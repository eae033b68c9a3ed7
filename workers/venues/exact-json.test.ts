// Numbers keep the digits with which they were printed.

import { expect, test } from 'bun:test'
import { isJsonObject, parseExactly, textOf } from './exact-json.ts'

test('parsed and printed again, a text is the same', () => {
  const text = '{"a":0.4800,"b":1e2,"c":[12345678901234567890,{"d":"0.50"}],"e":null,"f":true}'
  expect(JSON.stringify(parseExactly(text))).toBe(text)
})

test('texts and numbers as they were printed, nothing else', () => {
  const { a, b, c, d } = parseExactly('{"a":0.4800,"b":"0.50","c":null,"d":{}}')
  expect([a, b, c, d].map(textOf)).toEqual(['0.4800', '0.50', undefined, undefined])
  expect([a, b, c, d].map(isJsonObject)).toEqual([false, false, false, true])
})
