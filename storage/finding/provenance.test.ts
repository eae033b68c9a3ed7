// The name of a load is made of its file and the chosen part of the file. A load that no store can hold is refused.

import { expect, test } from 'bun:test'
import { LOAD } from '../../test/support/import/made-loads.ts'
import { inOrder, loadName } from './provenance.ts'

test('the same choice of the same file is the same load', () => {
  const name = loadName(LOAD)
  expect(loadName({ ...LOAD, file: 'renamed', rows: 9, startedAt: 5, checkpoint: 'x' })).toBe(name)
  expect(loadName({ ...LOAD, markets: ['B', 'A'] })).toBe(loadName({ ...LOAD, markets: ['A', 'B'] }))
})

test.each([
  ['other bytes', { sha256: 'ef'.repeat(32) }],
  ['other markets', { markets: ['KXZ'] }],
])('%s are another load', (_, more) => {
  expect(loadName({ ...LOAD, ...more })).not.toBe(loadName(LOAD))
})

test('a file that was not read as a whole is named by its address and size', () => {
  const part = { ...LOAD, sha256: null, url: 'https://a/x', bytes: 5 }
  expect(loadName({ ...part, file: 'other' })).toBe(loadName(part))
  expect(loadName({ ...part, bytes: 6 })).not.toBe(loadName(part))
  expect(loadName({ ...part, url: null, file: 'other' })).not.toBe(loadName({ ...part, url: null }))
})

test.each([
  [{ source: 'own' }, 'the source name of the load is invalid'],
  [{ checkpoint: 'x'.repeat(65_537) }, 'its checkpoint is too long'],
  [{ licence: 'x'.repeat(4_097) }, 'a text about a file may have at most 4096 characters, not 4097'],
  [{ markets: Array.from({ length: 1_001 }, (_, i) => `M${i}`) }, 'at most 1000 markets may be chosen, not 1001'],
])('%j is refused', (more, message) => {
  expect(() => loadName({ ...LOAD, ...more })).toThrow(message)
})

test('loads are in the order in which they began', () => {
  const at = (startedAt: number, sha256 = LOAD.sha256) => ({ ...LOAD, startedAt, sha256 })
  const [one, two] = [at(3, '01'.repeat(32)), at(3, '02'.repeat(32))]
  const sorted = inOrder([one, at(5), two, at(1)])
  expect(sorted.map(({ startedAt }) => startedAt)).toEqual([1, 3, 3, 5])
  expect(inOrder([two, one])).toEqual(inOrder([one, two]))
})
