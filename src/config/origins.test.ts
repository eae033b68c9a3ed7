// The settings of origins. What follows from them over HTTP: edge-handler.test.ts.

import { expect, test } from 'bun:test'
import { originsOf } from './origins.ts'

test.each([
  [undefined, null],
  ['*', '*'],
  ['https://a.example', new Set(['https://a.example'])],
  ['https://A.example:443 , http://[::1]:3000', new Set(['https://a.example', 'http://[::1]:3000'])],
])('%p is %p', (text, origins) => expect(originsOf('cors_origins', text)).toEqual(origins as never))

test.each(['https://a:99999', 'https://[', 'https://a.example, http://:1'])('%s is refused by name', (text) =>
  expect(() => originsOf('frame_ancestors', text)).toThrow(/^FRAME_ANCESTORS must be \*, or origins .+, got "http.+"$/),
)
