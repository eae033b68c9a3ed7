// Goal: a stored block begins with its name, and what does not is damage.

import { expect, test } from 'bun:test'
import { withName, withoutName } from './self-description.ts'

const NAME = { venue: 'kalshi', market: 'KXÄ', date: '2026-08-10', id: 12 } as const
const CONTENT = Uint8Array.of(9, 8, 7)

test('the name is in front of the content', () => {
  const bytes = withName(NAME, CONTENT)
  expect([...withoutName(bytes)]).toEqual([...CONTENT])
  expect(new TextDecoder().decode(bytes)).toContain('["kalshi","KXÄ","2026-08-10",12]')
  expect(new DataView(bytes.buffer).getUint32(4, true)).toBe(bytes.length)
})

test.each([
  ['nothing', new Uint8Array(0)],
  ['no mark', withName(NAME, CONTENT).map((byte, at) => (at === 0 ? byte ^ 1 : byte))],
  ['no content', withName(NAME, new Uint8Array(0))],
  ['a name cut short', withName(NAME, CONTENT).subarray(0, 20)],
])('%s is damage', (_, bytes) => {
  expect(() => withoutName(bytes)).toThrow('it does not say which block it is')
})
