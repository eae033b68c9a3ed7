// The tree of a text has every value at its place, so that it prints the same text.

import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { childOf, compactJson, jsonTree, lineTree, withoutKeys } from './json-tree.ts'

const bytesOf = (text: string) => new TextEncoder().encode(text)
const compact = (text: string) => compactJson(bytesOf(text), jsonTree(bytesOf(text)))

test('compacts any JSON, whatever its white space', () =>
  fc.assert(
    fc.property(fc.json(), fc.constantFrom(0, 2, '\t'), (text, space) => {
      const value: unknown = JSON.parse(text)
      expect(compact(JSON.stringify(value, null, space))).toBe(JSON.stringify(value))
    }),
  ))

test('numbers stay as printed, and texts with escapes are written one way', () => {
  expect(compact('{ "a" : 0.4800 , "b":[1e2,-0] , "c": "\\u0041\\/", "d":"é" }')).toBe(
    '{"a":0.4800,"b":[1e2,-0],"c":"A/","d":"é"}',
  )
})

test('places of values', () => {
  const text = '{"a": "x]", "b": [true]}'
  const root = jsonTree(bytesOf(text))
  const [a, b] = ['a', 'b'].map((key) => childOf(root, key)!)
  expect([text.slice(a!.start, a!.end), text.slice(b!.start, b!.end), root.end]).toEqual([
    '"x]"',
    '[true]',
    text.length,
  ])
  expect(b).toMatchObject({ type: 'array', children: [{ type: 'literal', start: 18, end: 22 }] })
})

test('the last of two equal keys counts; a value that is not an object has no keys', () => {
  const text = '{"a":1,"a":2}'
  const found = childOf(jsonTree(bytesOf(text)), 'a')!
  expect(text.slice(found.start, found.end)).toBe('2')
  expect([childOf(jsonTree(bytesOf('[1]')), 'a'), childOf(jsonTree(bytesOf('{}')), 'a')]).toEqual([
    undefined,
    undefined,
  ])
})

test('keys are left out, also under msg, but nowhere else', () => {
  const text = '{"a":1,"msg":{"a":2,"b":{"a":3}},"c":{"a":4}}'
  expect(compactJson(bytesOf(text), withoutKeys(jsonTree(bytesOf(text)), new Set(['a'])))).toBe(
    '{"msg":{"b":{"a":3}},"c":{"a":4}}',
  )
})

test('a line may nest 512 deep', () => {
  const nested = (depth: number) => bytesOf('['.repeat(depth) + ']'.repeat(depth))
  expect(lineTree(nested(512)).type).toBe('array')
  expect(() => lineTree(nested(513))).toThrow('it nests deeper than 512')
  expect(jsonTree(nested(520)).type).toBe('array')
})
